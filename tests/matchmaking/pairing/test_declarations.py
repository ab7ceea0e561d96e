"""What built-in conditions say of themselves: everything else follows from it."""

import inspect
import pkgutil
from abc import ABC
from dataclasses import fields
from importlib import import_module

import pytest

from matchmaking.pairing import conditions
from matchmaking.pairing.condition import Condition
from matchmaking.pairing.conditions import BUILT_IN, PREFERENCES
from matchmaking.pairing.conditions.taste import Taste
from matchmaking.pairing.preference import PreferenceKind
from matchmaking.pairing.settings import SECTIONS, Settings


def test_every_condition_is_in_the_list() -> None:
    found = {
        one
        for module in pkgutil.iter_modules(conditions.__path__, f"{conditions.__name__}.")
        for name, one in inspect.getmembers(import_module(module.name), inspect.isclass)
        if issubclass(one, Condition) and ABC not in one.__bases__ and not name.startswith("_")
    }
    assert found == set(BUILT_IN)


@pytest.mark.parametrize("kind", [kind for kind in BUILT_IN if kind.section])
def test_a_section_has_what_its_condition_reads(kind: type[Condition]) -> None:
    assert kind.section is not None
    assert SECTIONS[kind.section.name] is kind.section
    assert isinstance(Settings().of(kind), kind.section)
    widening = {"start", "per_second", "cap"} if kind.widens else set()
    after = {"after"} if kind is not Taste else set()  # which is a preference, and never dropped
    assert {"use", "seconds"} | after | widening <= {field.name for field in fields(kind.section)}
    assert "" not in (kind.section.title, kind.section.sentence)


def test_names_are_given_once() -> None:
    names = [preference.name for kind in BUILT_IN for preference in kind.preferences]
    assert len(names) == len(set(names)) == len(PREFERENCES)
    assert "own" not in names
    assert len({kind.record_name() for kind in BUILT_IN}) == len(BUILT_IN)
    assert len(SECTIONS) == len(set(SECTIONS.values()))


@pytest.mark.parametrize("name", PREFERENCES)
def test_a_preference_has_its_words(name: str) -> None:
    preference = PREFERENCES[name]
    for one in preference.parts or (preference,):
        assert "" not in (one.label, one.ticked, one.ticket_help)
        assert one.typed or preference.kind in (PreferenceKind.LANGUAGES, PreferenceKind.MAPS)


def test_a_condition_without_a_section_has_none() -> None:
    with pytest.raises(TypeError, match="MapShared has no section"):
        Settings().of(conditions.MapShared)


def test_records_keep_their_names() -> None:
    assert [kind.record_name() for kind in BUILT_IN] == [
        "rating_gap", "win_chance", "language", "region", "style", "rules_wish", "alike", "rematch", "avoid",
        "conduct_like", "map_shared", "hold", "taste",
    ]  # fmt: skip
