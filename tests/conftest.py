"""The servers of a test run: real ones, started once, shared by all workers of pytest-xdist."""

import gc
import os
from collections.abc import Generator, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import django
import psycopg
import pytest
import pytest_django.fixtures
import redis
from django.db import connection
from django.utils import translation
from hypothesis import HealthCheck, settings

from config.embedded.paths import StartError
from tests import forms
from tests.clients.tools import find_typescript
from tests.end_to_end.browser import find_chromium
from tests.throwaway import throwaway

# The longest, measured, begin first, so that no worker is left alone with one at the end. Those that mostly wait are
# beside others that compute.
FIRST = (
    "house/test_checks",
    "installation/test_demo",
    "machine/test_machine",
    "hidden/test_hidden",
    "end_to_end/test_play",
    "operations/test_undo",
    "operations/test_privacy",
    "installation/test_run",
    "under_fire/test_under_fire",
    "runs/test_runs_at_once",
    "runs/test_replay_at_once",
    "sweep/test_stopped",
    "killing/test_killing",
    "installation/test_users",
    "config/test_command_line",
    "installation/test_manage",
    "demo/test_live_play",
    "web/test_streams",
    "end_to_end/test_live",
    "boards/test_standings_at_once",
    "offers/test_at_once",
    "importing/test_import_processes",
    "matches/test_reports_at_once",
    "end_to_end/test_pages",
    "hidden/test_growth",
    "house/test_header",
)
PLACES = {f"{name}.py": place for place, name in enumerate(FIRST)}
# A run says what the code does, not what luck it had: the same examples each time, however slow the machine is.
# A full run draws twice as many, and others are looked for by `bin/test --hypothesis-profile=search`.
settings.register_profile(
    "same",
    max_examples=20,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "search", parent=settings.get_profile("same"), max_examples=100, derandomize=False
)
settings.register_profile("full", parent=settings.get_profile("same"), max_examples=40)
settings.load_profile("same")
SERVERS = pytest.StashKey[ExitStack]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let whoever starts the run choose its form."""
    parser.addoption(
        "--full", action="store_true", help="try everything, as continuous integration does"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Start the servers before Django reads its settings; addresses already given are used."""
    forms.choose(full=config.option.full)
    if forms.is_full() and not config.option.hypothesis_profile:
        settings.load_profile("full")
    stack = config.stash[SERVERS] = ExitStack()
    if not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
        try:
            ours = stack.enter_context(throwaway("tests"))
        except StartError as error:
            pytest.exit(f"The servers of the tests do not start. {error}", returncode=3)
        _keep_estimates(ours["DATABASE_URL"])
        for name, value in ours.items():
            os.environ[name] = os.environ.get(name) or value
    if config.pluginmanager.hasplugin("xdist"):
        config.option.loadscopereorder = False  # else the files of the fewest tests come last
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.test"
    os.environ["EVENMATCH_SETTINGS"] = (
        ""  # the file beside manage.py is the site's of whoever works here
    )
    django.setup()
    from foundation import wakeups
    from tests.emptying import use_for_tests
    from tests.lasting import lift_limits_of_all_sessions
    from tests.template import drop_template, name_template

    # Whoever asks for the database gets one, also where only processes use it, so that no test is marked for it.
    pytest_django.fixtures._get_databases_for_setup = lambda _items: ({"default"}, set())  # type: ignore[assignment]
    use_for_tests()
    lift_limits_of_all_sessions()
    wakeups._QUIET = 0.0  # else the clock, and what the test before did, decide which are left out
    if not hasattr(config, "workerinput"):
        name_template()
        stack.callback(drop_template)


def _keep_estimates(address: str) -> None:
    """Let no vacuum note that tables are empty between two tests: plans for empty ones take seconds with full ones."""
    with psycopg.connect(address, autocommit=True) as session:
        session.execute("ALTER SYSTEM SET autovacuum = off")
        session.execute("SELECT pg_reload_conf()")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop and delete what this run started."""
    config.stash[SERVERS].close()


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """End the sessions that threads of a file have kept when its tests are over."""
    if nextitem is None or nextitem.path != item.path:
        from tests.at_once import end_threads  # needs the settings

        end_threads()


def pytest_report_header() -> list[str]:
    """Say which servers are tested against, and whether browser tests run."""
    try:
        with psycopg.connect(os.environ["DATABASE_URL"], connect_timeout=60) as connection:
            postgres = connection.info.parameter_status("server_version")
        with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
            server = client.info("server")
    except (psycopg.Error, redis.RedisError) as error:
        pytest.exit(f"The servers of the tests do not answer. {error}", returncode=3)
    valkey = server.get("valkey_version") or f"(Redis) {server['redis_version']}"
    browser = find_chromium() or "no chromium found: browser tests are left out"
    node = find_typescript() or "not installed: its client is left out"
    form = "full" if forms.is_full() else "everyday; everything is tried by --full"
    return [
        f"PostgreSQL {postgres}, Valkey {valkey}",
        f"browser: {browser}",
        f"TypeScript: {node}",
        f"form: {form}",
    ]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the longest files first. Leave tests out whose browser or node is not there, unless they are required."""
    from tests.worlds import by_world  # needs the settings

    items[:] = by_world(items)
    items.sort(key=lambda item: PLACES.get("/".join(item.path.parts[-2:]), len(PLACES)))
    if not forms.is_full():
        dear = [one for one in items if one.get_closest_marker("full")]
        _leave_those_out(config, items, [one for one in dear if not _is_named(config, one)])
    if not find_chromium():
        _leave_out("browser", "No chromium was found", "EVENMATCH_REQUIRE_BROWSER", config, items)
    if not find_typescript():
        words = "Node, or what `npm ci` installs in tests/clients/typescript, was not found"
        _leave_out("typescript", words, "EVENMATCH_REQUIRE_TYPESCRIPT", config, items)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without passes of the garbage collector, and let no later one look through what stays to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _is_named(config: pytest.Config, item: pytest.Item) -> bool:
    """Whether its file was asked for by name: whoever does that wants all of it."""
    named = (Path(config.invocation_params.dir, one.split("::")[0]) for one in config.args)
    return item.path in {one.resolve() for one in named}


def _leave_out(
    marker: str, words: str, requires: str, config: pytest.Config, items: list[pytest.Item]
) -> None:
    marked = [item for item in items if item.get_closest_marker(marker)]
    if marked and os.environ.get(requires) == "1":
        raise pytest.UsageError(f"{words}, and {requires}=1.")
    _leave_those_out(config, items, marked)


def _leave_those_out(
    config: pytest.Config, items: list[pytest.Item], left_out: list[pytest.Item]
) -> None:
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    request: pytest.FixtureRequest,
    django_db_modify_db_settings_parallel_suffix: None,
    django_db_blocker: Any,
    django_db_keepdb: bool,
) -> None:
    """Let workers copy one migrated database instead of migrating one each, where they keep none from before."""
    from tests.template import copy_template  # needs the settings

    if hasattr(request.config, "workerinput") and not django_db_keepdb:
        with django_db_blocker.unblock():
            copy_template()


@pytest.fixture(scope="module")
def _worlds(django_db_setup: None, django_db_blocker: Any) -> Iterator[Any]:
    """What stands in the database beneath the tests of a file."""
    from tests.worlds import Worlds  # needs the settings

    worlds = Worlds()
    yield worlds
    with django_db_blocker.unblock():
        worlds.clear()


@pytest.fixture
def standing(
    request: pytest.FixtureRequest, _worlds: Any, django_db_blocker: Any
) -> Iterator[Mapping[Any, Any]]:
    """What the test's shared worlds (`tests/worlds.py`) have built; they stand in the database, and no others."""
    from tests.worlds import wanted_by

    with django_db_blocker.unblock():
        yield _worlds.stand(wanted_by(request.node))


@pytest.fixture
def _django_db_helper(
    standing: Mapping[Any, Any], _django_db_helper: None, request: pytest.FixtureRequest
) -> None:
    """Begin the transaction of a test above the worlds on which it stands."""
    if standing:  # rows of a world keep their ids from test to test
        request.getfixturevalue("own_cache")


@pytest.fixture(scope="session", autouse=True)
def _signed_in_just_now() -> None:
    """Whoever is signed in past the page has typed the password just now."""
    from tests.accounts.fresh import let_count  # needs the settings

    let_count()


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Begin each test in English: the language of a request stays with its thread."""
    with translation.override("en"):
        yield


@pytest.fixture(scope="session", autouse=True)
def _nothing_written_yet() -> None:
    """Begin with no text of the site known to be written, also for fixtures that come before those of each test."""
    from accounts.texts import current  # needs the settings

    current.remember(current.SiteTexts(), for_seconds=3600)


@pytest.fixture(autouse=True)
def _nothing_written() -> Iterator[None]:
    """Leave each test, too, with no text of the site known to be written: no footer asks for one."""
    from accounts.texts import current  # needs the settings

    current.remember(current.SiteTexts(), for_seconds=3600)
    yield
    current.remember(current.SiteTexts(), for_seconds=3600)


@pytest.fixture
def no_session() -> None:
    """No session with the database, as one that another test has left; for what must do without one."""
    from django.db import connections  # needs the settings

    connections.close_all()


@pytest.fixture
def own_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache in which nothing is yet. To clear the one there is would clear it for tests that run beside this one."""
    from django.core.cache import caches  # needs the settings

    monkeypatch.setattr(caches["default"], "key_prefix", uuid4().hex)


@pytest.fixture
def declared(db: None) -> Iterator[None]:
    """Afterwards, what was published and broadcast is held against the catalogue of events."""
    yield
    from tests.events.declared import check_declared

    if not connection.needs_rollback:
        check_declared()


@pytest.fixture
def keep_pages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pages are kept as in production, but for the seconds: longer than any test takes, until it says otherwise."""
    from django.conf import settings as of_django

    from foundation import kept_pages

    monkeypatch.setattr(of_django, "PAGES_KEPT", 1000.0)
    monkeypatch.setattr(of_django, "PAGES_TRUSTED", 500.0)
    kept_pages.forget_pages()
    yield
    kept_pages.forget_pages()
