/* A tone and a flashing title while an element with data-alert is on the page. The tone can be switched off. */
(() => {
  "use strict";
  const SWITCH = "evenmatch-sound";
  const RUNG = "evenmatch-rung";
  const NOTES = [[880, 0], [1174.7, 0.18], [1568, 0.36]]; // hertz, seconds

  let sound = null;
  let flashing = 0;
  let title = "";

  function read(store, key) {
    try {
      return store().getItem(key) ?? "";
    } catch {
      return "";
    }
  }

  function write(store, key, value) {
    try {
      store().setItem(key, value);
    } catch {
      /* Storage may be refused; the choice then lasts for this page. */
    }
  }

  const local = () => localStorage;
  const session = () => sessionStorage;
  let on = read(local, SWITCH) !== "off";
  let rung = read(session, RUNG);

  /* Browsers let a page sound once its visitor has touched it. */
  function wake() {
    if (!on || !window.AudioContext) return;
    sound ??= new AudioContext();
    if (sound.state === "suspended") sound.resume().catch(() => {});
  }

  function ring() {
    wake();
    if (!sound || !on || sound.state === "closed") return;
    for (const [hertz, later] of NOTES) {
      const start = sound.currentTime + later;
      const voice = sound.createOscillator();
      const volume = sound.createGain();
      voice.frequency.value = hertz;
      volume.gain.setValueAtTime(0.0001, start);
      volume.gain.exponentialRampToValueAtTime(0.2, start + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.3);
      voice.connect(volume).connect(sound.destination);
      voice.start(start);
      voice.stop(start + 0.32);
    }
  }

  function flash(words) {
    stopFlashing();
    if (!document.hidden && document.hasFocus()) return;
    title = document.title;
    flashing = setInterval(() => {
      document.title = document.title === title ? words : title;
    }, 1000);
    document.title = words;
  }

  function stopFlashing() {
    if (!flashing) return;
    clearInterval(flashing);
    flashing = 0;
    document.title = title;
  }

  /* Each alert rings once, also when its part of the page is fetched again or the page is loaded anew. */
  function look() {
    const alert = document.querySelector("[data-alert]");
    const name = alert ? alert.dataset.alertId || alert.dataset.alert : "";
    if (name === rung) return;
    rung = name;
    write(session, RUNG, name);
    if (!alert) {
      stopFlashing();
      return;
    }
    ring();
    flash(alert.dataset.alert);
  }

  function show(button) {
    button.hidden = !window.AudioContext;
    button.setAttribute("aria-pressed", String(on));
    for (const icon of button.querySelectorAll("[data-icon]")) {
      icon.toggleAttribute("hidden", icon.dataset.icon !== (on ? "sound" : "silent"));
    }
  }

  const showAll = () => document.querySelectorAll("[data-sound-button]").forEach(show);

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-sound-button]")) return;
    on = !on;
    write(local, SWITCH, on ? "on" : "off");
    showAll();
    if (on) ring();
  });
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, wake, { passive: true });
  window.addEventListener("focus", stopFlashing);
  document.addEventListener("htmx:afterSettle", () => {
    showAll();
    look();
  });
  document.addEventListener("DOMContentLoaded", () => {
    showAll();
    look();
  });
})();
