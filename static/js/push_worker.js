/* What runs in a browser while no page is open: shows a push, and opens its page. It keeps nothing, and fetches nothing. */
"use strict";

self.addEventListener("push", (event) => {
  let said = {};
  try {
    said = event.data ? event.data.json() : {};
  } catch {
    said = {};
  }
  const show = async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    if (said.unless_seen && pages.some((page) => page.visibilityState === "visible")) return;
    await self.registration.showNotification(said.title || "…", {
      tag: said.tag,
      lang: said.lang,
      data: { url: said.url || "/notifications/" },
    });
  };
  event.waitUntil(show());
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const page = new URL(event.notification.data.url, self.location.origin);
  if (page.origin !== self.location.origin) return;
  const open = async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const same = pages.find((one) => one.url === page.href);
    return same ? same.focus() : self.clients.openWindow(page.href);
  };
  event.waitUntil(open());
});
