/* A line at the foot of the window while the site can't be reached: what the parts of the page show may be old. They go
   on asking, and the first answer takes it back. When a stream is lost, live.js has them ask soon. */
(() => {
  "use strict";
  function show(lost) {
    const note = document.querySelector("[data-offline]");
    if (note) note.hidden = !lost;
  }

  for (const kind of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(kind, () => show(true));
  document.addEventListener("htmx:responseError", (event) => {
    const { xhr, elt, requestConfig, pathInfo } = event.detail;
    if (xhr.status >= 500) show(true);
    // What somebody asked for and the site refuses, as a rank of letters: its page says why.
    else if (requestConfig.verb === "get" && elt.closest("[hx-push-url]")) location.assign(pathInfo.finalRequestPath);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful) show(false);
  });
})();
