/* Tells this sign-in that its browser takes push: it was switched on in an earlier one, and signing out must end it. */
(async () => {
  "use strict";

  const place = document.querySelector("[data-push-again]");
  // Every page has a form, for its language. The page itself has no token more, which would make each one new.
  const token = document.querySelector('[name="csrfmiddlewaretoken"]');
  if (!place || !token || !("serviceWorker" in navigator) || !("PushManager" in window)) return;
  const registration = await navigator.serviceWorker.getRegistration(place.dataset.worker);
  const subscription = await registration?.pushManager.getSubscription();
  if (!subscription) return;
  const found = subscription.toJSON();
  const body = new FormData();
  body.set("csrfmiddlewaretoken", token.value);
  body.set("endpoint", found.endpoint);
  body.set("auth", found.keys.auth);
  await fetch(place.dataset.pushAgain, { method: "POST", body });
})().catch(() => {
  /* The next page tries again. */
});
