"""A site goes to servers of its own and back, whole, or stays where it is."""

import os
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from accounts.models import User
from config.backup import move as moving
from config.backup.manifest import BadBackupError
from config.embedded import paths
from config.embedded.paths import StartError
from config.embedded.servers import Servers
from tests.leaderboards.site import make_site

pytestmark = pytest.mark.django_db(transaction=True)
CHANGES = "SELECT count(*), md5(string_agg(c::text, ',' ORDER BY id)) FROM ratings_ratingchange c"


@pytest.fixture
def target() -> Iterator[str]:
    """An empty database beside that of the tests."""
    name, address = f"evenmatch_{uuid4().hex[:12]}", os.environ["DATABASE_URL"]
    with psycopg.connect(address, autocommit=True) as session:
        session.execute(f"CREATE DATABASE {name}")
    yield f"{address.rpartition('/')[0]}/{name}"
    with psycopg.connect(address, autocommit=True) as session:
        session.execute(f"DROP DATABASE {name} WITH (FORCE)")


def ask(address: str, query: str = CHANGES) -> tuple[object, ...]:
    with psycopg.connect(address) as session:
        return tuple(session.execute(query).fetchone() or ())


def said_by(*words: str) -> str:
    out = StringIO()
    call_command("move", *words, stdout=out)
    return out.getvalue()


@pytest.mark.full
def test_there_and_back(
    target: str, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = data = tmp_path / "data"
    data.mkdir()
    site = make_site(system="elo", days=None)
    site.rate(day=20)
    User.objects.create_user("ann", password="an old door")
    with connection.cursor() as cursor:
        cursor.execute(CHANGES)
        before = cursor.fetchone()
    assert before[0] > 0

    # One that is cut short changes nothing, and is begun again.
    def torn(*_: object) -> None:
        raise BadBackupError("Nothing was changed. The cable.")

    with monkeypatch.context() as patched:
        patched.setattr(moving, "restore", torn)
        with pytest.raises(CommandError, match=r"Nothing was moved.*The cable"):
            said_by("--database", target)
    assert ask(target, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == (0,)
    assert not (data / "moved-to").exists()
    with psycopg.connect(target), pytest.raises(CommandError, match="is in use by 1 other session"):
        said_by("--database", target)

    said = said_by("--database", target, "--redis", os.environ["REDIS_URL"])
    assert "each counted and hashed on both sides" in said
    assert f'database_url = "{target}"' in said
    assert f'redis_url = "{os.environ["REDIS_URL"]}"' in said
    assert ask(target) == before
    assert User.objects.filter(username="ann").exists()  # what was here is left
    assert list(data.glob("backup-at-work-*")) == []

    # The copy that is left does not come alive beside the site.
    with pytest.raises(StartError, match="was moved to postgresql://"), Servers(data).in_use():
        pass
    with pytest.raises(CommandError, match=r"not empty: 1 in user.*say --replace"):
        said_by("--database", target)
    said_by("--database", target, "--replace")

    # Nor while it comes back: where that is cut short, the site is still elsewhere.
    monkeypatch.setenv("DATABASE_URL", target)
    with monkeypatch.context() as patched:
        patched.setattr(moving, "restore", torn)
        with pytest.raises(CommandError, match=r"Nothing was moved.*The cable"):
            said_by("--embedded")
    with pytest.raises(StartError, match="was moved to postgresql://"), Servers(data).in_use():
        pass
    said = said_by("--embedded")
    assert "take DATABASE_URL and REDIS_URL out of" in said
    with Servers(data, valkey=False).in_use():
        assert ask(paths.database_url(data)) == before


def test_what_cannot_be_is_refused_with_what_would_help(
    target: str, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    here = "postgresql://{USER}@{HOST}:{PORT}/{NAME}".format(
        **{**connection.settings_dict, "HOST": connection.settings_dict["HOST"].replace("/", "%2F")}
    )
    for words, options in (
        ("is the database that the site has now", ["--database", here]),
        ("DATABASE_URL is .*must be like postgresql://", ["--database", "mysql://me:hid@x/y"]),
        ("does not answer", ["--database", "postgresql://me:hidden@127.0.0.1:1/x"]),
        ("does not answer", ["--database", target, "--redis", "redis://127.0.0.1:1/0"]),
        ("no --redis", ["--embedded", "--redis", "redis://127.0.0.1:1/0"]),
    ):
        with pytest.raises(CommandError, match=words) as refusal:
            said_by(*options)
        assert "hidden" not in str(refusal.value)
    with psycopg.connect(target, autocommit=True) as session:
        session.execute("CREATE ROLE stranger_of_the_tests LOGIN")
        try:
            address = target.replace("evenmatch@", "stranger_of_the_tests@", 1)
            with pytest.raises(CommandError, match=r"ALTER DATABASE .* OWNER TO stranger_of"):
                said_by("--database", address)
        finally:
            session.execute("DROP ROLE stranger_of_the_tests")
