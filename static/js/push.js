/* Switching push on for this browser. */
(() => {
  "use strict";

  const place = document.querySelector("[data-push]");
  if (!place || !("serviceWorker" in navigator) || !("PushManager" in window)) return;
  const button = place.querySelector("button");
  const status = place.querySelector("[role=status]");
  place.hidden = false;

  const bytes = (text) => {
    const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/").padEnd(Math.ceil(text.length / 4) * 4, "="));
    return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
  };

  async function add() {
    const registration = await navigator.serviceWorker.register(place.dataset.worker);
    const key = bytes(place.dataset.push);
    let subscription = await registration.pushManager.getSubscription();
    const before = subscription && new Uint8Array(subscription.options.applicationServerKey || []);
    if (subscription && String(before) !== String(key)) {
      await subscription.unsubscribe(); // of another secret key of the site
      subscription = null;
    }
    subscription ??= await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const found = subscription.toJSON();
    const body = new FormData(document.getElementById("push-token"));
    body.set("endpoint", found.endpoint);
    body.set("p256dh", found.keys.p256dh);
    body.set("auth", found.keys.auth);
    const answer = await fetch(place.dataset.add, { method: "POST", body });
    if (!answer.ok) throw new Error((await answer.json()).detail || place.dataset.failed);
  }

  button.addEventListener("click", async () => {
    button.disabled = true;
    status.textContent = "";
    try {
      await add();
      location.reload();
    } catch (error) {
      status.textContent = error instanceof DOMException ? place.dataset.failed : error.message || place.dataset.failed;
    } finally {
      button.disabled = false;
    }
  });
})();
