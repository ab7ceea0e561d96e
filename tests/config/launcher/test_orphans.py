"""What a launcher that was killed leaves behind is ended by the next; what others run on the folder is not."""

import subprocess
import sys
from pathlib import Path

from config.embedded.paths import PROJECT
from config.embedded.processes import alive
from config.launcher.orphans import MARK, end_left_behind
from tests.house.site import environment

COLLECTS = """
import subprocess, time
from config.launcher import orphans
orphans.adopt()
known = subprocess.Popen(["sleep", "600"])
subprocess.run(["sh", "-c", "sleep 0.1 & sleep 0.1 &"])  # nobody's, once their parent has ended
def children():
    import psutil
    return sorted(child.status() for child in psutil.Process().children())
end = time.monotonic() + 60
while children() != ["sleeping"] and time.monotonic() < end:
    orphans.collect({known.pid})
    time.sleep(0.05)
print(*children())
known.kill()
known.wait()
"""


def test_only_what_a_launcher_started_on_this_folder_is_ended(tmp_path: Path) -> None:
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    here.mkdir()
    told = {"EVENMATCH_DATA_DIR": str(here)}
    marks = [{MARK: str(here.resolve())}, {MARK: str(elsewhere)}, {}]
    started = [
        subprocess.Popen(["sleep", "600"], env=environment(**told, **mark)) for mark in marks
    ]
    try:
        assert end_left_behind(here) == 1
        assert [alive(process.pid) for process in started] == [False, True, True]
        assert end_left_behind(here) == 0
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_the_dead_that_nobody_else_collects_are_collected() -> None:
    """As in a container, where nobody else may do it: they would be taken for living ones."""
    done = subprocess.run(
        [sys.executable, "-c", COLLECTS],
        cwd=PROJECT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "sleeping\n", done.stderr
