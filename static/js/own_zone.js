/* Where a form asks for a time zone, chooses that of the browser, unless somebody has chosen already. */
(() => {
  "use strict";
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const select of document.querySelectorAll("select[data-own-zone]")) {
    if (select.value === "UTC" && [...select.options].some((option) => option.value === own)) select.value = own;
  }
})();
