"""Options as a command line gives them: lengths of periods, and parameters as `name=value`."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.db.models import BooleanField
from django.utils.translation import gettext as _

from ratings import systems
from ratings.models import Ladder
from ratings.tracks.parameters import LADDER_RULES, tunable

__all__ = ["RULES", "Given", "OptionError", "read_parameters", "read_period"]

# Rules of the ladder that may be given among the parameters; all tracks of the ladder share them.
RULES = LADDER_RULES
LONGEST_DAYS = 36_525
_SECONDS = {"d": 86_400, "h": 3_600, "s": 1}


class OptionError(ValueError):
    """What was asked for cannot be, or contradicts what is there; the text says what would be right."""


@dataclass(frozen=True, slots=True)
class Given:
    """Parameters by what they belong to: the system of a track, or the ladder."""

    system: Mapping[str, systems.Value] = field(default_factory=dict)
    ladder: Mapping[str, systems.Value] = field(default_factory=dict)


def read_period(text: str) -> float | None:
    """Read a length such as 30d, 12h or 60s as days; None for `none`. Raises OptionError."""
    if text == "none":
        return None
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)([dhs])", text)
    days = float(found[1]) * _SECONDS[found[2]] / 86_400 if found else 0.0
    if not 1 / 86_400 <= days <= LONGEST_DAYS:
        expected = _("must be from 1s to %dd, such as 30d, 12h or 60s, or none") % LONGEST_DAYS
        raise OptionError(f"period {text!r}: {expected}")
    return days


def read_parameters(system: str, texts: Iterable[str]) -> Given:
    """Check `name=value` texts against a rating system and the rules of a ladder. Raises OptionError."""
    try:
        own = {parameter.name: parameter for parameter in tunable(system)}
    except systems.UnknownSystemError as error:
        raise OptionError(str(error)) from error
    rules: dict[str, systems.Value] = {}
    parameters: dict[str, systems.Value] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            expected = _("must be name=value")
            raise OptionError(f"parameter {text!r}: {expected}")
        if name in RULES:
            rules[name] = _read_rule(name, value)
        elif name in own:
            parameters[name] = _read_parameter(own[name], value)
        else:
            known = _("must be one of %s") % ", ".join(sorted({*own, *RULES}))
            raise OptionError(f"parameter {name!r}: {known}")
    return Given(parameters, rules)


def _read_parameter(parameter: systems.Parameter, text: str) -> systems.Value:
    try:
        return parameter.parse(text)
    except systems.ParameterError as error:
        raise OptionError(str(error)) from error


def _read_rule(name: str, text: str) -> systems.Value:
    rule = getattr(Ladder, name).field
    if isinstance(rule, BooleanField):
        # As a parameter, so that both read the same words.
        switch = systems.Parameter(
            name=rule.name,
            type=bool,
            default=rule.default,
            label=str(rule.verbose_name),
            help=str(rule.help_text),
        )
        return _read_parameter(switch, text)
    try:
        value: systems.Value = rule.clean(text, None)
    except ValidationError as error:
        raise OptionError(f"{name} = {text!r}: {' '.join(error.messages)}") from error
    return value
