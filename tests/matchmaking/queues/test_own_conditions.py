"""Conditions of a game's own, by their names in the settings."""

from dataclasses import dataclass

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from foundation.timekeeping import Deadlines
from matchmaking.models import Queue
from matchmaking.pairing import Tickets
from matchmaking.pairing.condition import Condition, Use
from matchmaking.pairing.conditions import Language
from matchmaking.queues.own_conditions import check_own_conditions, own_conditions
from matchmaking.sweep.pairing_context import PairingContext
from matchmaking.sweep.read import read_waiting
from ratings.systems.arrays import Floats, Ints
from tests.matchmaking.hall import make_hall
from tests.matchmaking.pairing.constrained.pools import Picky

strict = Language(use=Use.MUST)


def test_none(settings: Settings) -> None:
    assert settings.EVENMATCH_CONDITIONS == []
    assert own_conditions() == ()
    assert check_own_conditions(None) == []


def test_a_class_and_a_condition(settings: Settings) -> None:
    settings.EVENMATCH_CONDITIONS = [
        "tests.matchmaking.pairing.constrained.pools.Picky",
        "tests.matchmaking.queues.test_own_conditions.strict",
    ]
    picky, language = own_conditions()
    assert picky == Picky()
    assert isinstance(language, Language)
    assert check_own_conditions(None) == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no_such.module", "No module named 'no_such'"),
        ("tests.matchmaking.queues.test_own_conditions.nothing", "nothing"),
        (
            "tests.matchmaking.queues.test_own_conditions.test_none",
            "is function: must be a Condition",
        ),
        ("matchmaking.pairing.condition.Condition", "abstract"),
    ],
)
def test_wrong_names(settings: Settings, name: str, words: str) -> None:
    settings.EVENMATCH_CONDITIONS = [name]
    with pytest.raises(ImproperlyConfigured, match=words):
        own_conditions()
    (error,) = check_own_conditions(None)
    assert (error.id, name in error.msg) == ("matchmaking.E001", True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Silent(Condition):
    """Does not say what it reads."""

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        return np.zeros(len(one))


def test_one_that_does_not_say_what_it_reads(settings: Settings) -> None:
    settings.EVENMATCH_CONDITIONS = ["tests.matchmaking.queues.test_own_conditions.Silent"]
    with pytest.raises(ImproperlyConfigured, match=r"must say what it reads: reads = "):
        own_conditions()


@pytest.mark.django_db
def test_only_what_conditions_ask_for_is_read(settings: Settings) -> None:
    """However many other numbers tickets send, which once crowded out those that come later in the alphabet."""
    settings.EVENMATCH_CONDITIONS = ["tests.matchmaking.pairing.constrained.pools.Picky"]
    hall = make_hall(3)
    for who in range(2):
        hall.join(who, preferences={"own": {"number": who + 5, "a number": 1, "zzz": 2}})
    hall.join(2)
    with hall.at_now():
        queue = Queue.objects.select_related("ladder").get(pk=hall.queue.pk)
        tickets = read_waiting(PairingContext.of(queue), Deadlines(hall.now))
    assert [name for name in tickets.traits if name.startswith("own.")] == ["own.number"]
    assert sorted(tickets.traits["own.number"].tolist())[:2] == [5.0, 6.0]
    assert np.isnan(tickets.traits["own.number"]).sum() == 1
