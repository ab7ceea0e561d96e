"""A rating system as a ladder would run it: its parameters, the ladder's rules, and the periods."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ratings.systems import (
    Parameter,
    ParameterError,
    System,
    Value,
    create,
    declaration_of,
)
from ratings.systems.parameters import gettext_noop as _

__all__ = ["DEFAULT_PERIOD_DAYS", "RULES", "Setup", "known_parameters"]

DEFAULT_PERIOD_DAYS = 30.0
_LONGEST_DAYS, _SHORTEST_DAYS = 36_525.0, 1 / 86_400

# Rules of a ladder that enter the calculation, with a new ladder's values.
RULES = (
    Parameter(
        name="days_to_forget",
        type=float,
        default=10_000.0,
        minimum=1.0,
        maximum=100_000.0,
        label=_("Days to forget"),
        help=_(
            "After this many days without play, an average rating is as uncertain as a new one."
        ),
    ),
    Parameter(
        name="pool_minimum",
        type=int,
        default=20,
        minimum=0,
        maximum=10_000,
        label=_("Established players for a grown pool"),
        help=_("Until this many players are established, every rated game counts."),
    ),
    Parameter(
        name="drift_days",
        type=float,
        default=7.0,
        minimum=0.05,
        maximum=3650.0,
        label=_("Days between two dates of decay or inflation"),
        help=_("Of games that are rated at once; by period they come with the end of each."),
    ),
)


@cache
def known_parameters(name: str) -> Mapping[str, Parameter]:
    """What may be given to a system, by name; raises UnknownSystemError.

    `days_to_forget` only to systems with a parameter that follows from it unless it is given itself, `drift_days` to
    those of which time takes or gives points.
    """
    declaration = declaration_of(name)
    own = {parameter.name: parameter for parameter in declaration.parameters.described()}
    is_known = {
        "days_to_forget": declaration.forgetting is not None,
        "drift_days": bool(declaration.taken or declaration.given),
    }
    rules = {rule.name: rule for rule in RULES if is_known.get(rule.name, True)}
    return {**own, **rules}


@dataclass(frozen=True, slots=True)
class Setup:
    """`period_days` None: every game at once. Make it with `of`, which checks everything together."""

    name: str
    given: Mapping[str, Value]
    period_days: float | None

    @classmethod
    def of(
        cls, name: str, given: Mapping[str, object], period_days: float | None = None
    ) -> "Setup":
        """Check a setup; a system that needs periods gets 30 days unless given a length.

        Raises UnknownSystemError, or ParameterError naming the parameter, its value and its range.
        """
        known = known_parameters(name)
        for parameter, value in given.items():
            if parameter not in known:
                expected = "unknown; known are " + ", ".join(sorted(known))
                raise ParameterError(parameter, value, expected)
        declaration = declaration_of(name)
        rule = declaration.forgetting
        if rule is not None and rule.parameter in given and "days_to_forget" in given:
            expected = _("must be left out where days_to_forget is given: it follows from that")
            raise ParameterError(rule.parameter, given[rule.parameter], expected)
        checked = {parameter: known[parameter].check(value) for parameter, value in given.items()}
        if period_days is None and declaration.is_period:
            period_days = DEFAULT_PERIOD_DAYS
        if period_days is not None and not _SHORTEST_DAYS <= period_days <= _LONGEST_DAYS:
            raise ParameterError("period", period_days, "must be from 1/86400 to 36525 days")
        setup = cls(name, checked, period_days)
        setup.system()
        return setup

    @property
    def pool_minimum(self) -> int:
        """How many established players make a grown pool."""
        return int(self.value("pool_minimum"))

    @property
    def drift_days(self) -> float:
        """Days between two dates by which ratings drift, where games are rated at once."""
        known = known_parameters(self.name)
        return float(self.value("drift_days")) if "drift_days" in known else 7.0

    def value(self, name: str) -> Value:
        """The value in force of a parameter, a rule, or `period` in days (0: none)."""
        if name == "period":
            return self.period_days or 0.0
        known = known_parameters(self.name)
        return self.given.get(name, known[name].default)

    def system(self) -> System:
        """Make the system; raises ParameterError where parameters do not fit each other."""
        rules = {rule.name for rule in RULES}
        chosen = {name: value for name, value in self.given.items() if name not in rules}
        declaration = declaration_of(self.name)
        if declaration.forgetting is not None:
            days = float(self.value("days_to_forget"))
            chosen |= declaration.following(
                chosen, days_to_forget=days, period_days=self.period_days
            )
        return create(self.name, **chosen)

    def changed(self, values: Mapping[str, Value]) -> "Setup":
        """The setup with other values; `period` may be among them. Raises ParameterError."""
        own = {name: value for name, value in values.items() if name != "period"}
        days = float(values["period"]) if "period" in values else self.period_days
        return Setup.of(self.name, {**self.given, **own}, days)
