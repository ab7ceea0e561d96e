"""Fields of a form made from what the sections of a queue's settings say of their parameters, and their words."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from matchmaking.pairing.settings import SECTIONS, Settings
from ratings.admin.parameter_form import describe, field_for
from ratings.systems.parameters import Parameter, ParameterError

__all__ = [
    "SENTENCES",
    "STRATEGY_HELP",
    "TITLES",
    "blame",
    "changes_of",
    "fields_of",
    "names_in",
    "shown_values",
    "typed_values",
]

_BETWEEN = "__"
TITLES = {
    **{name: _(section.title) for name, section in SECTIONS.items()},
    "buckets": pgettext_lazy("strategy", "Buckets"),
}
SENTENCES = {name: _(section.sentence) for name, section in SECTIONS.items()}
STRATEGY_HELP = _(
    "Filters: each player accepts more with every second, and the best matches "
    "are found among those who accept each other. Buckets: players of the same "
    "kind first, then those with less in common. First come, first served: the "
    "shortest waits, whoever the opponents are."
)


def field_name(section: str, parameter: str) -> str:
    """Name of the form's field: "region__start"."""
    return f"{section}{_BETWEEN}{parameter}"


def names_in(section: str) -> list[str]:
    """Names of all fields of a section."""
    return [field_name(section, parameter.name) for parameter in SECTIONS[section].described()]


def fields_of(sections: list[str]) -> dict[str, forms.Field]:
    """Make the fields of these sections, by name."""
    fields: dict[str, forms.Field] = {}
    for section, parameter in _parameters(sections):
        fields[field_name(section, parameter.name)] = field = field_for(parameter)
        field.label = capfirst(str(field.label))
    return fields


def shown_values(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Every value as a form shows it: what is `stored` (see Queue.settings), else the default."""
    return {
        field_name(section, p.name): stored.get(section, {}).get(p.name, p.default)
        for section, p in _parameters(SECTIONS)
    }


def typed_values(
    cleaned: Mapping[str, Any], stored: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Every value by section and name; what the form does not show stays as `stored`."""
    values: dict[str, dict[str, Any]] = {section: {} for section in SECTIONS}
    present = shown_values(stored)
    for section, p in _parameters(SECTIONS):
        name = field_name(section, p.name)
        value = cleaned.get(name, present[name])
        values[section][p.name] = value.replace("\r\n", "\n") if isinstance(value, str) else value
    return values


def blame(form: forms.BaseForm, error: ParameterError) -> None:
    """Put what the settings refuse at the field they name."""
    section, _dot, name = error.parameter.partition(".")
    where = field_name(section, name)
    words = str(error)
    if section in SECTIONS:
        labels = {p.name: capfirst(gettext(p.label)) for p in SECTIONS[section].described()}
        words = describe(ParameterError(name, error.value, error.template, **error.words), labels)
    form.add_error(where if where in form.fields else None, words)


def changes_of(settings: Settings) -> list[tuple[str, str, Any]]:
    """Section, label and value of each parameter that differs from its default."""
    values = settings.different()
    return [
        (section, gettext(p.label), values[section][p.name])
        for section, p in _parameters(values)
        if p.name in values[section]
    ]


def _parameters(sections: Any) -> Iterator[tuple[str, Parameter]]:
    for section in sections:
        for parameter in SECTIONS[section].described():
            yield section, parameter
