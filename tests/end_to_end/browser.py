"""The browser on this machine: Debian's chromium, best without its windows, or one named by the environment."""

import os
import shutil

# Milliseconds. Longer than any state needs to show, also on a machine that is held up; nothing is measured by it.
PATIENCE = 120_000
# The shell first: it shows the same pages, and without windows that nobody sees takes half the processor time.
CHROMIUM_NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
)
# Quiet and offline: a test talks to the site under test and to nobody else.
CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_chromium() -> str | None:
    """Path of the browser: EVENMATCH_CHROMIUM, else the first known name on PATH, else None."""
    names = (os.environ.get("EVENMATCH_CHROMIUM") or "", *CHROMIUM_NAMES)
    return next((path for name in names if name and (path := shutil.which(name))), None)
