"""Folders in which backups lie open for a while."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pytest_django import Settings

from config.backup.schedule import back_up_if_due
from config.backup.work_folder import work_folder
from config.embedded.paths import PROJECT

pytestmark = pytest.mark.django_db
_HOLD = """
import sys, time
from pathlib import Path
from django.conf import settings
settings.configure(DATA_DIR=Path(sys.argv[1]))
from config.backup.work_folder import work_folder
with work_folder() as folder:
    (folder / "site.zip").write_text("all of it")
    print(folder, flush=True)
    time.sleep(60)
"""


def test_what_a_killed_one_has_left_goes_and_what_is_in_use_stays(
    tmp_path: Path, settings: Settings
) -> None:
    settings.DATA_DIR = tmp_path
    settings.BACKUP_DIR = ""
    command = [sys.executable, "-c", _HOLD, str(tmp_path)]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        left = Path(other.stdout.readline().strip())
        long_ago = time.time() - 3600.0
        os.utime(left, (long_ago, long_ago))
        back_up_if_due()
        assert (left / "site.zip").read_text() == "all of it"
        other.send_signal(signal.SIGKILL)
        other.wait()
    with work_folder() as own:
        os.utime(own, (long_ago, long_ago))
        assert not left.exists()
        back_up_if_due()
        assert own.is_dir()
    assert not list(tmp_path.glob("backup-at-work-*"))
