"""The header names the servers; a run without them fails."""

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from config.embedded.paths import PROJECT
from config.embedded.processes import wait_until


def run_pytest(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(
        command, cwd=PROJECT, env=os.environ | environ, capture_output=True, text=True, check=False
    )


@pytest.mark.full
def test_the_header_names_both_servers() -> None:
    done = run_pytest("--collect-only", "-q", "-v", __file__)
    assert "PostgreSQL 1" in done.stdout, done.stdout
    assert ", Valkey " in done.stdout


def test_a_run_whose_servers_do_not_answer_fails() -> None:
    done = run_pytest(__file__, DATABASE_URL="postgresql://nobody@%2Fnowhere/nothing")
    assert done.returncode == 3, done.stdout
    assert "The servers of the tests do not answer." in done.stdout + done.stderr


@pytest.mark.full
def test_killing_the_run_takes_the_servers_along(tmp_path: Path) -> None:
    """The guard sees its input close, stops both and deletes the folder."""
    environ = os.environ | {"TMPDIR": str(tmp_path)}
    program = "import time; from tests.throwaway import throwaway as t\n"
    program += "with t('tests') as words: print(words['DATABASE_URL'], flush=True); time.sleep(600)"
    command = [sys.executable, "-c", program]
    with subprocess.Popen(
        command, cwd=PROJECT, env=environ, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        address = run.stdout.readline().strip()
        psycopg.connect(address).close()
        run.kill()
    assert wait_until(lambda: not any(tmp_path.iterdir()), seconds=60)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(address)
