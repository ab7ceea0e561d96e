"""Root and ordinary users, short and long folders."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded import paths
from config.embedded.binaries import postgres_programs
from config.embedded.privileges import NOBODY, unprivileged_prefix
from tests.house.confined import AS_NOBODY, IN_A_CONTAINER
from tests.house.site import (
    ONE_PROCESS,
    Site,
    copy_project,
    environment,
    none_is_left,
    processes_of,
)

PRINT_OWNER = (sys.executable, "-m", "tests.house.installation.owner")
LONG = "a-long-folder-name-" * 6


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users can reach, which pytest's own are not."""
    folder = Path(tempfile.mkdtemp(prefix="evenmatch-users-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.full
def test_an_ordinary_user_in_a_long_path_with_spaces(open_folder: Path) -> None:
    project = copy_project(open_folder / "a project with spaces")
    data = project / LONG / "the data"
    prefix: tuple[str, ...] = ()
    if os.geteuid() == 0:
        prefix = AS_NOBODY
        subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", str(project)], check=True)
    site = Site(
        data, "--no-workers", project=project, prefix=prefix, environ=ONE_PROCESS | {"HOME": "/"}
    )
    try:
        site.wait_until_up()
        assert site.is_well("/health/ready")
        assert 0 not in {process.uid for process in processes_of(data)}
        sockets = paths.socket_dir(data)
        assert not sockets.is_relative_to(data)
        assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
        key = data / "secret_key"
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
        assert site.stop() == 0
        assert none_is_left(data)
        assert not sockets.exists()
    finally:
        site.close()


@pytest.mark.full
def test_postgres_never_runs_as_root_without_namespaces(open_folder: Path) -> None:
    """Where the kernel refuses user namespaces, `nobody` owns the cluster; again at a second start."""
    if os.geteuid() != 0:
        cluster = paths.postgres_dir(open_folder)
        assert unprivileged_prefix([], owned=cluster, programs=postgres_programs()) == []
        return
    tools = open_folder / "tools"  # all that is needed, and no unshare
    tools.mkdir()
    for name in ("setpriv", "test", "sh"):
        (tools / name).symlink_to(shutil.which(name) or name)
    data = open_folder / "data"
    reachable = subprocess.run(
        [*AS_NOBODY[:4], "test", "-x", str(postgres_programs())], check=False
    )
    for _ in range(2):
        done = subprocess.run(
            [*PRINT_OWNER, str(data)],
            cwd=paths.PROJECT,
            env=environment(PATH=str(tools)),
            capture_output=True,
            text=True,
            check=False,
        )
        expected = f"{NOBODY}\n" if reachable.returncode == 0 else "refused\n"
        assert done.stdout == expected, done.stdout + done.stderr
    assert none_is_left(data)


@pytest.mark.full
def test_root_in_a_container_finds_postgresql_and_starts_it_again(open_folder: Path) -> None:
    """Where root may neither look into other users' processes nor make namespaces."""
    data = open_folder / "data"
    done = subprocess.run(
        [*(IN_A_CONTAINER if os.geteuid() == 0 else ()), *PRINT_OWNER, str(data), "--kill"],
        cwd=paths.PROJECT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout in (
        {f"{NOBODY}\n", "refused\n"} if os.geteuid() == 0 else {f"{os.geteuid()}\n"}
    ), done
    assert none_is_left(data)
