"""Worlds that stand in the database for a whole module: built once, and handed to each test as if they were new.

    @shared
    def site() -> Site:
        \"\"\"Four players who met each other.\"\"\"
        return make_site()

    @shared
    def rated(site: Site) -> Site:
        \"\"\"On top of it, in a savepoint of its own.\"\"\"
        site.rate(day=9)
        return site

    def test_one(site: Site) -> None: ...

It is used like any fixture, in a file of tests or a conftest.py. All is built in one transaction that stays open from
test to test; each test runs in a savepoint and gets copies of the objects, so what it changes is gone after it. Tests
that stand on the same worlds run one after the other; one that stands on none finds an empty database.

What a test should know: only shared worlds may be parameters of one. Tests that commit (`transaction=True`) cannot have
one. `now()` of the database is the moment at which the module began. Each test has a cache of its own, for rows keep
their ids. What objects hold besides (files, threads, connections) must be fit to be copied.
"""

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from inspect import Parameter, Signature, signature
from typing import Any, NamedTuple, TypeVar

import pytest
from django.db import connection, transaction
from django.utils import translation

__all__ = ["Worlds", "by_world", "shared", "wanted_by"]

_World = TypeVar("_World")
_Maker = Callable[..., Any]
_MAKES = "makes_world"
# In the order in which they were declared: one that stands on another after it.
_places: dict[_Maker, int] = {}


def shared(make: Callable[..., _World]) -> Any:
    """Declare a fixture that is built once for each module, from nothing or from other shared ones."""

    def hand_out(standing: dict[_Maker, Any], db: None, **_beneath: Any) -> _World:
        if make not in standing:
            pytest.fail(
                f"The shared {make.__name__} is for tests that name it (or a fixture upon it) as a parameter, and"
                " that do not commit. Others build their own."
            )
        found: _World = standing[make]
        return found

    names = ("standing", "db", *signature(make).parameters)
    hand_out.__signature__ = Signature(  # type: ignore[attr-defined]
        [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names]
    )
    hand_out.__doc__, hand_out.__module__ = make.__doc__, make.__module__
    setattr(hand_out, _MAKES, make)
    _places[make] = len(_places)
    return pytest.fixture(name=make.__name__)(hand_out)


def wanted_by(item: pytest.Item) -> tuple[_Maker, ...]:
    """What a test stands on, from the lowest; nothing, where it commits."""
    info = getattr(item, "_fixtureinfo", None)
    if info is None or _commits(item):
        return ()
    last = (definitions[-1].func for definitions in info.name2fixturedefs.values())
    makers = {make for found in last if (make := getattr(found, _MAKES, None))}
    return tuple(sorted(makers, key=_places.__getitem__))


def _commits(item: pytest.Item) -> bool:
    """Whether a test runs without a transaction around it."""
    marker = item.get_closest_marker("django_db")
    says = marker is not None and (
        any(marker.args[:2])
        or any(marker.kwargs.get(name) for name in ("transaction", "reset_sequences"))
    )
    named = {"transactional_db", "live_server", "django_db_reset_sequences"}
    return says or not named.isdisjoint(getattr(item, "fixturenames", ()))


def by_world(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """The tests in their order, but those of a file that stand on the same worlds next to each other."""
    files: dict[Any, int] = {}
    groups: dict[Any, int] = {}

    def place(item: pytest.Item) -> tuple[int, int]:
        makers = wanted_by(item)
        file = files.setdefault(item.path, len(files))
        return file, groups.setdefault((file, makers), len(groups))

    return sorted(items, key=place)


class _Level(NamedTuple):
    make: _Maker
    block: transaction.Atomic
    built: dict[_Maker, Any]  # with those beneath, as this one has left them


class Worlds:
    """What stands in the database between two tests: each world in a transaction or savepoint upon the one before."""

    def __init__(self) -> None:
        self._levels: list[_Level] = []

    def stand(self, wanted: Sequence[_Maker]) -> dict[_Maker, Any]:
        """Have these in the database, and no others; copies of what they have built."""
        if self._levels and (connection.needs_rollback or connection.closed_in_transaction):
            self.clear()  # somebody has closed the session
        same = 0
        for level, make in zip(self._levels, wanted, strict=False):
            if level.make is not make:
                break
            same += 1
        while len(self._levels) > same:
            self._take_off()
        for make in wanted[same:]:
            self._put_on(make)
        return self._copy()

    def clear(self) -> None:
        """Have none."""
        while self._levels:
            self._take_off()

    def _copy(self) -> dict[_Maker, Any]:
        if not self._levels:
            return {}
        built = self._levels[-1].built
        copies = deepcopy(list(built.values()))  # in one go: what they share they go on sharing
        return dict(zip(built, copies, strict=True))

    def _put_on(self, make: _Maker) -> None:
        built = self._copy()
        block = transaction.atomic()
        block._from_testcase = True  # type: ignore[attr-defined]  # durable blocks may be within
        block.__enter__()
        self._levels.append(_Level(make, block, built))
        try:
            beneath = {maker.__name__: value for maker, value in built.items()}
            with translation.override("en"):
                built[make] = make(**{name: beneath[name] for name in signature(make).parameters})
            connection.check_constraints()  # else each test would look at all of its rows again
        except BaseException:
            self._take_off()
            raise

    def _take_off(self) -> None:
        level = self._levels.pop()
        transaction.set_rollback(True)
        level.block.__exit__(None, None, None)
