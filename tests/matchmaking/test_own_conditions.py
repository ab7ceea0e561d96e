"""Conditions of a game's own, by their names in the settings."""

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from matchmaking.own_conditions import check_own_conditions, own_conditions
from matchmaking.pairing.condition import Use
from matchmaking.pairing.conditions import Language
from tests.matchmaking.pairing.constrained.crowds import Picky

strict = Language(use=Use.MUST)


def test_none(settings: Settings) -> None:
    assert settings.EVENMATCH_CONDITIONS == []
    assert own_conditions() == ()
    assert check_own_conditions(None) == []


def test_a_class_and_a_condition(settings: Settings) -> None:
    settings.EVENMATCH_CONDITIONS = [
        "tests.matchmaking.pairing.constrained.crowds.Picky",
        "tests.matchmaking.test_own_conditions.strict",
    ]
    picky, language = own_conditions()
    assert picky == Picky()
    assert isinstance(language, Language)
    assert check_own_conditions(None) == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no_such.module", "No module named 'no_such'"),
        ("tests.matchmaking.test_own_conditions.nothing", "nothing"),
        ("tests.matchmaking.test_own_conditions.test_none", "is function: must be a Condition"),
        ("matchmaking.pairing.condition.Condition", "abstract"),
    ],
)
def test_wrong_names(settings: Settings, name: str, words: str) -> None:
    settings.EVENMATCH_CONDITIONS = [name]
    with pytest.raises(ImproperlyConfigured, match=words):
        own_conditions()
    (error,) = check_own_conditions(None)
    assert (error.id, name in error.msg) == ("matchmaking.E001", True)
