"""All sections together, built from what is stored and given back as it is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar, cast

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.conditions import BUILT_IN
from matchmaking.pairing.section import Section, read_words
from matchmaking.pairing.settings.match_sections import (
    Alerts,
    Bootstrap,
    Buckets,
    Exchange,
    Maps,
    Teams,
    Timing,
)
from matchmaking.pairing.settings.text_lists import (
    GameMap,
    Level,
    read_levels,
    read_maps,
    read_numbers,
    read_roles,
)
from ratings.systems.parameters import ParameterError, Value, gettext_noop

__all__ = ["SECTIONS", "STRATEGIES", "Settings"]

_OF_CONDITIONS: dict[str, type[Section]] = {
    kind.section.name: kind.section for kind in BUILT_IN if kind.section
}
# In the order of pages.
_ORDER: tuple[type[Section], ...] = (
    Exchange, Timing, *_OF_CONDITIONS.values(), Teams, Maps, Buckets, Bootstrap, Alerts,
)  # fmt: skip
SECTIONS: dict[str, type[Section]] = {section.name: section for section in _ORDER}
# How a queue looks for matches, and what people read of it.
STRATEGIES = {
    "filters": gettext_noop("filters that widen"),
    "buckets": gettext_noop("buckets"),
    "fcfs": gettext_noop("first come, first served"),
}

S = TypeVar("S", bound=Section)


def _conditions_by_default() -> dict[str, Section]:
    return {name: section() for name, section in _OF_CONDITIONS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What an operator has chosen for a queue; without anything said, the defaults.

    conditions  the section of each condition that has one, by its name: see `of`
    """

    strategy: str = "filters"
    exchange: Exchange = field(default_factory=Exchange)
    timing: Timing = field(default_factory=Timing)
    conditions: Mapping[str, Section] = field(default_factory=_conditions_by_default)
    teams: Teams = field(default_factory=Teams)
    maps: Maps = field(default_factory=Maps)
    buckets: Buckets = field(default_factory=Buckets)
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    alerts: Alerts = field(default_factory=Alerts)

    @classmethod
    def build(cls, strategy: str, given: Mapping[str, Any]) -> Self:
        """Check `given`, parameters by section and name; what is left out takes its default.

        Raises ParameterError, whose `parameter` is "section.name".
        """
        if strategy not in STRATEGIES:
            raise ParameterError("strategy", strategy, "must be one of " + ", ".join(STRATEGIES))
        return cls._of(strategy, {name: _build(name, values) for name, values in given.items()})

    @classmethod
    def read(cls, strategy: str, stored: Mapping[str, Any]) -> tuple[Self, list[ParameterError]]:
        """Read what was stored, by another version perhaps; what does not fit takes its default, and is named."""
        known: dict[str, Any] = {}
        wrong: list[ParameterError] = []
        for name, values in stored.items():
            try:
                known[name] = _build(name, values)
            except ParameterError as error:
                wrong.append(error)
        return cls._of(strategy, known), wrong

    @classmethod
    def _of(cls, strategy: str, sections: Mapping[str, Any]) -> Self:
        others = {name: one for name, one in sections.items() if name not in _OF_CONDITIONS}
        chosen = {name: one for name, one in sections.items() if name in _OF_CONDITIONS}
        return cls(strategy=strategy, conditions=_conditions_by_default() | chosen, **others)

    def of(self, kind: type[Condition]) -> Section:
        """The section of a condition that has one."""
        if kind.section is None:
            raise TypeError(f"{kind.__name__} has no section in the settings of a queue")
        return self.conditions[kind.section.name]

    def section(self, kind: type[S]) -> S:
        """The section of that class."""
        found = self.conditions.get(kind.name) or getattr(self, kind.name)
        return cast("S", found)

    def check_team(self, size: int) -> None:
        """Raise ParameterError where a team of this size cannot have all the roles: nobody would ever be matched."""
        needed = sum(self.roles.values())
        if needed > size:
            expected = gettext_noop(
                "must be for at most %(size)s players, as many as a team of the ladder has; these are for %(needed)s"
            )
            raise ParameterError(
                "teams.roles", self.teams.roles, expected, size=size, needed=needed
            )

    def as_dict(self) -> dict[str, dict[str, Value]]:
        """Every section by name, without the strategy."""
        return {name: self.section(kind).as_dict() for name, kind in SECTIONS.items()}

    def different(self) -> dict[str, dict[str, Value]]:
        """What differs from the defaults, by section and name: as a queue keeps it. `build` reads it."""
        chosen = {}
        for name, section in SECTIONS.items():
            usual, values = section().as_dict(), self.section(section).as_dict()
            if values != usual:
                chosen[name] = {key: v for key, v in values.items() if v != usual[key]}
        return chosen

    def uses(self, kind: type[Condition]) -> bool:
        """Whether a built-in condition is asked here, or divides the buckets.

        Some are in every strategy; in the order of arrival, and in buckets without filters inside,
        the others are not.
        """
        is_in_buckets = self.strategy == "buckets"
        criterion = kind.section.name if kind.section else ""
        if is_in_buckets and any(criterion in level.by for level in self.levels):
            return True
        filters = self.strategy == "filters" or (is_in_buckets and self.buckets.filters_inside)
        return (filters or kind.is_always_held) and kind.is_on(self)

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels of buckets."""
        return read_levels("buckets.levels", self.buckets.levels)

    @property
    def borders(self) -> tuple[float, ...]:
        """Ratings between the skill classes."""
        return read_numbers("buckets.borders", self.buckets.borders)

    @property
    def game_maps(self) -> tuple[GameMap, ...]:
        """The maps of the queue."""
        return read_maps("maps.names", self.maps.names)

    @property
    def roles(self) -> dict[str, int]:
        """How many of each role a team needs."""
        return read_roles("teams.roles", self.teams.roles)

    @property
    def vocabulary(self) -> dict[str, tuple[str, ...]]:
        """The words that players choose from, by preference; none: any words. Others are not of a vocabulary."""
        found: dict[str, tuple[str, ...]] = {}
        for kind in BUILT_IN:
            if kind.section is None or not hasattr(section := self.of(kind), "names"):
                continue
            words = read_words(f"{section.name}.names", section.names)
            found |= dict.fromkeys((preference.name for preference in kind.preferences), words)
        return found


def _build(name: str, values: Any) -> Any:
    if name not in SECTIONS:
        raise ParameterError(name, values, "unknown; known are " + ", ".join(SECTIONS))
    if not isinstance(values, Mapping):
        raise ParameterError(name, values, "must be an object of parameters")
    try:
        return SECTIONS[name].build(values)
    except ParameterError as error:
        where = f"{name}.{error.parameter}"
        raise ParameterError(where, error.value, error.template, **error.words) from error
