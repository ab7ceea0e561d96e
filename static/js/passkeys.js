/* Asks the browser for a passkey, or for a new one, and sends what it gives with the form of the button. */
(() => {
  "use strict";
  const options = JSON.parse(document.getElementById("js_data").textContent);

  document.querySelectorAll("[data-passkey]").forEach((button) => {
    const form = button.closest("form");
    const failed = form.querySelector("[data-passkey-failed]");
    button.hidden = false;
    button.addEventListener("click", async () => {
      failed.hidden = true;
      try {
        const isNew = button.dataset.passkey === "add";
        const credential = isNew
          ? await webauthnJSON.create(options.creation_options)
          : await webauthnJSON.get(options.request_options);
        form.elements.credential.value = JSON.stringify(credential);
        form.submit();
      } catch {
        failed.hidden = false;
      }
    });
  });
})();
