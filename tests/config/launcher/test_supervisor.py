"""The launcher waits while there is progress, goes on whatever fails, and says why it ends."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded.paths import PROJECT, StartError
from config.embedded.processes import wait_until
from config.embedded.servers import Servers
from config.launcher import supervisor
from config.launcher.children import Child
from config.launcher.heartbeats import Heartbeats
from config.launcher.supervisor import Site
from config.launcher.watchdog import Watchdog
from config.monitoring.free_space import of_this_site
from tests.config.launcher.starving import BUSY, give_way, starved_of
from tests.house.site import environment

ENDS_BY_A_FAULT = """
import sys
from config.launcher import run
def fail(options, **more):
    raise ZeroDivisionError("of nobody's making")
run._run = fail
sys.exit(run.main(["--data-dir", sys.argv[1]]))
"""
CRASHES = ENDS_BY_A_FAULT.replace(
    'raise ZeroDivisionError("of nobody\'s making")',
    "import os, signal; os.kill(os.getpid(), signal.SIGBUS)",
)


def site_of(child: Child, data: Path) -> Site:
    signs = Heartbeats(os.environ["REDIS_URL"])
    environ = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(data)}
    servers = Servers(data, postgres=False, valkey=False)
    return Site([child], environ, servers, Watchdog(signs), of_this_site(environ))


@pytest.fixture
def starved(tmp_path: Path) -> Iterator[Child]:
    """A process that never answers, and that is kept from the processor."""
    child = Child("Somebody", list(BUSY), tmp_path / "log", lambda: False)
    with starved_of() as processor:
        child.start(os.environ)
        assert child.process is not None
        give_way(child.process.pid, processor)
        yield child
        child.kill()
        child.process.wait()


def test_a_start_that_is_slow_because_of_others_is_waited_for(
    starved: Child, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It answers after longer than one that hangs is given."""
    monkeypatch.setattr(supervisor, "START_SECONDS", 2.0)
    answers_at = time.monotonic() + 3.0
    starved.answers = lambda: time.monotonic() > answers_at
    site_of(starved, tmp_path)._wait_for(starved)


def test_a_start_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "START_SECONDS", 0.5)
    child = Child("Somebody", ["sleep", "600"], tmp_path / "log", lambda: False)
    child.start(os.environ)
    try:
        with pytest.raises(StartError, match="Somebody did not answer within"):
            site_of(child, tmp_path)._wait_for(child)
    finally:
        child.stop()


def test_one_that_ends_again_and_again_is_started_less_and_less_often(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And nothing else is stopped because of it: what hinders it may pass."""
    child = Child("Somebody", ["sh", "-c", "echo why; exit 1"], tmp_path / "log", lambda: True)
    site = site_of(child, tmp_path)
    child.start(site.environ)
    for _ in range(3):
        assert wait_until(child.ended, seconds=60)
        site._look_after_children()
    assert child.due_at > 0.0
    assert capsys.readouterr().out.splitlines()[:3] == [
        "Somebody ended (status 1); starting it again.",
        "Somebody ended (status 1); starting it again.",
        f"Somebody keeps ending (status 1); starting it again in 1 s; the end of {child.log}:",
    ]
    child.due_at = 0.0
    site._look_after_children()
    assert wait_until(lambda: child.process is not None and child.ended(), seconds=60)


def test_what_fails_is_said_once_and_tried_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    child = Child("Somebody", ["true"], tmp_path / "no folder" / "log", lambda: True)
    site = site_of(child, tmp_path)
    for _ in range(3):
        site._do(site._look_after_children)
    said = capsys.readouterr().out
    assert said.count("No such file or directory") == 1, said


def test_the_end_of_a_log_is_said_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is another one each time: of a server that finds no room, one that says so once more."""
    child = Child("Somebody", ["true"], tmp_path / "log", lambda: True)
    site = site_of(child, tmp_path)
    numbers = iter(range(6))

    def fail() -> None:
        raise StartError(f"It does not start:\n  line {next(numbers)}\n  the same again")

    for _ in range(3):
        site._do(fail)
    assert capsys.readouterr().out == "StartError: It does not start:\n  line 0\n  the same again\n"
    monkeypatch.setattr(supervisor, "SAY_EVERY", -1.0)
    for _ in range(2):
        site._do(fail)
    assert capsys.readouterr().out == 2 * "StartError: It does not start:\n"


LAST = 'trap "echo web >> $0; exit" TERM; touch $0.0; while :; do sleep 0.1; done'
TOGETHER = """
trap "touch $1.asked; until [ -e $2.asked ]; do sleep 0.1; done; echo other >> $0; exit" TERM
touch $1
while :; do sleep 0.1; done
"""


def test_all_others_are_asked_to_end_at_once_and_the_web_server_after_them(tmp_path: Path) -> None:
    """Each of the others ends only when the next one has been asked, too."""
    ended, log = tmp_path / "ended", tmp_path / "log"
    one, two = f"{ended}.1", f"{ended}.2"
    site = site_of(Child("Web", ["sh", "-c", LAST, str(ended)], log, lambda: True), tmp_path)
    for mine, other in ((one, two), (two, one)):
        command = ["sh", "-c", TOGETHER, str(ended), mine, other]
        site.children.append(Child("Somebody", command, log, lambda: True))
    for child in site.children:
        child.start(os.environ)
    ready = [Path(f"{ended}.{number}") for number in range(3)]
    assert wait_until(lambda: all(sign.exists() for sign in ready), seconds=60)
    site.stop()
    assert ended.read_text().splitlines() == ["other", "other", "web"]


def run(code: str, data: Path, **files: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, str(data)],
        cwd=PROJECT,
        env=environment(),
        stdout=files.get("stdout", subprocess.PIPE),
        stderr=files.get("stderr", subprocess.PIPE),
        text=True,
        check=False,
    )


def test_a_fault_of_its_own_is_its_last_line(tmp_path: Path) -> None:
    last = "Evenmatch ends because of a fault of its own: ZeroDivisionError: of nobody's making"
    done = run(ENDS_BY_A_FAULT, tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == last
    assert (tmp_path / "log" / "bin-run.log").read_text().endswith(f"{last}\n")


def test_who_cannot_write_anywhere_goes_on(tmp_path: Path) -> None:
    """As on a full disk: what cannot be said is lost, and nothing else."""
    with Path("/dev/full").open("w") as full:
        done = run(ENDS_BY_A_FAULT, tmp_path, stdout=full.fileno(), stderr=full.fileno())
        said = "from config.launcher.console import say; say('nobody hears'); raise SystemExit(7)"
        assert run(said, tmp_path, stdout=full.fileno(), stderr=full.fileno()).returncode == 7
    assert done.returncode == 1
    assert "ZeroDivisionError" in (tmp_path / "log" / "bin-run.log").read_text()


def test_also_one_that_the_system_ends_says_a_word(tmp_path: Path) -> None:
    assert "Fatal Python error: Bus error" in run(CRASHES, tmp_path).stderr
