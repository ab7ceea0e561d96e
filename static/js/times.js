/* Times in the viewer's zone, with UTC in the title: those of text, of tooltips, and below charts. Without it pages say
   UTC. */
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
      const format = new Intl.DateTimeFormat(words ? "en-US" : language, shapes[shape]);
      writers.set(shape, words ? inEnglish(format) : format);
    }
    return writers.get(shape);
  }

  /* As these pages write it, "19 Sep 2026, 18:30": no English of the browsers has this order and these months. */
  function inEnglish(format) {
    const write = (at) => {
      const { day, month, year, hour, minute } = Object.fromEntries(
        format.formatToParts(at).map(({ type, value }) => [type, value]),
      );
      return [day && `${day} ${month} ${year}`, hour && `${hour}:${minute}`].filter(Boolean).join(", ");
    };
    return { format: write };
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

  /* A tooltip has room for both. */
  function turnTitles() {
    for (const element of document.querySelectorAll("[data-title-time]:not([data-turned])")) {
      const { titleTime, titleWords } = element.dataset;
      const local = writer("moment").format(new Date(titleTime));
      element.title = element.title.replace(titleWords, `${local} (${titleWords})`);
      element.dataset.turned = "";
    }
  }

  /* Hours stand where they are and are called what they are here; days move to where they begin here. Months and years
     are wider than any difference between zones. */
  function turnTicks() {
    for (const tick of document.querySelectorAll("[data-tick]:not([data-turned])")) {
      const at = new Date(tick.dataset.at);
      if (tick.dataset.tick === "hour") tick.textContent = writer("time").format(at);
      if (tick.dataset.tick === "day") {
        moveTo(tick, new Date(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
      }
      tick.dataset.turned = "";
    }
  }

  function moveTo(tick, at) {
    const { start, end } = tick.parentElement.dataset;
    const x = (100 * (at - new Date(start))) / (new Date(end) - new Date(start));
    tick.toggleAttribute("hidden", x < 0 || x > 100);
    tick.setAttribute("x", `${x.toFixed(2)}%`);
    tick.setAttribute("text-anchor", x < 4 ? "start" : x > 96 ? "end" : "middle");
  }

  for (const kind of ["DOMContentLoaded", "htmx:afterSettle"]) {
    for (const part of [turn, turnTitles, turnTicks]) document.addEventListener(kind, part);
  }
})();
