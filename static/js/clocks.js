/* Clocks that count between two answers of the server, one of them also in the tab's title; a part of the page that is
   about to end is told to screen readers. Without it the page shows the time as it was loaded. */
(() => {
  "use strict";
  const WARN_AT = 10; // seconds left at which screen readers are told, once

  const clocks = new Map(); // element: when the server's figure held (performance.now, milliseconds), and the figure

  function written(seconds) {
    const whole = Math.max(0, Math.floor(seconds));
    const two = (number) => String(number).padStart(2, "0");
    const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
    return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
  }

  function tick() {
    let inTitle = "";
    for (const [clock, since] of clocks) {
      if (!clock.isConnected) {
        clocks.delete(clock);
        continue;
      }
      const passed = (performance.now() - since.at) / 1000;
      const down = clock.dataset.count === "down";
      const seconds = down ? Math.max(0, since.seconds - passed) : since.seconds + passed;
      const text = written(down ? Math.ceil(seconds) : seconds);
      if (clock.textContent !== text) clock.textContent = text;
      if (clock.hasAttribute("data-title-clock")) inTitle ||= text;
      const bar = down && clock.closest("section")?.querySelector("[data-count-bar]");
      if (bar) bar.value = seconds;
      if (clock.dataset.warn && !since.warned && since.seconds > WARN_AT + 2 && seconds <= WARN_AT) {
        since.warned = true;
        const region = document.getElementById("announcement");
        if (region) region.textContent = clock.dataset.warn;
      }
    }
    document.dispatchEvent(new CustomEvent("evenmatch:clock", { detail: inTitle }));
  }

  function wind() {
    for (const clock of document.querySelectorAll("[data-count]")) {
      if (!clocks.has(clock)) {
        clocks.set(clock, { at: performance.now(), seconds: Number(clock.dataset.seconds) || 0, warned: false });
      }
    }
    tick();
  }

  document.addEventListener("htmx:afterSettle", wind);
  document.addEventListener("DOMContentLoaded", wind);
  setInterval(tick, 250);
})();
