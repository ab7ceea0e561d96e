"""`bin/run` from its first line to its last."""

import faulthandler
import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from config.embedded import paths
from config.embedded.locks import FileLock
from config.embedded.paths import StartError
from config.embedded.servers import Servers, prepare_folder
from config.launcher import children, console, interrupts, steps
from config.launcher.children import Child
from config.launcher.heartbeats import Heartbeats
from config.launcher.options import Options, read_options, refuse_taken_port
from config.launcher.orphans import adopt, end_left_behind
from config.launcher.supervisor import Site
from config.launcher.watchdog import Watchdog
from config.monitoring.free_space import of_this_site
from config.settings.environment import check_settings, misspelled_settings
from config.settings.settings_file import (
    drop_from_file,
    take_settings_file,
    who_else_may_read,
)
from config.workers.task_queues import WORKERS

INTERRUPTED = 130
# What a file says of the site itself, and not of a demo beside it.
OF_THE_SITE = ("DATABASE_URL", "REDIS_URL", "EVENMATCH_PUBLIC_URL")


def main(arguments: list[str]) -> int:
    """Run until told to stop; 0 after a clean stop, 1 with one clear line on standard error.

    Told to begin anew (SIGUSR1, which `bin/upgrade` sends), it stops and becomes a new start with the same arguments.
    """
    as_it_came = dict(os.environ)
    try:
        if not {"--version", "--help", "-h"} & set(arguments):
            take_settings_file(os.environ)
    except StartError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    options = read_options(arguments, os.environ)
    if options.demo:
        drop_from_file(os.environ, OF_THE_SITE)
    code = _start(options)
    if interrupts.restart_is_wanted():
        console.say("Starting again…")
        interrupts.leave()
        command = [str(paths.PROJECT / "bin" / "run"), *arguments]
        os.execve(command[0], command, as_it_came)  # noqa: S606 - no shell is wanted
    return code


def _start(options: Options) -> int:
    last_words = paths.log_dir(options.data) / "bin-run.log"
    faulthandler.enable()  # also where the system ends us, for a fault of memory or of a mapped file: a word why
    interrupts.take()
    try:
        check_settings(options.environment(os.environ))
        for sentence in (*misspelled_settings(os.environ), *who_else_may_read(os.environ)):
            console.say(sentence)
        with _only_copy(options) as was_killed:
            code = _run(options, was_killed=was_killed)
        console.say("Stopped.")
    except StartError as error:
        console.say_last(str(error), last_words)
        return 1
    except KeyboardInterrupt:
        console.say("Stopped.")
        return INTERRUPTED
    except Exception as error:
        console.say_last(traceback.format_exc().rstrip(), last_words)
        console.say_last(
            f"Evenmatch ends because of a fault of its own: {type(error).__name__}: {error}",
            last_words,
        )
        return 1
    return code


def _run(options: Options, *, was_killed: bool) -> int:
    adopt()
    if left := end_left_behind(options.data):
        console.say(f"Ended {left} processes that an earlier start left behind.")
    # What was killed and still dies can't be found any more, but holds the port for a moment.
    refuse_taken_port(options, patience=10.0 if was_killed else 0.0)
    environ = options.environment(os.environ)
    servers = Servers.wanted(options.data, environ)
    with servers.in_use(console.step):
        paths.address_file(options.data).write_text(
            environ["EVENMATCH_PUBLIC_URL"], encoding="utf-8"
        )
        paths.local_address_file(options.data).write_text(options.local_url, encoding="utf-8")
        redis_url = environ.get("REDIS_URL") or paths.redis_url(options.data)
        database_url = environ.get("DATABASE_URL") or paths.database_url(options.data)
        steps.check_servers(database_url, redis_url)
        steps.clear_metrics(Path(environ["PROMETHEUS_MULTIPROC_DIR"]))
        if not steps.tables_are_current(options.data, database_url):
            with console.step("Updating the tables"):
                steps.manage(["migrate", "--no-input"], environ)
                steps.note_current_tables(options.data, database_url)
        if options.demo and not steps.demo_season_is_made(database_url):
            with console.step("Season of the demo"):
                steps.manage(["demo_season"], environ)
        if steps.static_files_changed(options.data):
            with console.step("Collecting static files"):
                steps.collect_static(options.data, environ)
        signs = Heartbeats(redis_url)
        processes = _children(options, signs, environ)
        watchdog = Watchdog.over(processes, signs)
        site = Site(processes, environ, servers, watchdog, of_this_site(environ))
        try:
            site.start()
            console.show_welcome(options, environ["EVENMATCH_PUBLIC_URL"], environ)
            site.watch()
        except KeyboardInterrupt:
            console.say("\nStopping…")
            return 0 if site.up else INTERRUPTED
        finally:
            site.stop()
    return 0


def _children(options: Options, signs: Heartbeats, environ: Mapping[str, str]) -> list[Child]:
    """What to start, in order; they are stopped the other way round."""
    log, run = paths.log_dir(options.data), paths.run_dir(options.data)
    site = [children.web(log, options.local_url)]
    if options.workers:
        signs.forget_beat()
        site += [
            children.worker(
                log,
                queue,
                index,
                node := signs.node(queue, index),
                at_once,
                partial(signs.worker_answers, node),
            )
            for queue, (number, at_once) in WORKERS.items()
            for index in range(1, number + 1)
        ]
        site.append(children.beat(log, run, signs.beat_answers))
    if options.workers and environ.get("EVENMATCH_LOG_PORT", "0") not in {"", "0"}:
        site.append(children.log_receiver(log, run))
    if options.demo and options.workers:
        site.append(children.players(log, run, options.local_url))
    return site


@contextmanager
def _only_copy(options: Options) -> Iterator[bool]:
    """Refuse a second copy on one data folder; gives whether the one before was killed.

    The lock ends with us, so no pid file gets stale.
    """
    prepare_folder(options.data)
    lock = FileLock(paths.run_dir(options.data) / "site.pid")
    try:
        if not lock.try_alone():
            who = lock.path.read_text().strip() or "?"
            raise StartError(
                f"Evenmatch already runs on the data folder {options.data} (process {who}). "
                "Stop it first, or choose another with --data-dir and --port."
            )
        was_killed = lock.path.read_text().strip() != ""
        lock.path.write_text(f"{os.getpid()}\n")
        try:
            yield was_killed
        finally:
            with suppress(OSError):  # a full disk
                lock.path.write_text("")
    finally:
        lock.close()
