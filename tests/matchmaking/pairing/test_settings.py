"""What an operator may choose for a queue: ranges, the grammar of lists, and back again as it was stored."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from matchmaking.pairing.settings import SECTIONS, Settings
from matchmaking.pairing.settings.text_lists import (
    GameMap,
    Level,
    read_levels,
    read_maps,
    read_numbers,
    read_roles,
)
from ratings.systems.parameters import Parameter, ParameterError


def build(section: str, **values: Any) -> Settings:
    return Settings.build("filters", {section: values})


def test_without_anything_said_all_is_as_by_default() -> None:
    settings = Settings.build("filters", {})
    assert settings == Settings()
    assert settings.different() == {}
    assert set(settings.as_dict()) == set(SECTIONS)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"weather": {"use": "must"}}, "weather.*unknown; known are exchange, timing, chance"),
        ({"language": {"colour": 1}}, "language.colour = 1: unknown; known are after, seconds"),
        ({"language": {"use": "maybe"}}, "language.use = 'maybe': must be one of off, must"),
        ({"language": "must"}, "language = 'must': must be an object of parameters"),
        ({"region": {"start": -1.0}}, "region.start = -1.0: must be a number from 0 to 5000"),
        ({"region": {"start": float("nan")}}, "region.start = nan: must be a number"),
        ({"chance": {"start": 0.4, "cap": 0.3}}, "chance.cap = 0.3: must not be below start"),
        ({"maps": {"known_after": 2.5}}, "maps.known_after = 2.5: must be a whole number"),
        ({"buckets": {"filters_inside": "yes"}}, "buckets.filters_inside = 'yes': must be true"),
        ({"maps": {"names": "x" * 4001}}, "must be text of at most 4000 letters"),
        ({"buckets": {"levels": "taste: 3"}}, "buckets.levels = 'taste: 3': must look like"),
        ({"buckets": {"borders": "1400, 1200"}}, "buckets.borders.*must be numbers that rise"),
        ({"teams": {"roles": "tank"}}, "teams.roles = 'tank': must be a word and a number"),
        (
            {"maps": {"names": "Canyon; A +99999999"}},
            r"maps.names = 'A \+99999999': must be a name and.* points from -9999 to \+9999",
        ),
        ({"maps": {"names": "A -1,5"}}, "maps.names = 'A -1,5': must be a name and"),
        ({"maps": {"names": "Canyon; Canyon"}}, "maps.names = 'Canyon': must be names"),
        (
            {"region": {"names": "eu; us; eu"}},
            "region.names = 'eu': must be words of at most 40 letters",
        ),
        ({"style": {"names": "x" * 41}}, "style.names = 'x+': must be words of at most 40 letters"),
        ({"rules": {"names": ";".join(map(str, range(21)))}}, "rules.names = '20': .* 20 at most"),
    ],
)
def test_what_is_wrong_is_named_with_its_section(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        Settings.build("filters", given)


def test_the_strategy_is_one_of_three() -> None:
    with pytest.raises(ParameterError, match="must be one of filters, buckets, fcfs"):
        Settings.build("luck", {})
    assert Settings.build("fcfs", {}).strategy == "fcfs"


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("anyone", [((), 3600.0)]),
        ("language, skill: 1; anyone: 20", [(("language", "skill"), 1.0), ((), 20.0)]),
        (
            "language+skill:0.5\nregion style : 10\n\n",
            [(("language", "skill"), 0.5), (("region", "style"), 10.0)],
        ),
    ],
)
def test_levels(text: str, levels: list[tuple[tuple[str, ...], float]]) -> None:
    assert read_levels("levels", text) == tuple(Level(by, lasts) for by, lasts in levels)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "language: soon",
        "language: -1",
        "language: 3601",
        "language, language: 2",
        "anyone, skill: 2",
        ": 5",
        ";".join(["skill: 1"] * 11),
        "language: nan",
    ],
)
def test_levels_that_cannot_be_read(text: str) -> None:
    with pytest.raises(ParameterError):
        read_levels("levels", text)


def test_roles() -> None:
    assert read_roles("roles", "tank 1; healer: 2\ndamage  3") == {
        "tank": 1,
        "healer": 2,
        "damage": 3,
    }
    assert read_roles("roles", " ; ") == {}
    for wrong in ("tank 0", "tank 100", "tank -1", "tank 1; tank 2", "two words 1"):
        with pytest.raises(ParameterError):
            read_roles("roles", wrong)
    assert len(read_roles("roles", ";".join(f"r{n} 1" for n in range(20)))) == 20
    with pytest.raises(ParameterError, match="at most 20"):
        read_roles("roles", ";".join(f"r{n} 1" for n in range(21)))


def test_maps() -> None:
    assert read_maps("names", "Canyon; Old River +15\nLake -2.5") == (
        GameMap("Canyon", None),
        GameMap("Old River", 15.0),
        GameMap("Lake", -2.5),
    )
    assert read_maps("names", "") == ()
    assert len(read_maps("names", ";".join(f"m{n}" for n in range(62)))) == 62
    for wrong in ("River +15; River", "x" * 81, ";".join(f"m{n}" for n in range(63))):
        with pytest.raises(ParameterError):
            read_maps("names", wrong)


def test_borders() -> None:
    assert read_numbers("borders", "1200, 1500; 1800.5") == (1200.0, 1500.0, 1800.5)
    assert read_numbers("borders", "") == ()
    for wrong in ("1200, 1200", "low, high", "1500 1400", "1, nan"):
        with pytest.raises(ParameterError):
            read_numbers("borders", wrong)


def _values(parameter: Parameter) -> st.SearchStrategy[Any]:
    if parameter.choices:
        return st.sampled_from(parameter.choices)
    if parameter.type is bool:
        return st.booleans()
    if parameter.type is str:
        return st.just(parameter.default)
    low, high = parameter.minimum or 0, parameter.maximum or 0
    if parameter.type is int:
        return st.integers(int(low), int(high))
    return st.floats(low, high)


@examples(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_what_differs_is_all_that_needs_to_be_stored(data: st.DataObject) -> None:
    chosen: dict[str, dict[str, Any]] = {}
    for name, section in SECTIONS.items():
        some = {p.name: _values(p) for p in section.described() if p.name not in ("start", "cap")}
        chosen[name] = data.draw(st.fixed_dictionaries({}, optional=some))
    settings = Settings.build("buckets", chosen)
    stored = settings.different()
    assert Settings.build("buckets", stored) == settings
    assert Settings.build("buckets", settings.as_dict()) == settings
    for name, values in stored.items():
        usual = SECTIONS[name]().as_dict()
        assert values == {key: v for key, v in chosen[name].items() if v != usual[key]}


def test_lists_come_out_as_they_were_typed() -> None:
    levels = "skill: 2\nanyone: 9"
    settings = build("buckets", levels=levels)
    assert settings.different() == {"buckets": {"levels": levels}}
    assert settings.levels == (Level(("skill",), 2.0), Level((), 9.0))
    assert settings.borders == (1200.0, 1400.0, 1600.0, 1800.0, 2000.0)
    assert build("maps", names="Canyon +5").game_maps == (GameMap("Canyon", 5.0),)
    assert build("teams", roles="tank 1").roles == {"tank": 1}


def test_what_another_version_has_stored_is_as_by_default_and_told() -> None:
    stored = {"language": {"use": "must"}, "region": {"speed": 3}, "weather": {}}
    settings, wrong = Settings.read("filters", stored)
    assert settings == Settings.build("filters", {"language": {"use": "must"}})
    assert [error.parameter for error in wrong] == ["region.speed", "weather"]
