/* Where a form asks for a time zone, chooses that of the browser, unless somebody has chosen already. A form that only
   says by which clock a page is written, `data-own-zone="ask"`, asks for that page at once. */
(() => {
  "use strict";
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const field of document.querySelectorAll("[data-own-zone]")) {
    const isKnown = !field.options || [...field.options].some(({ value }) => value === own);
    if (field.value !== "UTC" || !own || own === "UTC" || !isKnown) continue;
    field.value = own;
    if (field.dataset.ownZone !== "ask") continue;
    const address = new URL(location.href);
    address.searchParams.set(field.name, own);
    location.replace(address);
  }
})();
