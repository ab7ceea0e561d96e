"""Why a match was made, in words: from the record that the sweep kept beside the offer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _

from foundation.templatetags.display import percent
from matchmaking.models import Offer
from matchmaking.pairing.condition import Shown
from matchmaking.pairing.conditions import BUILT_IN
from matchmaking.pairing.settings import STRATEGIES
from matchmaking.queues.condition_words import (
    USES,
    condition_label,
    distance_in_words,
    in_unit,
)
from matchmaking.queues.own_conditions import own_conditions
from matchmaking.templatetags.play import rounded

__all__ = ["Why", "strategy_in_words", "why_of"]

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
class AskedCondition:
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
    conditions: list[AskedCondition]
    teams: list[Team]


def why_of(offer: Offer) -> Why | None:
    """Lay out an offer's record; None where none was kept."""
    record: dict[str, Any] = offer.record
    if not record:
        return None
    teams = [
        Team(rounded(one.get("rating")), " + ".join(str(size) for size in one.get("parties", [])))
        for one in record.get("teams", [])
    ]
    conditions = [_condition(one) for one in record.get("conditions", [])]
    return Why(facts=list(_facts(record)), conditions=conditions, teams=teams)


def strategy_in_words(name: str | None) -> str:
    """A strategy as its queue shows it."""
    if name in STRATEGIES:
        return gettext(STRATEGIES[name])
    if name == "bootstrap":
        return _("even mixing of a new pool")
    return name or _("strategy unknown")


def _facts(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Names and figures: of the search, of the ratings and teams, and of map and side."""
    yield _("Strategy"), strategy_in_words(record.get("strategy"))
    if "level" in record:
        yield _("Level of the buckets"), rounded(record["level"])
    if waited := record.get("waited"):
        yield _("Waited"), ", ".join(in_unit("s", seconds) for seconds in waited)
    if (gap := record.get("gap")) is not None:
        yield _("Rating gap between the teams"), rounded(gap)
    if (chance := record.get("chance")) is not None:
        yield _("Expected score of the first team"), percent(chance)
    if (cost := record.get("cost")) is not None:
        words = {"seconds": rounded(cost)}
        yield _("Conditions not fully met"), _("worth %(seconds)s s of waiting") % words
    if spread := record.get("spread"):
        words = {"points": rounded(spread.get("points"))}
        text = "%(points)s"
        if (accepted := spread.get("accepted")) is not None:
            words["accepted"] = rounded(accepted)
            text = _("%(points)s, of %(accepted)s that all accepted")
        yield _("Spread of the ratings"), text % words
    if split := record.get("split"):
        words = {
            "way": _SPLITS.get(split.get("way", ""), split.get("way")),
            "difference": rounded(split.get("difference")),
            "imparity": percent(split.get("imparity") or 0.0),
        }
        text = _("%(way)s; %(difference)s points apart, parties unlike by %(imparity)s")
        yield _("Split into teams"), text % words
    if roles := record.get("roles"):
        counts = [f"{role} {number}" for role, number in roles.items()]
        yield _("Roles of a team"), ", ".join(counts)
    if found := record.get("map"):
        words = {
            "map": found.get("name"),
            "why": _MAPS.get(found.get("why", ""), found.get("why")),
            "likes": rounded(found.get("likes")),
        }
        known = _("%(map)s: %(why)s; wanted by %(likes)s")
        yield _("Map"), (known if found.get("likes") else _("%(map)s: %(why)s")) % words
    if side := record.get("side"):
        words = {
            "why": _SIDES.get(side.get("why"), side.get("why")),
            "points": rounded(side.get("points")),
        }
        known = _("%(why)s; the first is worth %(points)s points")
        yield _("Side"), (known if side.get("points") else _("%(why)s; none is worth more")) % words


def _condition(one: Mapping[str, Any]) -> AskedCondition:
    name = str(one.get("name", ""))
    own = (type(condition) for condition in own_conditions())
    kind = {kind.record_name(): kind for kind in (*own, *BUILT_IN)}.get(name)
    shown = Shown.NUMBER if kind is None else kind.shown
    accepted = one.get("accepted")
    return AskedCondition(
        name=condition_label(name, kind),
        use=str(USES.get(str(one.get("use")), one.get("use"))),
        distance=distance_in_words(shown, one.get("distance")),
        accepted=_("anything") if accepted is None else distance_in_words(shown, accepted),
        cost=in_unit("s", one.get("cost")),
    )
