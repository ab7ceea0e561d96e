"""Forms made from what a rating system says of its parameters: nothing is listed twice."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy

from ratings.admin.fields import RangedFloat, RangedInteger
from ratings.systems import Parameter, ParameterError, parameters_of
from ratings.systems.parameters import Group
from ratings.tracks.parameters import tunable
from ratings.wording import range_in_words, say

__all__ = ["ParameterForm", "describe", "explain", "field_for", "labels_of", "tidy"]

# Words to choose from that are not names.
_CHOICES = {
    "off": pgettext_lazy("condition", "off"),
    "must": pgettext_lazy("condition", "must"),
    "drop": pgettext_lazy("condition", "drop after some time"),
    "prefer": pgettext_lazy("condition", "prefer"),
    "best": pgettext_lazy("split into teams", "the best split"),
    "sources": pgettext_lazy("split into teams", "strongest first"),
}
# What is compared with the start deviation cannot be tuned itself.
_BLAMED = {"average_deviation": "deviation_start"}


class ParameterForm(forms.Form):
    """The own parameters of a track of `system`, and why they change."""

    def __init__(self, *args: Any, system: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.system, self.parameters = system, tunable(system)
        for parameter in self.parameters:
            self.fields[parameter.name] = field_for(parameter)
        self.fields["note"] = forms.CharField(
            label=gettext("Note"),
            help_text=gettext("Why? Kept with the change."),
            required=False,
            max_length=2000,
            widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        )

    @property
    def values(self) -> dict[str, Any]:
        """The parameters as typed and checked, by name."""
        return {p.name: self.cleaned_data[p.name] for p in self.parameters}

    def groups(self) -> Iterator[tuple[str, list[forms.BoundField]]]:
        """Yield title and fields of each group that has any."""
        for group in Group:
            if members := [p.name for p in self.parameters if p.group == group]:
                yield gettext(group.value), [self[name] for name in members]

    def changed_values(self, present: Mapping[str, Any]) -> list[tuple[str, str, str]]:
        """Return (label, value in force, typed value) of each parameter that differs from `present`."""
        return [
            (gettext(p.label), say(present.get(p.name)), say(self.values[p.name]))
            for p in self.parameters
            if present.get(p.name) != self.values[p.name]
        ]

    def blame(self, error: ParameterError) -> None:
        """Put what the rating system itself refuses at the field it names."""
        where = _BLAMED.get(error.parameter, error.parameter)
        self.add_error(where if where in self.fields else None, explain(error, self.system))


def explain(error: ParameterError, system: str) -> str:
    """Say what a rating system refuses, with the labels that people see in place of the names."""
    if error.parameter in _BLAMED:
        return gettext("The deviation of a new player must be at least %(least)s points.") % {
            "least": say(error.value)
        }
    return describe(error, {p.name: gettext(p.label) for p in parameters_of(system)})


def describe(error: ParameterError, labels: Mapping[str, str]) -> str:
    """Say what is refused, with the `labels` of parameters in place of their names."""
    parts = {}
    for key, word in error.words.items():
        label = labels.get(word) if isinstance(word, str) else None
        parts[key] = say(word) if label is None else gettext("“%(name)s”") % {"name": label}
    reason = gettext(error.template) % parts if parts else error.template
    name = labels.get(error.parameter, error.parameter)
    words = {"name": name, "reason": reason, "value": say(error.value)}
    return gettext("%(name)s %(reason)s; you gave %(value)s.") % words


def field_for(parameter: Parameter) -> forms.Field:
    """Make the form field of a parameter: its words, its range, and what it is unless changed."""
    label, help_text = gettext(parameter.label), gettext(parameter.help)
    if parameter.type is bool:
        return forms.BooleanField(label=label, help_text=help_text, required=False)
    if parameter.choices:
        words = [(word, str(_CHOICES.get(word, word))) for word in parameter.choices]
        return forms.ChoiceField(label=label, help_text=help_text, choices=words)
    if parameter.type is str:
        return forms.CharField(
            label=label,
            help_text=help_text,
            required=False,
            max_length=int(parameter.maximum or 0),
            widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        )
    low, high = float(parameter.minimum or 0), float(parameter.maximum or 0)
    unit = gettext(parameter.unit) if parameter.unit else ""
    extent = f"{range_in_words(low, high)} {unit}".strip()
    said = {"help": help_text, "extent": extent, "default": say(parameter.default)}
    help_text = gettext("%(help)s Must be %(extent)s; %(default)s unless changed.") % said
    kind = RangedInteger if parameter.type is int else RangedFloat
    return kind(label=label, help_text=help_text, low=low, high=high)


def tidy(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values as a form shows them: 1500 for 1500.0."""
    return {
        name: int(value) if isinstance(value, float) and value.is_integer() else value
        for name, value in values.items()
    }


def labels_of(system: str) -> dict[str, str]:
    """Return the parameters' labels by name."""
    return {p.name: gettext(p.label) for p in tunable(system)}
