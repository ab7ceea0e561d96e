"""What a start makes of one before it that was killed, and of its own processes that are killed meanwhile."""

import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from config.embedded.paths import PROJECT, StartError
from config.launcher.children import Child
from config.launcher.options import Options, read_options, refuse_taken_port
from config.launcher.run import _only_copy
from tests.config.launcher.test_supervisor import site_of
from tests.house.site import environment

# Killed so many times as there are lines missing in a file, then it stays.
KILLED_AT_FIRST = """
echo started >> {notes}
if [ $(wc -l < {notes}) -le {kills} ]; then kill -9 $$; fi
exec sleep 600
"""

# Says for how many seconds a start would wait for its port, and ends.
TELLS_ITS_PATIENCE = """
import sys
from config.launcher import run
def refuse(options, *, patience):
    raise run.StartError(f"{patience:g}")
run.refuse_taken_port = refuse
sys.exit(run.main(["--data-dir", sys.argv[1]]))
"""


def on_port(port: int, data: Path) -> Options:
    return read_options(["--data-dir", str(data), "--port", str(port)], {})


def killed_at_first(folder: Path, kills: int) -> Child:
    notes = folder / "notes"
    script = KILLED_AT_FIRST.format(notes=notes, kills=kills)
    log = folder / "log"
    log.write_text("words of an earlier run\n")
    return Child(
        "Somebody",
        ["/bin/sh", "-c", script],
        log,
        lambda: notes.exists() and len(notes.read_text().splitlines()) > kills,
    )


def test_a_port_that_becomes_free_is_waited_for_after_a_kill(tmp_path: Path) -> None:
    taken = socket.create_server(("127.0.0.1", 0))
    options = on_port(taken.getsockname()[1], tmp_path)
    with pytest.raises(StartError, match="Address already in use"):
        refuse_taken_port(options)
    threading.Timer(0.5, taken.close).start()
    refuse_taken_port(options, patience=60)


def test_a_start_knows_whether_the_one_before_was_killed(tmp_path: Path) -> None:
    options = on_port(8000, tmp_path)
    with _only_copy(options) as was_killed:
        assert not was_killed
        mark = (tmp_path / "run" / "site.pid").read_text()
        assert mark == f"{os.getpid()}\n"
    with suppress(KeyError), _only_copy(options):
        raise KeyError
    with _only_copy(options) as was_killed:
        assert not was_killed
    (tmp_path / "run" / "site.pid").write_text(mark)  # as a kill leaves it
    with _only_copy(options) as was_killed:
        assert was_killed


def test_only_a_start_after_a_kill_waits_for_the_port(tmp_path: Path) -> None:
    def patience() -> str:
        command = [sys.executable, "-c", TELLS_ITS_PATIENCE, str(tmp_path)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=PROJECT, env=environment()
        )
        return done.stderr.strip()

    assert patience() == "0"
    (tmp_path / "run" / "site.pid").write_text("12345\n")  # as a kill leaves it
    assert patience() == "10"
    assert patience() == "0"  # that one ended by itself


def test_a_process_that_is_killed_while_it_starts_is_started_again(tmp_path: Path) -> None:
    child = killed_at_first(tmp_path, kills=2)
    site = site_of(child, tmp_path)
    try:
        site.start()
        assert not child.ended()
    finally:
        child.stop()


def test_one_that_is_killed_again_and_again_is_told_with_its_own_words_alone(
    tmp_path: Path,
) -> None:
    child = killed_at_first(tmp_path, kills=3)
    with pytest.raises(StartError) as refusal:
        site_of(child, tmp_path).start()
    assert str(refusal.value) == (
        "Somebody ended while starting (status -9, 3 times; the system kills where memory is short)"
    )
