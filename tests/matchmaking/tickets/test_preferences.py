"""Reading preferences: what is kept of them, and what is said of those that cannot be."""

from typing import Any

import pytest

from matchmaking.pairing.settings import Settings
from matchmaking.tickets.preferences import (
    InvalidPreferences,
    looked_at,
    read_character,
    read_preferences,
    read_roles,
)

SETTINGS = Settings.build(
    "filters", {"maps": {"names": "Canyon; Moor"}, "teams": {"roles": "tank 1; healer 1"}}
)


def test_they_are_brought_into_one_form() -> None:
    given = {
        "languages": ["DE", "pt_BR", "de"],
        "regions": {" eu ": 35},
        "styles": ["attack", "attack"],
        "rules": [],
        "maps": {"like": ["Moor"]},
    }
    assert read_preferences(given, SETTINGS) == {
        "languages": ["de", "pt-br"],
        "regions": {"eu": 35.0},
        "styles": ["attack"],
        "maps": {"like": ["Moor"]},
    }


def test_everything_wrong_is_said_at_once() -> None:
    given = {"languages": ["x"], "maps": {"veto": ["Atlantis"]}, "wine": "red"}
    with pytest.raises(InvalidPreferences) as refusal:
        read_preferences(given, SETTINGS)
    assert [one.pointer for one in refusal.value.wrong] == [
        "#/languages/0",
        "#/maps/veto/0",
        "#/wine",
    ]


@pytest.mark.parametrize(
    "given",
    [
        {"languages": "de"},
        {"languages": [7]},
        {"languages": None},
        {"regions": 5},
        {"regions": {"eu": True}},
        {"regions": {"eu": float("nan")}},
        {"regions": {"": 5}},
        {"regions": {f"r{n}": 5 for n in range(21)}},
        {"styles": ["a\nb"]},
        {"maps": ["Moor"]},
        {"maps": {"hate": ["Moor"]}},
        {"own": [1]},
        {"own": {"mood": "good"}},
        {"own": {"mood": float("inf")}},
        {"own": {"x" * 41: 1}},
    ],
)
def test_anything_else_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidPreferences):
        read_preferences(given, SETTINGS)


def test_maps_of_a_queue_without_maps() -> None:
    with pytest.raises(InvalidPreferences, match="no maps to choose from"):
        read_preferences({"maps": {"like": ["Moor"]}}, Settings())


def test_where_a_queue_has_words_of_its_own_no_others_are_taken() -> None:
    given = {"region": {"names": "eu\nus"}, "style": {"names": "attack; defence"}}
    settings = Settings.build("filters", given)
    known = {"regions": {"eu": 35.0}, "styles_wanted": ["defence"], "rules": ["any"]}
    assert read_preferences(known, settings) == known
    with pytest.raises(InvalidPreferences) as refusal:
        read_preferences({"regions": {"EU": 35}, "styles": ["attack", "wine"]}, settings)
    assert [(one.pointer, one.words) for one in refusal.value.wrong] == [
        ("#/regions/EU", "This queue does not know “EU”. It knows eu, us."),
        ("#/styles/1", "This queue does not know “wine”. It knows attack, defence."),
    ]


def test_roles_and_characters() -> None:
    assert read_roles(["healer", "healer"], SETTINGS) == ["healer"]
    with pytest.raises(InvalidPreferences, match="tank, healer"):
        read_roles(["bard"], SETTINGS)
    with pytest.raises(InvalidPreferences, match="no roles to choose from"):
        read_roles(["tank"], Settings())
    assert read_character(" Mage ") == "Mage"
    assert read_character("") == ""
    with pytest.raises(InvalidPreferences):
        read_character(5)


def test_what_a_queue_looks_at() -> None:
    assert looked_at(SETTINGS) == ["maps", "roles"]
    buckets = {"buckets": {"levels": "language, style: 5; anyone"}}
    assert looked_at(Settings.build("buckets", buckets)) == [
        "languages",
        "styles",
        "styles_wanted",
    ]
    assert looked_at(Settings.build("filters", {"region": {"use": "prefer"}})) == ["regions"]
