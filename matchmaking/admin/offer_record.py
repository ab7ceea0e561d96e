"""Why a match was made, in words: from the record that the sweep kept beside the offer."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from foundation.templatetags.display import percent
from matchmaking.models import Offer, Strategy
from matchmaking.templatetags.play import rounded

__all__ = ["Asked", "Team", "Why", "strategy_in_words", "why_of"]

Facts = Iterator[tuple[str, str]]

_CONDITIONS = {
    "rating_gap": gettext_lazy("Rating gap"),
    "win_chance": gettext_lazy("Chance to win"),
    "language": gettext_lazy("Language"),
    "region": gettext_lazy("Region and latency"),
    "style": gettext_lazy("Style of play"),
    "rules_wish": gettext_lazy("Optional rules"),
    "rematch": gettext_lazy("No rematch"),
    "avoid": gettext_lazy("Block lists"),
    "conduct_like": gettext_lazy("Conduct"),
    "map_shared": gettext_lazy("A map in common"),
}
_USES = {
    "must": pgettext_lazy("condition", "must"),
    "drop": pgettext_lazy("condition", "drop after some time"),
    "prefer": pgettext_lazy("condition", "prefer"),
}
_MAPS = {
    "only": gettext_lazy("vetoes left no other"),
    "even": gettext_lazy("the others would have been less even"),
    "liked": gettext_lazy("most players wanted it"),
    "lot": gettext_lazy("drawn by lot"),
}
_SIDES = {
    "weaker first": gettext_lazy("the weaker team plays the better side, which is the first"),
    "weaker last": gettext_lazy("the weaker team plays the better side, which is the last"),
    "lot": gettext_lazy("drawn by lot"),
}
_SPLITS = {
    "best": gettext_lazy("the most even of all splits"),
    "exchanges": gettext_lazy("strongest first, then exchanged while that made it more even"),
    "rule": gettext_lazy("strongest first, each to the team with the lowest total"),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A condition that was asked, in words. `cost`: what it disliked, in seconds of waiting."""

    name: str
    use: str
    distance: str
    accepted: str
    cost: str


@dataclass(frozen=True, slots=True)
class Team:
    """A team by its mean rating and the sizes of its parties."""

    rating: str
    parties: str


@dataclass(frozen=True, slots=True)
class Why:
    """What is known: single figures with their names, the conditions, and the teams where there are several a side."""

    facts: list[tuple[str, str]]
    conditions: list[Asked]
    teams: list[Team]


def why_of(offer: Offer) -> Why | None:
    """Lay out an offer's record; None where none was kept."""
    record: dict[str, Any] = offer.record
    if not record:
        return None
    return Why(
        facts=[*_search_facts(record), *_figure_facts(record), *_ground_facts(record)],
        conditions=[_asked(one) for one in record.get("conditions", [])],
        teams=[_team(one) for one in record.get("teams", [])],
    )


def strategy_in_words(name: str | None) -> str:
    """A strategy as its queue shows it."""
    if name in Strategy.values:
        return str(Strategy(name).label)
    if name == "bootstrap":
        return _("even mixing of a new pool")
    return name or _("strategy unknown")


def _search_facts(record: Mapping[str, Any]) -> Facts:
    yield _("Strategy"), strategy_in_words(record.get("strategy"))
    if "level" in record:
        yield _("Level of the buckets"), rounded(record["level"])
    if waited := record.get("waited"):
        yield _("Waited"), ", ".join(_in("s", seconds) for seconds in waited)


def _figure_facts(record: Mapping[str, Any]) -> Facts:
    if (gap := record.get("gap")) is not None:
        yield _("Rating gap between the teams"), rounded(gap)
    if (chance := record.get("chance")) is not None:
        yield _("Expected score of the first team"), percent(chance)
    if (cost := record.get("cost")) is not None:
        yield (
            _("Conditions not fully met"),
            _("worth %(seconds)s s of waiting") % {"seconds": rounded(cost)},
        )
    if spread := record.get("spread"):
        yield _("Spread of the ratings"), _within(spread.get("points"), spread.get("accepted"))
    if split := record.get("split"):
        yield _("Split into teams"), _split(split)
    if roles := record.get("roles"):
        yield (
            _("Roles of a team"),
            ", ".join(f"{role} {number}" for role, number in roles.items()),
        )


def _ground_facts(record: Mapping[str, Any]) -> Facts:
    if found := record.get("map"):
        yield _("Map"), _map(found)
    if side := record.get("side"):
        words = {
            "why": _SIDES.get(side.get("why"), side.get("why")),
            "points": rounded(side.get("points")),
        }
        known = _("%(why)s; the first is worth %(points)s points")
        yield _("Side"), (known if side.get("points") else _("%(why)s; none is worth more")) % words


def _map(found: Mapping[str, Any]) -> str:
    words = {
        "map": found.get("name"),
        "why": _MAPS.get(found.get("why", ""), found.get("why")),
        "likes": rounded(found.get("likes")),
    }
    if not found.get("likes"):
        return _("%(map)s: %(why)s") % words
    return _("%(map)s: %(why)s; wanted by %(likes)s") % words


def _split(split: Mapping[str, Any]) -> str:
    words = {
        "way": _SPLITS.get(split.get("way", ""), split.get("way")),
        "difference": rounded(split.get("difference")),
        "imparity": percent(split.get("imparity") or 0.0),
    }
    return _("%(way)s; %(difference)s points apart, parties unlike by %(imparity)s") % words


def _within(points: float | None, accepted: float | None) -> str:
    if accepted is None:
        return rounded(points)
    words = {"points": rounded(points), "accepted": rounded(accepted)}
    return _("%(points)s, of %(accepted)s that all accepted") % words


def _asked(one: Mapping[str, Any]) -> Asked:
    """A game's own condition is named as its class is, in the unit that only the game knows."""
    name = str(one.get("name", ""))
    say = _SAYS.get(name, rounded)
    accepted = one.get("accepted")
    return Asked(
        name=str(_CONDITIONS.get(name) or capfirst(name.replace("_", " "))),
        use=str(_USES.get(str(one.get("use")), one.get("use"))),
        distance=say(one.get("distance")),
        accepted=_("anything") if accepted is None else say(accepted),
        cost=_in("s", one.get("cost")),
    )


def _team(one: Mapping[str, Any]) -> Team:
    sizes = [str(size) for size in one.get("parties", [])]
    return Team(rating=rounded(one.get("rating")), parties=" + ".join(sizes))


def _share(value: float | None) -> str:
    return percent(value)


def _in(unit: str, value: float | None) -> str:
    return "–" if value is None else f"{rounded(value)}\u202f{unit}"


def _latency(value: float | None) -> str:
    return _in("ms", value)


def _fit(value: float | None) -> str:
    """Of a condition that is met or not."""
    return _("no match") if value is None or value >= 1 else _("fits")


_SAYS: dict[str, Callable[[float | None], str]] = {
    "win_chance": _share,
    "region": _latency,
    **dict.fromkeys(("language", "style", "rules_wish", "avoid", "map_shared"), _fit),
}
