"""Parameters of rating systems: each is declared once, with its range and what it means."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Any, NotRequired, Self, TypedDict, Unpack

__all__ = [
    "Group",
    "Parameter",
    "ParameterError",
    "ParameterSet",
    "Value",
    "choice",
    "gettext_noop",
    "number",
    "switch",
    "text",
    "whole",
]

Value = float | int | bool | str

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off"}


class ParameterError(ValueError):
    """A parameter is unknown or out of its range; `parameter` is its name.

    `expected` says what would be right. Its parts in `words`, names of parameters and numbers, stay apart
    from the sentence in `template`, so that whoever shows it can translate both.
    """

    def __init__(self, parameter: str, value: object, expected: str, **words: str | float) -> None:
        self.parameter = parameter
        self.value = value
        self.template, self.words = expected, words
        said = {k: word if isinstance(word, str) else f"{word:g}" for k, word in words.items()}
        self.expected = expected = expected % said if words else expected
        super().__init__(f"{parameter} = {value!r}: {expected}")


def gettext_noop(text: str) -> str:
    """Mark `text` for the message catalogues; whoever shows it translates it."""
    return text


class Group(StrEnum):
    """The groups in which a form shows parameters, with their titles, in the order of the page."""

    START = gettext_noop("Start and scale")
    K = gettext_noop("K: how far one game moves a rating")
    K_BY_RATING = gettext_noop("K by rating")
    SIDES_AND_DRAWS = gettext_noop("Sides and draws")
    DEVIATION = gettext_noop("Deviation")
    VOLATILITY = gettext_noop("Volatility")
    THRESHOLDS = gettext_noop("Thresholds")
    DRIFT = gettext_noop("Drift of the whole pool")
    OTHER = gettext_noop("Further parameters")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """What a form, a document, a search or an error message needs to know of one parameter.

    step   by which a search varies it; None: by a factor where it is above 0
    group  under which title a form shows it
    """

    name: str
    type: type[float] | type[int] | type[bool] | type[str]
    default: Value
    label: str
    help: str
    unit: str = ""
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    step: float | None = None
    group: Group = Group.OTHER

    @property
    def range(self) -> str:
        """What would be right, in words: `a number from 0 to 10`."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.type is str:
            return f"text of at most {self.maximum:g} letters"
        if self.type is bool:
            return "true or false"
        kind = "a whole number" if self.type is int else "a number"
        return f"{kind} from {self.minimum:g} to {self.maximum:g}"

    def check(self, value: object) -> Value:
        """Return `value` in this parameter's type, or raise ParameterError."""
        if self.type is str:
            if isinstance(value, str) and (
                value in self.choices if self.choices else len(value) <= (self.maximum or 0)
            ):
                return value
        elif self.type is bool:
            if isinstance(value, bool):
                return value
        elif isinstance(value, int | float) and not isinstance(value, bool):
            low = math.inf if self.minimum is None else self.minimum
            high = -math.inf if self.maximum is None else self.maximum
            is_whole, is_finite = self.type is int, math.isfinite(value)
            if is_finite and low <= value <= high and (not is_whole or value == int(value)):
                return int(value) if is_whole else float(value)
        raise ParameterError(self.name, value, f"must be {self.range}")

    def parse(self, text: str) -> Value:
        """Read the parameter from text, as a command line gives it, and check it."""
        word = text.strip()
        if self.type is bool and word.lower() in _TRUE | _FALSE:
            return word.lower() in _TRUE
        if self.type is str:
            return self.check(word)
        try:
            return self.check(int(word) if self.type is int else float(word))
        except ValueError as error:
            raise ParameterError(self.name, text, f"must be {self.range}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterSet:
    """Base of each system's parameters: a dataclass of fields made by the functions below."""

    @classmethod
    def described(cls) -> tuple[Parameter, ...]:
        """Describe every parameter, in the order of their declaration."""
        return tuple(Parameter(name=f.name, **f.metadata) for f in fields(cls))

    @classmethod
    def build(cls, given: Mapping[str, object]) -> Self:
        """Check `given` name by name; what is left out takes its default."""
        known = {parameter.name: parameter for parameter in cls.described()}
        for name, value in given.items():
            if name not in known:
                raise ParameterError(name, value, "unknown; known are " + ", ".join(sorted(known)))
        built = cls(**{name: known[name].check(value) for name, value in given.items()})
        built.check_together()
        return built

    def check_together(self) -> None:
        """Raise ParameterError where parameters, each in its range, do not fit each other."""

    def check_rising(self, lower: str, upper: str) -> None:
        """Raise ParameterError unless the parameter named `upper` is above the one named `lower`."""
        low, high = getattr(self, lower), getattr(self, upper)
        if not low < high:
            expected = gettext_noop("must be above %(lower)s, which is %(low)s")
            raise ParameterError(upper, high, expected, lower=lower, low=low)

    def check_not_below(self, lower: str, upper: str) -> None:
        """Raise ParameterError if the parameter named `upper` is below the one named `lower`."""
        low, high = getattr(self, lower), getattr(self, upper)
        if high < low:
            expected = gettext_noop("must not be below %(lower)s, which is %(low)s")
            raise ParameterError(upper, high, expected, lower=lower, low=low)

    def as_dict(self) -> dict[str, Value]:
        return asdict(self)


class _Words(TypedDict):
    """What every declaration says, by name; what may be left out is as in `Parameter`."""

    label: str
    help: str
    unit: NotRequired[str]
    step: NotRequired[float | None]
    group: NotRequired[Group]


def number(default: float, low: float, high: float, **words: Unpack[_Words]) -> Any:
    """Declare a real parameter within [low, high]."""
    return _declare(float, default, minimum=low, maximum=high, **words)


def whole(default: int, low: int, high: int, **words: Unpack[_Words]) -> Any:
    """Declare a whole-numbered parameter within [low, high]."""
    return _declare(int, default, minimum=low, maximum=high, **words)


def switch(default: bool, **words: Unpack[_Words]) -> Any:
    """Declare a parameter that is on or off."""
    return _declare(bool, default, **words)


def choice(default: str, *choices: str, **words: Unpack[_Words]) -> Any:
    """Declare a parameter that takes one of a few words."""
    return _declare(str, default, choices=choices, **words)


def text(default: str, longest: int, **words: Unpack[_Words]) -> Any:
    """Declare a parameter that is text, of which the set of parameters knows the grammar."""
    return _declare(str, default, maximum=longest, **words)


def _declare(kind: type, default: Value, **more: Any) -> Any:
    return field(default=default, metadata={"type": kind, "default": default, **more})
