/* The room of a queue: clocks that count between two answers of the server, focus that is not lost when a part of the
   page is exchanged, and a word when the connection is gone. Without it the page shows the state as it was loaded. */
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

  function say(words) {
    const region = document.getElementById("announcement");
    if (region) region.textContent = words;
  }

  function tick() {
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
      const bar = down && clock.closest("section")?.querySelector("[data-count-bar]");
      if (bar) bar.value = seconds;
      if (clock.dataset.warn && !since.warned && since.seconds > WARN_AT + 2 && seconds <= WARN_AT) {
        since.warned = true;
        say(clock.dataset.warn);
      }
    }
  }

  function wind() {
    for (const clock of document.querySelectorAll("[data-count]")) {
      if (!clocks.has(clock)) {
        clocks.set(clock, { at: performance.now(), seconds: Number(clock.dataset.seconds) || 0, warned: false });
      }
    }
    offerCopies();
    tick();
  }

  /* htmx keeps the focus on an element whose id is there again. Where it is not, the heading of the new state takes it:
     a keyboard or a screen reader would else begin at the top of the page. */
  let held = false;
  function noteFocus() {
    const room = document.getElementById("room");
    held = Boolean(room && (room.contains(document.activeElement) || acted));
  }

  let acted = false; // a form of the room has been sent
  document.addEventListener("submit", (event) => {
    if (event.target.closest("#room")) acted = true;
  });
  document.addEventListener("htmx:beforeSwap", noteFocus);
  document.addEventListener("htmx:afterSettle", () => {
    wind();
    const room = document.getElementById("room");
    if (held && room && !room.contains(document.activeElement)) {
      room.querySelector("#room-heading")?.focus({ preventScroll: true });
    }
    held = acted = false;
  });

  /* A button that copies what stands in a field; the field itself is there without it. */
  function offerCopies() {
    for (const button of document.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
  }
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    field.select();
    await navigator.clipboard.writeText(field.value);
    say(field.dataset.copied);
    button.textContent = field.dataset.copied;
  });

  function showConnection(lost) {
    for (const note of document.querySelectorAll("[data-offline]")) note.hidden = !lost;
  }
  /* A form that the server did not take is older than the sign-in, or than the site: the page begins anew. */
  function refused(event) {
    if (event.detail.requestConfig.verb === "get") showConnection(true);
    else window.location.reload();
  }
  for (const kind of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(kind, () => showConnection(true));
  document.addEventListener("htmx:responseError", refused);
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful) showConnection(false);
  });

  document.addEventListener("DOMContentLoaded", wind);
  setInterval(tick, 250);
})();
