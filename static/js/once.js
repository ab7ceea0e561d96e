/* A form with data-once is sent once: whoever presses its button again and again would else abort what was sent before.
   The server takes repeats for one as well; without scripts that is what holds. */
(() => {
  "use strict";
  const sent = new Set();

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-once]") || event.defaultPrevented) return;
    if (sent.has(form)) {
      event.preventDefault();
      return;
    }
    sent.add(form);
    // Its neighbours too, Accept and Decline; later, for a button that is off is not sent along.
    const buttons = (form.parentElement ?? form).querySelectorAll("[data-once] button");
    setTimeout(() => buttons.forEach((button) => (button.disabled = true)));
  });
  /* Back in the history the page is as it was left. */
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    sent.clear();
    document.querySelectorAll("[data-once] button").forEach((button) => (button.disabled = false));
  });
})();
