"""Starts the processes of the site, keeps them running, stops them: the web server comes first and goes last.

A process that ends by itself is started again, once the site is up for as long as it takes: at once, and if it ends
again and again soon after its start, after longer and longer waits. What hinders it, a full disk perhaps, may pass.
"""

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from config.embedded.paths import StartError
from config.embedded.processes import cut_long_log
from config.embedded.servers import Servers
from config.launcher import interrupts
from config.launcher.children import Child
from config.launcher.console import say, step
from config.launcher.orphans import collect
from config.launcher.process_time import ProcessTime
from config.launcher.watchdog import Watchdog
from config.monitoring.free_space import FreeSpace, Shortage
from config.monitoring.metric_files import fold_ended

START_SECONDS = 90.0  # of its own, see config.launcher.process_time
LOOK_EVERY = 0.25
FOLD_EVERY = 10.0
SAY_EVERY = 60.0
FORGOTTEN_AFTER = 600.0  # seconds after which something is told anew from the beginning
SOON = 10.0  # seconds; whoever ends later than that after its start was well in between
AT_ONCE = 2  # falls after which the next start is not put off
LONGEST_WAIT = 30.0
KILLED = -9
KILLS_WHILE_STARTING = 2  # after which a start is begun anew


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
        self._servers_due_at = 0.0
        self._servers_failed = 0
        self._folded_at = 0.0
        self._said_at: dict[str, float] = {}

    def start(self) -> None:
        """Start the web server and wait until it answers, then all others at once: visitors need not wait for those."""
        first, *others = self.children
        for together in ([first], others):
            for child in together:
                child.start(self.environ)
            for child in together:
                with step(child.name):
                    self._wait_for(child)
        self.up = True

    def watch(self) -> None:
        """Look after them until an interrupt. Nothing that goes wrong keeps it from the rest, or from going on."""
        while True:
            time.sleep(LOOK_EVERY)
            interrupts.check()
            for duty in (
                self._tell_of_room,
                self._look_after_servers,
                self._look_after_children,
                self.watchdog.look,
                self._cut_logs,
                self._fold_metrics,
            ):
                self._do(duty)

    def _tell_of_room(self) -> None:
        """Say when the disk is nearly full, and when it no longer is."""
        before, self._shortage = self._shortage, self.space.shortage()
        if self._shortage and not before:
            say(str(self._shortage))
        if before and not self._shortage:
            say(f"There is room again in {before.folder}.")
            self._servers_due_at = 0.0
            for child in self.children:
                child.due_at = 0.0

    def stop(self) -> None:
        """Stop all others at once, as they were started, then the web server, to which some say goodbye."""
        first, *others = self.children
        for child in others:
            child.ask_to_end()
        for child in others:
            child.see_to_end()
        first.stop()

    def _do(self, duty: Callable[[], None]) -> None:
        """Do it; where it fails say why, once a minute, and try again at the next look."""
        try:
            duty()
        except Exception as error:
            text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            if not isinstance(error, StartError):
                text = f"Looking after: {text}"
            # The end of a log below it is another one each time, and told only once.
            now, head = time.monotonic(), text.partition("\n")[0]
            before = self._said_at.get(head)
            if before is None or now > before + SAY_EVERY:
                self._said_at = {head: now} | {
                    said: at for said, at in self._said_at.items() if at > now - FORGOTTEN_AFTER
                }
                say(text if before is None else head)

    def _wait_for(self, child: Child) -> None:
        """Wait as long as it makes progress: its patience is counted in time of its own."""
        clock, used = ProcessTime(child.process.pid if child.process else 0), 0.0
        kills = 0
        while not child.answers():
            interrupts.check()
            if child.ended():
                code = child.process.returncode if child.process else 0
                if code == KILLED and kills < KILLS_WHILE_STARTING:  # it has not failed
                    kills += 1
                    child.stop()  # what it may have left behind
                    child.start(self.environ)
                    clock = ProcessTime(child.process.pid if child.process else 0)
                    continue
                why = f"status {code}"
                if code == KILLED:
                    why += f", {kills + 1} times; the system kills where memory is short"
                raise StartError(f"{child.name} ended while starting ({why}){child.last_words()}")
            used += clock.passed()
            if used > START_SECONDS:
                raise StartError(
                    f"{child.name} did not answer within {START_SECONDS:.0f} s{child.last_words()}"
                )
            time.sleep(0.1)

    def _look_after_children(self) -> None:
        for child in self.children:
            if child.ended():
                self._restart(child)
        collect({child.process.pid for child in self.children if child.process})

    def _restart(self, child: Child) -> None:
        now = time.monotonic()
        if child.process is not None:
            code = child.process.returncode
            child.stop()  # what it may have left behind
            child.process = None
            child.falls = child.falls + 1 if now < child.started_at + SOON else 1
            wait = _wait_after(child.falls)
            if code == KILLED:  # it has not failed
                wait = min(wait, 1.0)
            child.due_at = now + wait
            if wait:
                words = child.last_words() if child.falls == AT_ONCE + 1 else ""
                say(
                    f"{child.name} keeps ending (status {code}); "
                    f"starting it again in {wait:.0f} s{words}"
                )
            else:
                say(f"{child.name} ended (status {code}); starting it again.")
        if now >= child.due_at:
            child.start(self.environ)

    def _cut_logs(self) -> None:
        for log in (*self.servers.logs(), *(child.log for child in self.children)):
            cut_long_log(log)

    def _fold_metrics(self) -> None:
        """Workers start processes of their own and end them: theirs are not in our list."""
        if time.monotonic() > self._folded_at + FOLD_EVERY:
            self._folded_at = time.monotonic()
            fold_ended(Path(self.environ["PROMETHEUS_MULTIPROC_DIR"]))

    def _look_after_servers(self) -> None:
        now = time.monotonic()
        fallen = self.servers.fallen() if now >= self._servers_due_at else ""
        if not fallen:
            return
        say(f"{fallen} ended; starting it again.")
        try:
            self.servers.start_again()
        except Exception:
            self._servers_failed += 1
            self._servers_due_at = time.monotonic() + _wait_after(AT_ONCE + self._servers_failed)
            raise
        self._servers_failed = 0


def _wait_after(falls: int) -> float:
    """Seconds to wait before the next start after so many falls in a row."""
    return min(LONGEST_WAIT, 2.0 ** (falls - AT_ONCE - 1)) if falls > AT_ONCE else 0.0
