"""Which processes count as running."""

import subprocess

from config.embedded.processes import alive, wait_until


def test_one_that_has_ended_and_was_not_collected_runs_no_more() -> None:
    """As those that an init leaves lying: whoever waited for them would wait for ever."""
    parent = ["sh", "-c", "sleep 1 & echo $!; exec sleep 600"]  # it becomes what collects nobody
    with subprocess.Popen(parent, stdout=subprocess.PIPE, text=True) as careless:
        assert careless.stdout is not None
        ended = int(careless.stdout.readline())
        try:
            assert wait_until(lambda: not alive(ended), seconds=60)
            assert alive(careless.pid)
        finally:
            careless.kill()
    assert not alive(careless.pid)
