"""What a rating system refuses, in the words and the language of the form."""

import pytest
from django.utils import translation

from ratings.admin.parameter_form import explain
from ratings.systems import ParameterError, create


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
