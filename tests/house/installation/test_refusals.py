"""Whatever keeps `bin/run` from starting is told in one clear line, with exit code 1."""

import os
import shutil
import socket
from pathlib import Path

import pytest

from config.embedded import paths
from config.embedded.paths import StartError
from config.embedded.servers import Servers
from tests.house.site import free_port, none_is_left, run_once


def refusal(data: Path, *options: str, **environ: str) -> str:
    """The words on standard error of a start that fails; on a port of its own, whatever else runs here."""
    if "--port" not in options:
        options = (*options, "--port", str(free_port()))
    done = run_once(data, *options, environ=environ)
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stderr
    assert none_is_left(data)
    return done.stderr


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a cluster in it, stopped; made where an earlier making was cut short."""
    data = tmp_path_factory.mktemp("cluster")
    left = data / "postgresql.new"
    left.mkdir()
    (left / "PG_VERSION").write_text("18\n")
    with Servers(data, valkey=False).in_use() as servers:
        assert servers.fallen() == ""
    return data


def test_an_unwritable_folder(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        data = Path("/proc/evenmatch")  # refuses even root
    else:
        data = tmp_path / "locked" / "data"
        data.parent.mkdir(mode=0o500)
    words = refusal(data)
    assert words.startswith(f"Cannot write to the data folder {data}: ")
    assert len(words.splitlines()) == 1


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "Cannot write to the data folder" in refusal(tmp_path / "file")


def test_a_taken_port(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert refusal(tmp_path, "--port", str(port)) == (
            f"Port {port} of 127.0.0.1 cannot be used: Address already in use. "
            "Choose another with --port.\n"
        )


def test_a_making_cut_short_is_begun_anew(cluster: Path) -> None:
    assert not (cluster / "postgresql.new").exists()
    assert (paths.postgres_dir(cluster) / "global" / "pg_control").exists()


def test_a_cluster_of_an_older_postgres(cluster: Path) -> None:
    version = paths.postgres_dir(cluster) / "PG_VERSION"
    ours = version.read_text()
    version.write_text("14\n")
    words = refusal(cluster)
    version.write_text(ours)
    assert "was made by PostgreSQL 14, but PostgreSQL " in words
    assert '"Upgrading PostgreSQL" in docs/operators.md' in words
    assert len(words.splitlines()) == 1


def test_a_database_that_does_not_start(cluster: Path) -> None:
    control = paths.postgres_dir(cluster) / "global" / "pg_control"
    control.rename(away := cluster / "pg_control")
    words = refusal(cluster)
    away.rename(control)
    assert words.startswith("PostgreSQL does not start; the end of ")
    assert "pg_control" in words


def test_an_address_where_nobody_answers(tmp_path: Path) -> None:
    words = refusal(
        tmp_path,
        DATABASE_URL="postgresql://nobody@%2Fnowhere/nothing",
        REDIS_URL="unix:///nowhere/valkey.sock",
    )
    assert words.startswith("PostgreSQL does not answer: ")
    assert not paths.postgres_dir(tmp_path).exists()


@pytest.mark.parametrize("port", ["0", "65536", "eighty"])
def test_a_number_that_is_no_port(tmp_path: Path, port: str) -> None:
    done = run_once(tmp_path, "--port", port)
    assert done.returncode == 2
    assert f"{port!r} is not a port: give a number from 1 to 65535" in done.stderr


def test_a_socket_folder_made_by_somebody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder open to all, a stranger could be there first to listen in."""
    monkeypatch.setattr(paths, "SHORT", tmp_path)
    data = tmp_path / ("long" * 30)
    data.mkdir()
    elsewhere = tmp_path / "theirs"
    elsewhere.mkdir()
    paths.socket_dir(data).symlink_to(elsewhere)
    with pytest.raises(StartError, match="belongs to somebody else"):
        paths.make_socket_dir(data)
    shutil.rmtree(elsewhere)
