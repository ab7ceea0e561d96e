/* Parts of a page that follow what happens. htmx polls them; while a stream of server-sent events is open they are
   told when to look, and poll rarely. The markup is in templates/components/README.md. */
(() => {
  "use strict";
  const RARELY = 30; // seconds between polls while the stream is open; data-live-rarely gives another number
  const OWN = /(^|\s)player/; // what concerns the visitor is fetched at once, the rest is spread over two seconds
  const FIRST_RETRY = 30_000;
  const LAST_RETRY = 300_000;
  const DOUBT = 4_000; // milliseconds: by then the browser has come back, unless the site is away
  // Without HTTP/2 a browser has six connections to a site, for all its pages. Streams take three at most: two of pages
  // that are seen, which so never wait for hidden ones, and one of those. The others poll, and are told by pages that
  // have a stream.
  const SLOTS = { seen: ["evenmatch-stream-1", "evenmatch-stream-2"], hidden: ["evenmatch-stream-3"] };
  let otherPages = null; // closed while the page is left: browsers may not keep one with a channel for the way back
  let isLeft = false;

  let group = ""; // of the slot that the page has, or waits for
  let hasSlot = false;
  let giveBack = () => {};
  let source = null;
  let address = "";
  let open = false;
  let lost = false;
  let retry = FIRST_RETRY;
  let retryTimer = 0;
  const loaded = Date.now();
  // By name of a part, not by element: an answer may put another element in its place.
  const asked = new Map(); // when it was last fetched
  const planned = new Set(); // those that are about to be fetched
  const busy = new Set(); // those whose answer is on its way, perhaps from before what has just happened

  const parts = () => [...document.querySelectorAll("[data-live]")];
  const topicsOf = (part) => part.dataset.live.split(/\s+/).filter(Boolean);
  const nameOf = (part) => part.id || part.getAttribute("hx-get") || "";
  const sleeps = (part) => document.hidden && !part.hasAttribute("data-live-always");

  function isInUse(part) {
    const marked = document.getSelection();
    const reads = marked && !marked.isCollapsed && part.contains(marked.anchorNode);
    return reads || part.contains(document.activeElement) || Boolean(part.querySelector("details[open]"));
  }

  function isDue(part) {
    const rarely = Number(part.dataset.liveRarely) || RARELY;
    return Date.now() - (asked.get(nameOf(part)) ?? loaded) >= rarely * 1000;
  }

  function refresh(part, topics = topicsOf(part)) {
    const name = nameOf(part);
    if (sleeps(part) || planned.has(name)) return;
    planned.add(name);
    setTimeout(fetchNow, topics.some((topic) => OWN.test(topic)) ? 50 : 500 + 2000 * Math.random(), name);
  }

  const refreshAll = () => parts().forEach((part) => refresh(part));

  function fetchNow(name) {
    if (busy.has(name)) {
      setTimeout(fetchNow, 100, name);
      return;
    }
    planned.delete(name);
    const part = parts().find((one) => nameOf(one) === name);
    if (part && window.htmx) window.htmx.trigger(part, "live");
  }

  /* "player" stands for player:12 and every other player of the visitor. */
  function tell(topics) {
    for (const part of parts()) {
      const mine = topicsOf(part);
      const heard = topics.filter((topic) => mine.some((one) => topic === one || topic.startsWith(`${one}:`)));
      if (heard.length) refresh(part, heard);
    }
  }

  function wanted() {
    const topics = new Set(parts().filter((part) => !sleeps(part)).flatMap(topicsOf));
    if (!topics.size) return "";
    return `/live/?${[...topics].sort().map((topic) => `topic=${encodeURIComponent(topic)}`).join("&")}`;
  }

  function hangUp() {
    clearTimeout(retryTimer);
    retryTimer = 0;
    lost ||= open;
    if (source) source.close();
    source = null;
    open = false;
    address = "";
  }

  function close() {
    hangUp();
    giveBack();
    hasSlot = false;
    group = "";
  }

  /* Connects as soon as there is a slot of the group; at once where the browser has no locks. */
  function takeSlot() {
    const since = Date.now();
    const asking = new AbortController();
    const isGivenBack = new Promise((done) => {
      giveBack = () => {
        asking.abort();
        done();
      };
    });
    const use = () => {
      if (asking.signal.aborted) return null; // has another by now, or wants none any more
      asking.abort();
      hasSlot = true;
      lost ||= Date.now() - since > 1000;
      connect();
      return isGivenBack;
    };
    const refused = (error) => error.name === "AbortError" || use();
    if (!navigator.locks) use();
    else for (const name of SLOTS[group]) navigator.locks.request(name, { signal: asking.signal }, use).catch(refused);
  }

  function connect() {
    if (retryTimer || isLeft) return;
    const next = window.EventSource ? wanted() : "";
    const needed = next && (document.hidden ? "hidden" : "seen");
    if (needed !== group) {
      close();
      group = needed;
      if (group) takeSlot();
      return;
    }
    if (!hasSlot || next === address) return;
    hangUp();
    address = next;
    const mine = new EventSource(next);
    source = mine;
    mine.addEventListener("open", () => opened());
    mine.addEventListener("error", () => failed(mine));
    mine.addEventListener("resync", refreshAll);
    mine.addEventListener("tick", () => parts().filter(isDue).forEach((part) => refresh(part)));
    mine.addEventListener("message", (event) => {
      const { topics } = JSON.parse(event.data);
      if (otherPages) otherPages.postMessage(topics);
      tell(topics);
    });
  }

  function opened() {
    open = true;
    retry = FIRST_RETRY;
    // What happened while there was no stream was not told.
    for (const part of parts()) if (lost || OWN.test(part.dataset.live)) refresh(part);
    lost = false;
  }

  /* Whether only the stream is gone, or the site: the parts' next turn to ask may be long from now. */
  function findOut() {
    if (lost) refreshAll();
  }

  /* The browser comes back by itself, unless the server refused; then we do, later and later. */
  function failed(mine) {
    if (open || !lost) setTimeout(findOut, DOUBT * (1 + Math.random()));
    open = false;
    lost = true;
    if (mine !== source || mine.readyState !== EventSource.CLOSED) return;
    close();
    const again = () => {
      retryTimer = 0;
      connect();
    };
    retryTimer = setTimeout(again, retry * (0.8 + 0.4 * Math.random()));
    retry = Math.min(LAST_RETRY, 2 * retry);
  }

  /* Only polls come without an event that triggered them. */
  document.addEventListener("htmx:confirm", (event) => {
    const part = event.detail.elt;
    if (!part.matches("[data-live]") || event.detail.triggeringEvent) return;
    if (sleeps(part) || (open && !isDue(part))) event.preventDefault();
  });
  /* Whoever searches and has hidden all pages for long is asked whether they are still there. */
  document.addEventListener("htmx:configRequest", (event) => {
    if (document.hidden) event.detail.headers["X-Page-Hidden"] = "1";
  });
  document.addEventListener("htmx:beforeSend", (event) => {
    const part = event.detail.elt;
    if (!part.matches("[data-live]")) return;
    asked.set(nameOf(part), Date.now());
    busy.add(nameOf(part));
    event.detail.xhr.addEventListener("loadend", () => busy.delete(nameOf(part)));
  });
  /* A press counts where it is released: on a button that has been exchanged meanwhile it would be lost. News of a part
     in which something is pressed wait for the release, and are then asked for anew. */
  let pressed = null;
  const waiting = new Set(); // names of parts

  function press(event) {
    if (event.type === "pointerdown" || event.key === " ") pressed = event.target;
  }

  function release(event) {
    if (!pressed || (event.type === "pointermove" && event.buttons) || (event.type === "keyup" && event.key !== " ")) return;
    pressed = null;
    // What the press does, it does first: on a touch screen the click comes a little later.
    setTimeout(() => parts().filter((part) => waiting.delete(nameOf(part))).forEach((part) => refresh(part)), 100);
  }

  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, press, true);
  // One that is released outside the window, or over a menu of the browser, is told by the next movement at the latest.
  for (const kind of ["pointerup", "pointercancel", "pointermove", "keyup"]) document.addEventListener(kind, release, true);
  window.addEventListener("blur", release);

  /* A calm part waits while somebody is in it: its links, its open details and its marked words stay what they are. */
  document.addEventListener("htmx:beforeSwap", (event) => {
    const part = event.detail.elt;
    if (part !== event.detail.target || !part.matches("[data-live]") || !event.detail.shouldSwap) return;
    const isPressed = part.contains(pressed);
    if (isPressed) waiting.add(nameOf(part));
    if (isPressed || (part.matches("[data-live-calm]") && isInUse(part))) event.detail.shouldSwap = false;
  });
  function hearOthers() {
    if (otherPages || !window.BroadcastChannel) return;
    otherPages = new BroadcastChannel("evenmatch-live");
    otherPages.addEventListener("message", (event) => {
      if (!open) tell(event.data);
    });
  }
  hearOthers();
  document.addEventListener("htmx:afterSettle", connect);
  document.addEventListener("visibilitychange", () => {
    connect();
    if (!document.hidden) refreshAll();
  });

  function leave() {
    isLeft = true; // it is told to be hidden only after this, and must not take a slot again then
    close();
    if (otherPages) otherPages.close();
    otherPages = null;
  }

  /* After the page has been loaded, too. */
  function comeBack() {
    isLeft = false;
    hearOthers();
    connect();
  }

  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", comeBack);
})();
