"""Systems by name, and parameters refused by name."""

import math
import re

import pytest

from ratings.systems import (
    REFERENCE_SYSTEM,
    USUAL_FOR_DUELS,
    USUAL_FOR_TEAMS,
    MatchChange,
    ParameterError,
    System,
    UnknownSystemError,
    create,
    declaration_of,
    names,
    parameters_of,
)

# What a page fills into sentences of any system.
FIGURES = {
    "name",
    "expected",
    "forecast",
    "actual",
    "gap",
    "weight",
    "symbol",
    "points",
    "place",
    "teams",
    "before",
    "after",
    "other",
    "minutes",
    "share",
    "hourly",
}


@pytest.mark.parametrize("name", names())
class TestEverySystem:
    def test_is_a_system_with_its_defaults(self, name: str) -> None:
        system = create(name)
        assert isinstance(system, System)
        assert system.name == name
        described = {parameter.name: parameter.default for parameter in parameters_of(name)}
        assert dict(system.parameters) == described

    def test_describes_each_parameter_in_one_sentence(self, name: str) -> None:
        for parameter in parameters_of(name):
            assert parameter.label
            assert parameter.help.endswith(".")
            assert parameter.help.count(".") == 1
            assert parameter.check(parameter.default) == parameter.default
            assert parameter.range

    def test_takes_both_ends_of_each_range_and_nothing_beyond(self, name: str) -> None:
        for parameter in parameters_of(name):
            if parameter.minimum is None or parameter.maximum is None:
                continue
            assert parameter.check(parameter.minimum) == parameter.minimum
            assert parameter.check(parameter.maximum) == parameter.maximum
            for beyond in (parameter.minimum - 1, parameter.maximum + 1, math.nan, math.inf):
                with pytest.raises(ParameterError, match=parameter.name):
                    parameter.check(beyond)

    def test_is_immutable_and_equal_by_parameters(self, name: str) -> None:
        assert create(name) == create(name)
        assert create(name, start=1000) != create(name)
        with pytest.raises(AttributeError):
            create(name).settings = None  # type: ignore[misc, assignment]

    def test_can_be_made_again_from_its_parameters(self, name: str) -> None:
        system = create(name, start=1234, established_after=7)
        assert create(name, **system.parameters) == system

    def test_declares_parameters_that_it_has(self, name: str) -> None:
        declared, known = declaration_of(name), {p.name: p for p in parameters_of(name)}
        assert declared.name == name
        assert declared.title
        assert declared.purpose.endswith(".")
        rules = {"days_to_forget"} if declared.forgetting else set()
        tuned = {*declared.tuned, *declared.tuned_with_sides, *declared.tuned_with_draws}
        assert declared.tuned
        assert tuned <= known.keys() | rules
        assert known.keys() >= {declared.spread_parameter, *declared.paid_by_period}
        assert known.keys() >= {name for name in (declared.taken, declared.given) if name}
        assert known.keys() >= {declared.scale_parameter, declared.class_interval_parameter} - {""}
        assert declared.forgetting is None or declared.forgetting.parameter in known
        assert ("provisional_deviation" in known) is declared.uses_deviation
        assert create(name).provisional_above == (
            known["provisional_deviation"].default if declared.uses_deviation else math.inf
        )
        assert create(name).scale > 0
        assert {p.name for p in known.values() if p.unit.endswith("per period")} == set(
            declared.paid_by_period
        ) - {"growth"}

    @pytest.mark.parametrize("seats", [(2, 1), (2, 3), (4, 1)])
    @pytest.mark.parametrize("points", [-3.0, 0.0, 3.0])
    @pytest.mark.parametrize("value_after", [0.0, 1500.0])
    def test_explains_any_match_in_sentences_whose_gaps_can_be_filled(
        self, name: str, seats: tuple[int, int], points: float, value_after: float
    ) -> None:
        change = MatchChange(
            expected=0.4,
            actual=0.5,
            forecast=0.5,
            weight=32.0,
            points=points,
            decimals=0,
            status=2,
            opponent_status=1,
            opponent_deviation=100.0,
            is_alone=True,
            value_after=value_after,
            deviation_after=90.0,
            teams=seats[0],
            team_size=seats[1],
            opponents=(seats[0] - 1) * seats[1],
            share=0.5,
            minutes=10.0,
            score=7.0,
        )
        outcome, surprise, *worth = declaration_of(name).explain(change)
        for sentence in (outcome, surprise, *worth):
            gaps = set(re.findall(r"%\((\w+)\)s", sentence.text))
            assert gaps <= FIGURES | sentence.shares.keys()
            assert sentence.text.endswith(".")


def test_ladders_and_settings_start_with_systems_that_can_rate_them() -> None:
    assert declaration_of(USUAL_FOR_DUELS).can_rate(2, 1)
    assert declaration_of(USUAL_FOR_TEAMS).can_rate(2, 5)
    assert declaration_of(USUAL_FOR_TEAMS).can_rate(8, 1)
    assert declaration_of(REFERENCE_SYSTEM).can_rate(2, 2)


def test_only_frags_are_of_duels_alone() -> None:
    """No other system refuses a mode."""
    assert [name for name in names() if not declaration_of(name).can_rate(3, 2)] == ["frags"]


def test_names() -> None:
    assert {"elo", "glicko"} <= set(names())


def test_unknown_system() -> None:
    with pytest.raises(UnknownSystemError, match=r"'chess'.*elo, .*glicko, "):
        create("chess")


@pytest.mark.parametrize(
    ("system", "parameters", "message"),
    [
        ("elo", {"k": 10}, r"^k = 10: unknown; known are .*k_new"),
        ("elo", {"k_new": -1}, r"^k_new = -1: must be a number from 0 to 1000$"),
        ("elo", {"k_new": "32"}, r"^k_new = '32': must be a number"),
        ("elo", {"k_new": True}, r"^k_new = True: must be a number"),
        ("elo", {"established_after": 2.5}, r"^established_after = 2\.5: must be a whole number"),
        ("elo", {"halve_against_provisional": 1}, r"= 1: must be true or false$"),
        ("elo", {"k_by_rating": "up"}, r"= 'up': must be one of none, step, edges$"),
        ("elo", {"edge_lower": 2500}, r"^edge_upper = 2500\.0: must be above edge_lower"),
        ("elo", {"step_upper": 2100}, r"^step_upper = 2100\.0: must be above step_lower"),
        ("glicko", {"c": math.inf}, r"^c = inf: must be a number from 0"),
        ("glicko", {"deviation_min": 350}, r"^deviation_max = 350\.0: must be above deviation_min"),
        ("glicko", {"deviation_start": 400}, r"^deviation_start = 400\.0: must lie between"),
    ],
)
def test_wrong_parameters_are_named(
    system: str, parameters: dict[str, object], message: str
) -> None:
    with pytest.raises(ParameterError, match=message) as caught:
        create(system, **parameters)
    assert str(caught.value).startswith(caught.value.parameter)


class TestParse:
    def test_reads_text_in_the_type_of_the_parameter(self) -> None:
        by_name = {parameter.name: parameter for parameter in parameters_of("elo")}
        assert by_name["k_new"].parse(" 32 ") == 32.0
        assert by_name["established_after"].parse("20") == 20
        assert by_name["k_by_rating"].parse("step") == "step"
        assert by_name["halve_against_provisional"].parse("No") is False
        assert by_name["halve_against_provisional"].parse("true") is True

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("k_new", "many"),
            ("k_new", "nan"),
            ("established_after", "2.5"),
            ("k_by_rating", "up"),
            ("halve_against_provisional", "maybe"),
        ],
    )
    def test_refuses_by_name(self, name: str, text: str) -> None:
        by_name = {parameter.name: parameter for parameter in parameters_of("elo")}
        with pytest.raises(ParameterError, match=name):
            by_name[name].parse(text)
