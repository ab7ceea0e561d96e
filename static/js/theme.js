/* Light, dark or as the system says. Runs before the first paint; the button is shown only when this runs. */
(() => {
  "use strict";
  const KEY = "evenmatch-theme";
  const ORDER = ["auto", "light", "dark"];
  const root = document.documentElement;

  function read() {
    try {
      const stored = localStorage.getItem(KEY);
      return ORDER.includes(stored) ? stored : "auto";
    } catch {
      return "auto";
    }
  }

  function store(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      /* Storage may be refused; the choice then lasts for this page. */
    }
  }

  function apply(theme) {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
  }

  function label(button, theme) {
    const text = button.dataset[theme];
    button.setAttribute("aria-label", text);
    button.title = text;
    for (const icon of button.querySelectorAll("[data-icon]")) {
      icon.toggleAttribute("hidden", icon.dataset.icon !== theme);
    }
  }

  let theme = read();
  apply(theme);
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-button]");
    if (!button) return;
    label(button, theme);
    button.hidden = false;
    button.addEventListener("click", () => {
      theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length];
      store(theme);
      apply(theme);
      label(button, theme);
    });
  });
})();
