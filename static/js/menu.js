/* Menus of <details class="menu"> close on Escape, which leads back to their button, and on a press anywhere else. */
(() => {
  "use strict";
  const open = () => document.querySelectorAll("details.menu[open]");

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of open()) {
      const inside = menu.contains(document.activeElement);
      menu.open = false;
      if (inside) menu.querySelector("summary").focus();
    }
  });

  document.addEventListener("pointerdown", (event) => {
    for (const menu of open()) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });

  document.addEventListener("focusin", (event) => {
    for (const menu of open()) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
})();
