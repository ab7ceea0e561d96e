/* The page of a queue: focus, and what is open, that are not lost when a part of the page is exchanged.
   Without it the page shows the state as it was loaded. */
(() => {
  "use strict";
  function say(words) {
    const region = document.getElementById("announcement");
    if (region) region.textContent = words;
  }

  /* htmx keeps the focus on an element whose id is there again. Where it is not, the heading of the new state takes it:
     a keyboard or a screen reader would else begin at the top of the page. Other parts of the page, such as the bar, may
     be exchanged meanwhile. */
  let held = false;
  const isOfStage = (event) => Boolean(event.target.closest("#stage"));
  function noteFocus(event) {
    if (isOfStage(event)) held = document.getElementById("stage").contains(document.activeElement) || acted;
  }

  let acted = false; // a form of the page has been sent, or a button by itself
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.requestConfig.verb !== "get" && isOfStage(event)) acted = true;
  });
  document.addEventListener("htmx:beforeSwap", noteFocus);
  /* What was told when the page was loaded is of the state there was then. */
  const shownStage = () => document.getElementById("stage")?.dataset.stage;
  let toldAt;
  document.addEventListener("DOMContentLoaded", () => {
    toldAt = shownStage();
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (shownStage() !== toldAt) document.querySelector("#main > .notices")?.remove();
  });
  /* What somebody has opened stays open. */
  let opened = [];
  document.addEventListener("htmx:beforeSwap", () => {
    opened = [...document.querySelectorAll("#stage details[id][open]")].map((details) => details.id);
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    offerCopies();
    if (!isOfStage(event)) return;
    const part = document.getElementById("stage");
    if (held && !part.contains(document.activeElement)) {
      part.querySelector("#stage-heading")?.focus({ preventScroll: true });
    }
    /* What was pressed may stand far below the answer. */
    if (acted) part.querySelector(".notices")?.scrollIntoView({ block: "nearest" });
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

  /* A form that the server did not take is older than the sign-in, or than the site: the page begins anew. */
  document.addEventListener("htmx:responseError", (event) => {
    if (event.detail.requestConfig.verb !== "get") window.location.reload();
  });

  document.addEventListener("DOMContentLoaded", offerCopies);
})();
