"""All sections together, built from what is stored and given back as it is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

from matchmaking.pairing.settings.condition_sections import (
    Avoided,
    Chance,
    Conduct,
    Exchange,
    Language,
    Region,
    Rematch,
    Rules,
    Style,
)
from matchmaking.pairing.settings.match_sections import Bootstrap, Buckets, Maps, Teams
from matchmaking.pairing.settings.text_lists import (
    GameMap,
    Level,
    read_levels,
    read_maps,
    read_numbers,
    read_roles,
    read_words,
)
from ratings.systems.parameters import ParameterError, ParameterSet, Value, gettext_noop

__all__ = ["SECTIONS", "STRATEGIES", "Settings"]

SECTIONS: dict[str, type[ParameterSet]] = {
    "exchange": Exchange,
    "chance": Chance,
    "language": Language,
    "region": Region,
    "style": Style,
    "rules": Rules,
    "rematch": Rematch,
    "avoided": Avoided,
    "conduct": Conduct,
    "teams": Teams,
    "maps": Maps,
    "buckets": Buckets,
    "bootstrap": Bootstrap,
}
STRATEGIES = ("filters", "buckets", "fcfs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What an operator has chosen for a queue; without anything said, the defaults."""

    strategy: str = "filters"
    exchange: Exchange = field(default_factory=Exchange)
    chance: Chance = field(default_factory=Chance)
    language: Language = field(default_factory=Language)
    region: Region = field(default_factory=Region)
    style: Style = field(default_factory=Style)
    rules: Rules = field(default_factory=Rules)
    rematch: Rematch = field(default_factory=Rematch)
    avoided: Avoided = field(default_factory=Avoided)
    conduct: Conduct = field(default_factory=Conduct)
    teams: Teams = field(default_factory=Teams)
    maps: Maps = field(default_factory=Maps)
    buckets: Buckets = field(default_factory=Buckets)
    bootstrap: Bootstrap = field(default_factory=Bootstrap)

    @classmethod
    def build(cls, strategy: str, given: Mapping[str, Any]) -> Self:
        """Check `given`, parameters by section and name; what is left out takes its default.

        Raises ParameterError, whose `parameter` is "section.name".
        """
        if strategy not in STRATEGIES:
            raise ParameterError("strategy", strategy, "must be one of " + ", ".join(STRATEGIES))
        built = {name: _build(name, values) for name, values in given.items()}
        return cls(strategy=strategy, **built)

    @classmethod
    def read(cls, strategy: str, stored: Mapping[str, Any]) -> tuple[Self, list[ParameterError]]:
        """Read what was stored, by another version perhaps; what does not fit takes its default, and is told."""
        known: dict[str, Any] = {}
        wrong: list[ParameterError] = []
        for name, values in stored.items():
            try:
                known[name] = _build(name, values)
            except ParameterError as error:
                wrong.append(error)
        return cls(strategy=strategy, **known), wrong

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
        return {
            f.name: getattr(self, f.name).as_dict() for f in fields(self) if f.name != "strategy"
        }

    def different(self) -> dict[str, dict[str, Value]]:
        """What differs from the defaults, by section and name: as a queue keeps it. `build` reads it."""
        chosen = {}
        for name, section in SECTIONS.items():
            usual, values = section().as_dict(), getattr(self, name).as_dict()
            if values != usual:
                chosen[name] = {key: v for key, v in values.items() if v != usual[key]}
        return chosen

    def uses(self, name: str) -> bool:
        """Whether a section with a `use` is a condition here, or divides the buckets.

        Avoided players are one in every strategy; in the order of arrival, and in buckets without
        filters inside, nothing else is.
        """
        buckets = self.strategy == "buckets"
        if buckets and any(name in level.by for level in self.levels):
            return True
        filters = self.strategy == "filters" or (buckets and self.buckets.filters_inside)
        return (filters or name == "avoided") and getattr(self, name).use != "off"

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
        """The words that players choose from, by wish; none: any words."""
        styles = read_words("style.names", self.style.names)
        return {
            "regions": read_words("region.names", self.region.names),
            "styles": styles,
            "styles_wanted": styles,
            "rules": read_words("rules.names", self.rules.names),
        }


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
