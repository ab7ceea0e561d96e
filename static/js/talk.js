/* Talk: the field is emptied once a line was taken, and the list stays at its end while its reader is there. */
(() => {
  "use strict";
  const NEAR = 40; // pixels from the end within which a reader counts as being there
  const isAtEnd = (list) => list.scrollHeight - list.scrollTop - list.clientHeight < NEAR;
  const toEnd = (list) => { list.scrollTop = list.scrollHeight; };
  const followed = new Set(); // ids of places whose readers were at the end before the list was exchanged

  document.addEventListener("htmx:beforeSwap", (event) => {
    const list = event.detail.target.querySelector(".talk-list");
    if (!list || isAtEnd(list)) followed.add(event.detail.target.id);
    else followed.delete(event.detail.target.id);
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    for (const list of event.target.querySelectorAll?.(".talk-list") ?? []) {
      const place = list.closest("[id]");
      if (!place || followed.has(place.id) || followed.has(event.target.id)) toEnd(list);
    }
  });
  /* The answer says that the line was taken (HX-Trigger: said). */
  document.addEventListener("said", (event) => {
    const form = event.target.closest("[data-talk-form]");
    if (form) form.reset();
  });
  document.querySelectorAll(".talk-list").forEach(toEnd);
})();
