/* A tone, a flashing title and a notice of the desktop while an element with data-alert is on the page; and the time of
   a clock with data-title-clock in the title. Tone and notices can be switched, and the choice is kept. */
(() => {
  "use strict";
  const SOUND = "evenmatch-sound";
  const NOTICES = "evenmatch-notices";
  const RUNG = "evenmatch-rung";
  const MOST_RUNG = 50;
  const NOTES = [[880, 0], [1174.7, 0.18], [1568, 0.36]]; // hertz, seconds

  let sound = null;
  let flashing = ""; // the words that flash
  let flasher = 0;
  let clock = ""; // the time of a clock on the page
  let plain = document.title;
  let written = document.title;

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
  const canNotify = "Notification" in window;
  let on = read(local, SOUND) !== "off";
  let notices = canNotify && read(local, NOTICES) === "on" && Notification.permission === "granted";
  const rung = new Set(read(session, RUNG).split("\n").filter(Boolean));

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

  const isAway = () => document.hidden || !document.hasFocus();

  /* Several tabs make one notice of it: they give it the same tag. */
  function notify(alert, name) {
    if (!notices || !isAway()) return;
    try {
      const notice = new Notification(alert.dataset.alert, { tag: `evenmatch-${name}`, body: plain });
      notice.addEventListener("click", () => {
        window.focus();
        if (alert.dataset.alertHref) window.location.assign(alert.dataset.alertHref);
        notice.close();
      });
    } catch {
      /* Some phones have the word, but let only service workers use it. */
    }
  }

  function putTitle() {
    if (document.title !== written) plain = document.title; // the page has given itself another one
    const flashes = flashing && Math.floor(Date.now() / 1000) % 2 === 0;
    const words = flashes ? flashing : plain;
    written = clock ? `${clock} ${words}` : words;
    if (document.title !== written) document.title = written;
    written = document.title;
  }

  function stopFlashing() {
    flashing = "";
    clearInterval(flasher);
    putTitle();
  }

  /* Each alert rings once, also when its part of the page is fetched again or the page is loaded anew. One that comes
     later is brought into view. */
  function look(later) {
    const alerts = [...document.querySelectorAll("[data-alert]")];
    const fresh = alerts.filter((alert) => !rung.has(nameOf(alert)));
    if (!alerts.length) {
      stopFlashing();
      tell(document.querySelector("[data-announcement]")?.dataset.announcement ?? "");
    }
    if (!fresh.length) return;
    for (const alert of fresh) {
      rung.add(nameOf(alert));
      notify(alert, nameOf(alert));
    }
    write(session, RUNG, [...rung].slice(-MOST_RUNG).join("\n"));
    ring();
    if (isAway()) {
      flashing = fresh[0].dataset.alert;
      clearInterval(flasher);
      flasher = setInterval(putTitle, 250);
    }
    tell(fresh.map((alert) => alert.dataset.alert).join(" "));
    if (later) fresh[0].scrollIntoView({ block: "nearest" });
    putTitle();
  }

  /* What screen readers say: the latest alert while it stands, then what became of it. */
  function tell(words) {
    const status = document.getElementById("alert-announcement");
    if (status && status.textContent !== words) status.textContent = words;
  }

  const nameOf = (alert) => alert.dataset.alertId || alert.dataset.alert;

  function show(button, possible, chosen, [yes, no]) {
    button.hidden = !possible;
    button.setAttribute("aria-pressed", String(chosen));
    for (const icon of button.querySelectorAll("[data-icon]")) {
      icon.toggleAttribute("hidden", icon.dataset.icon !== (chosen ? yes : no));
    }
  }

  function showAll() {
    for (const button of document.querySelectorAll("[data-sound-button]")) {
      show(button, Boolean(window.AudioContext), on, ["sound", "silent"]);
    }
    for (const button of document.querySelectorAll("[data-notify-button]")) {
      show(button, canNotify, notices, ["bell", "no-bell"]);
    }
  }

  function switchSound() {
    on = !on;
    write(local, SOUND, on ? "on" : "off");
    showAll();
    if (on) ring();
  }

  async function switchNotices(button) {
    notices = !notices && (await Notification.requestPermission()) === "granted";
    write(local, NOTICES, notices ? "on" : "off");
    if (Notification.permission === "denied") button.title = button.dataset.refused;
    showAll();
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-sound-button]")) switchSound();
    const button = event.target.closest("[data-notify-button]");
    if (button) switchNotices(button);
  });
  /* A choice made in another tab holds here too. */
  window.addEventListener("storage", (event) => {
    if (event.key === SOUND) on = event.newValue !== "off";
    if (event.key === NOTICES) notices = canNotify && event.newValue === "on" && Notification.permission === "granted";
    showAll();
  });
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, wake, { passive: true });
  window.addEventListener("focus", stopFlashing);
  document.addEventListener("evenmatch:clock", (event) => {
    clock = event.detail;
    putTitle();
  });
  for (const kind of ["htmx:afterSettle", "DOMContentLoaded"]) {
    document.addEventListener(kind, () => {
      showAll();
      look(kind !== "DOMContentLoaded");
    });
  }
})();
