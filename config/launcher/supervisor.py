"""Starts the processes of the site, keeps them running, stops them in the opposite order.

A process that ends by itself is started again. One that ends for the fourth time within a minute
will not get better by that: everything stops, with one line that says which and why.
"""

import errno
import time
from collections.abc import Mapping
from pathlib import Path

from config.embedded.errors import StartError
from config.embedded.processes import cut_long_log
from config.embedded.servers import Servers
from config.free_space import FreeSpace, Shortage
from config.launcher import interrupts
from config.launcher.children import Child
from config.launcher.screen import say, step
from config.launcher.watchdog import Watchdog
from config.metric_files import fold_ended

START_SECONDS = 90.0
RESTARTS = 3
WITHIN_SECONDS = 60.0
LOOK_EVERY = 0.5
FOLD_EVERY = 10.0
REST = 5.0  # seconds between two tries while the disk is full


class Site:
    """The processes of one running site and the servers below them."""

    def __init__(
        self,
        children: list[Child],
        environ: Mapping[str, str],
        servers: Servers,
        watchdog: Watchdog,
        space: FreeSpace,
    ) -> None:
        self.children = children
        self.environ = environ
        self.servers = servers
        self.watchdog = watchdog
        self.space = space
        self._shortage: Shortage | None = None
        self.up = False
        self._server_falls: list[float] = []
        self._folded_at = 0.0

    def start(self) -> None:
        """Start all at once and wait until each answers."""
        for child in self.children:
            child.start(self.environ)
        for child in self.children:
            with step(child.name):
                self._wait_for(child)
        self.up = True

    def watch(self) -> None:
        """Look after them until an interrupt; a StartError when one cannot be kept running."""
        while True:
            time.sleep(LOOK_EVERY)
            interrupts.check()
            self._tell_of_room()
            try:
                self._look_after_all()
            except (StartError, OSError) as error:
                self._tell_of_room()
                if not self._shortage and getattr(error, "errno", None) != errno.ENOSPC:
                    raise
                time.sleep(
                    REST
                )  # nothing can be kept running without room: it is tried again until there is some

    def _look_after_all(self) -> None:
        self._look_after_servers()
        for log in (*self.servers.logs(), *(child.log for child in self.children)):
            cut_long_log(log)
        self.watchdog.look()
        for child in self.children:
            if child.ended():
                self._restart(child)
        self._fold_metrics()

    def _tell_of_room(self) -> None:
        """Say when the disk is nearly full, and when it no longer is."""
        before, self._shortage = self._shortage, self.space.shortage()
        if self._shortage and not before:
            say(str(self._shortage))
        if before and not self._shortage:
            say(f"There is room again in {before.folder}.")
            self._server_falls.clear()
            for child in self.children:
                child.starts.clear()

    def stop(self) -> None:
        """Stop all, the last started first."""
        for child in reversed(self.children):
            child.stop()

    def _wait_for(self, child: Child) -> None:
        end = time.monotonic() + START_SECONDS
        while not child.answers():
            interrupts.check()
            if child.ended():
                raise StartError(f"{child.name} ended while starting{child.last_words()}")
            if time.monotonic() > end:
                raise StartError(
                    f"{child.name} did not answer within {START_SECONDS:.0f} s{child.last_words()}"
                )
            time.sleep(0.1)

    def _restart(self, child: Child) -> None:
        code = child.process.returncode if child.process else None
        child.stop()  # what it may have left behind
        if _too_often(child.starts):
            raise StartError(f"{child.name} keeps ending (status {code}){child.last_words()}")
        say(f"{child.name} ended (status {code}); starting it again.")
        child.start(self.environ)

    def _fold_metrics(self) -> None:
        """Workers start processes of their own and end them: theirs are not in our list."""
        if time.monotonic() > self._folded_at + FOLD_EVERY:
            self._folded_at = time.monotonic()
            fold_ended(Path(self.environ["PROMETHEUS_MULTIPROC_DIR"]))

    def _look_after_servers(self) -> None:
        fallen = self.servers.fallen()
        if not fallen:
            return
        self._server_falls.append(time.monotonic())
        if _too_often(self._server_falls):
            raise StartError(f"{fallen} keeps ending. See the log folder of {self.servers.data}.")
        say(f"{fallen} ended; starting it again.")
        self.servers.start_again()


def _too_often(times: list[float]) -> bool:
    return len([at for at in times if at > time.monotonic() - WITHIN_SECONDS]) > RESTARTS
