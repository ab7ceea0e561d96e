/* Times in the viewer's zone, with UTC in the title. Without it pages say UTC. */
(() => {
  "use strict";
  const language = document.documentElement.lang || "en";
  const words = language === "en";
  const DAY = { day: words ? "numeric" : "2-digit", month: words ? "short" : "2-digit", year: "numeric" };
  const TIME = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const shapes = { day: DAY, time: TIME, moment: { ...DAY, ...TIME } };
  const writers = new Map();

  function writer(shape) {
    if (!writers.has(shape)) {
      // The English of these pages writes "19 Jul 2026".
      writers.set(shape, new Intl.DateTimeFormat(words ? "en-GB" : language, shapes[shape]));
    }
    return writers.get(shape);
  }

  function turn() {
    for (const element of document.querySelectorAll("time[data-local]:not([data-turned])")) {
      const moment = new Date(element.dateTime);
      if (!(element.dataset.local in shapes) || Number.isNaN(moment.getTime())) continue;
      element.title = element.textContent;
      element.textContent = writer(element.dataset.local).format(moment);
      element.dataset.turned = "";
    }
  }

  document.addEventListener("DOMContentLoaded", turn);
  document.addEventListener("htmx:afterSettle", turn);
})();
