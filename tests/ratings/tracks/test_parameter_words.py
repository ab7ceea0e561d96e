"""What a rating system refuses, in the words and the language of the form."""

import pytest
from django.utils import translation

from ratings.admin.parameter_form import ParameterForm, explain
from ratings.systems import ParameterError, create
from ratings.systems.parameters import Group


def refusal(system: str, **given: float) -> ParameterError:
    with pytest.raises(ParameterError) as caught:
        create(system, **given)
    return caught.value


def test_it_names_both_fields_in_german() -> None:
    error = refusal("elo", step_lower=2000.0, step_upper=1500.0)
    with translation.override("de"):
        said = explain(error, "elo")
    assert said == "Zweite Stufe muss über „Erste Stufe“ (2.000) liegen; du hast 1.500 eingegeben."


def test_it_names_all_three_fields_in_german() -> None:
    error = refusal("glicko", deviation_start=400.0)
    with translation.override("de"):
        said = explain(error, "glicko")
    assert said == (
        "Startabweichung muss zwischen „Kleinste Abweichung“ (30) und „Größte Abweichung“ (350) "
        "liegen; du hast 400 eingegeben."
    )


def test_the_text_for_commands_names_the_parameters() -> None:
    error = refusal("elo", step_lower=2000.0, step_upper=1500.0)
    assert str(error) == "step_upper = 1500.0: must be above step_lower, which is 2000"


def groups_of(system: str) -> dict[str, list[str]]:
    form = ParameterForm(system=system)
    return {title: [field.name for field in fields] for title, fields in form.groups()}


def test_a_form_shows_parameters_by_group_in_the_order_of_groups() -> None:
    groups = groups_of("glicko2")
    assert list(groups) == [
        Group.START,
        Group.SIDES_AND_DRAWS,
        Group.DEVIATION,
        Group.VOLATILITY,
        Group.THRESHOLDS,
    ]
    assert groups[Group.START] == ["start", "floor", "deviation_start"]
    assert groups[Group.VOLATILITY] == ["volatility", "tau", "volatility_max"]


def test_a_parameter_without_a_group_comes_last() -> None:
    groups = groups_of("frags")
    assert list(groups) == [Group.START, Group.DRIFT, Group.OTHER]
    assert groups[Group.OTHER] == ["k"]


def test_the_titles_of_groups_are_translated() -> None:
    with translation.override("de"):
        titles = [*groups_of("elo")]
    assert len(titles) == 6
    assert not set(titles) & set(Group)
