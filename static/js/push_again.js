/* Tells this sign-in whether its browser takes push: it may have been switched on in an earlier one, and signing out
   must end it. Once a sign-in; where it takes none, too, so that further pages need not ask. */
(async () => {
  "use strict";

  const place = document.querySelector("[data-push-again]");
  // Every page has a form, for its language. The page itself has no token more, which would make each one new.
  const token = document.querySelector('[name="csrfmiddlewaretoken"]');
  if (!place || !token) return;
  const registration = await navigator.serviceWorker?.getRegistration(place.dataset.worker);
  const found = (await registration?.pushManager?.getSubscription())?.toJSON();
  const body = new FormData();
  body.set("csrfmiddlewaretoken", token.value);
  body.set("endpoint", found?.endpoint ?? "");
  body.set("auth", found?.keys.auth ?? "");
  await fetch(place.dataset.pushAgain, { method: "POST", body });
})().catch(() => {
  /* The next page tries again. */
});
