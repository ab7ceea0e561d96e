"""Has a running `bin/run` begin anew, with the release that is installed now."""

import json
import os
import signal
import time
import urllib.error
import urllib.request
from pathlib import Path

from config.embedded import paths, processes
from config.embedded.locks import FileLock
from config.embedded.paths import StartError
from config.launcher.console import say, step
from config.release import VERSION

__all__ = ["restart"]

PATIENCE = 600.0  # seconds; within them it stops, installs and starts
_SIGNAL = signal.SIGUSR1


def restart(data: Path) -> None:
    """Begin the site of this data folder anew and wait until it answers; say what to do where that is not ours to do.

    Raises StartError where it does not come up again.
    """
    lock = FileLock(paths.run_dir(data) / "site.pid")
    try:
        if lock.try_alone():
            say(
                "bin/run does not run on this data folder. Start it; where you run the processes yourself, "
                "start all of them again."
            )
            return
    finally:
        lock.close()
    pid = processes.noted(paths.run_dir(data) / "site.pid")
    if pid is None or not _takes(pid):
        say(f"Stop bin/run (process {pid or '?'}) and start it: it is of a release that cannot.")
        return
    before = _started_at(data)
    with step("Starting the site again"):
        os.kill(pid, _SIGNAL)
        end = time.monotonic() + PATIENCE
        while not (_started_at(data) > before and _answers(data)):
            if not processes.alive(pid):
                raise StartError(
                    f"bin/run has ended; why stands in {paths.log_dir(data) / 'bin-run.log'}."
                )
            if time.monotonic() > end:
                raise StartError(f"The site does not answer. Look into {paths.log_dir(data)}.")
            time.sleep(0.25)


def _takes(pid: int) -> bool:
    """Whether it does something of its own at this signal, which would end it else."""
    try:
        facts = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        caught = next(line for line in facts.splitlines() if line.startswith("SigCgt:"))
    except (OSError, StopIteration):
        return False
    return bool(int(caught.split()[1], 16) >> (_SIGNAL - 1) & 1)


def _started_at(data: Path) -> int:
    try:
        return paths.local_address_file(data).stat().st_mtime_ns
    except OSError:
        return 0


def _answers(data: Path) -> bool:
    """Whether the web server of this very release does."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        url = paths.local_address_file(data).read_text(encoding="utf-8").strip()
        with direct.open(f"{url}/health/live", timeout=10) as answer:
            return bool(json.load(answer).get("version") == VERSION)
    except (urllib.error.URLError, OSError, ValueError):
        return False
