"""What a host asks of those who come: checked, and brought into the form that a room keeps.

Kept in `Room.filters`, without whatever is not asked for:

    {"rating": {"low": 1400.0, "high": 1700.0}, "chance": 0.15, "established": true, "languages": ["de"],
     "regions": ["eu"], "latency": 80.0, "styles": ["attack"], "rules": ["no items"], "tags": ["calm"],
     "countries": ["AT", "DE"], "age_groups": ["25-34"], "conduct": true, "own": true}
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from foundation.countries import COUNTRIES
from matchmaking.pages.preference_form import language_choices
from matchmaking.queues.own_conditions import own_conditions
from matchmaking.tickets.preferences import InvalidPreferences, Wrong, read_preferences
from people.models import AgeGroup
from rooms.places import Place

__all__ = ["BY_RATING", "FILTERS", "OF_QUEUES", "offered_filters", "read_filters"]

# Those that go by ratings: on ranked ladders alone.
BY_RATING = ("rating", "chance", "established")
# By what players tell of themselves, which may be for matching only.
OF_PROFILES = ("tags", "countries", "age_groups")
# By words of the ladder's queue.
OF_QUEUES = ("regions", "styles", "rules")
FILTERS = (
    *BY_RATING, "languages", "regions", "latency", "styles", "rules", *OF_PROFILES, "conduct", "own",
)  # fmt: skip
_RATINGS, _LATENCIES = 1e6, 5000.0
_MOST_WORDS = 50  # of which one is enough: conditions compare them as bits


def offered_filters(place: Place) -> list[str]:
    """Which filters rooms of this ladder can have."""
    hidden = set() if place.shows_ratings else set(BY_RATING)
    if not own_conditions():
        hidden.add("own")
    if not place.tags:
        hidden.add("tags")
    # Only words that the operator offers: others would be a host's own text for everybody to read.
    hidden |= {name for name in OF_QUEUES if not place.words(name)}
    if "regions" in hidden:
        hidden.add("latency")
    return [name for name in FILTERS if name not in hidden]


def read_filters(given: Any, place: Place, wrong: list[Wrong]) -> dict[str, Any]:
    """The filters as a room keeps them; what is wrong of them is added to `wrong`."""
    if not isinstance(given, Mapping):
        wrong.append(Wrong(("filters",), _("Filters are an object, each by its name.")))
        return {}
    offered, kept = offered_filters(place), {}
    for name, value in given.items():
        if name not in offered:
            words = _("There is no filter “%(name)s” here. There are: %(names)s.")
            values = {"name": str(name)[:30], "names": ", ".join(offered)}
            wrong.append(Wrong(("filters", str(name)), words % values))
        elif name == "languages":
            # A list of our own: others would be a host's words for everybody to read.
            kept[name] = _named(name, value, [code for code, _name in language_choices()], wrong)
        elif name in OF_QUEUES:
            kept[name] = _words(name, value, place, wrong)
        elif name == "tags":
            kept[name] = _named(name, value, list(place.tags), wrong)
        elif name == "age_groups":
            kept[name] = _named(name, value, AgeGroup.values, wrong)
        elif name == "countries":
            kept[name] = _countries(value, wrong)
        elif value not in (None, "", False):
            kept[name] = _READERS[name](value, wrong)
    if "latency" in kept and not kept.get("regions"):
        words = _("A latency is to one of the room's regions: name these, too.")
        wrong.append(Wrong(("filters", "latency"), words))
    return {name: value for name, value in kept.items() if value not in (None, [], {}, False)}


def _words(name: str, value: Any, place: Place, wrong: list[Wrong]) -> list[str]:
    """Words of a preference, read as searches read them."""
    try:
        found = read_preferences({name: value}, place.settings).get(name, [])
    except InvalidPreferences as error:
        wrong += [Wrong(("filters", *one.path), one.words) for one in error.wrong]
        return []
    return list(found)


def _named(name: str, value: Any, possible: Sequence[str], wrong: list[Wrong]) -> list[str]:
    """Those of the names that are possible; others are wrong, and too many of them, too."""
    given = [str(one) for one in (value if isinstance(value, list | tuple) else [value])]
    if unknown := [one for one in given if one not in possible]:
        words = _("“%(given)s” is not possible. Choose one of: %(names)s.")
        values = {"given": unknown[0][:40], "names": ", ".join(possible)}
        wrong.append(Wrong(("filters", name), words % values))
    return _not_too_many(name, [one for one in dict.fromkeys(given) if one in possible], wrong)


def _countries(value: Any, wrong: list[Wrong]) -> list[str]:
    """Countries by their two letters, as profiles have them."""
    given = [str(one) for one in (value if isinstance(value, list | tuple) else [value])]
    if unknown := [one for one in given if one not in COUNTRIES]:
        words = _("“%(given)s” is no country. Name countries by their two letters, such as DE.")
        wrong.append(Wrong(("filters", "countries"), words % {"given": unknown[0][:40]}))
        return []
    return _not_too_many("countries", list(dict.fromkeys(given)), wrong)


def _not_too_many(name: str, words: list[str], wrong: list[Wrong]) -> list[str]:
    if len(words) > _MOST_WORDS:
        said = _("Name %(most)d at most.") % {"most": _MOST_WORDS}
        wrong.append(Wrong(("filters", name), said))
    return words[:_MOST_WORDS]


def _rating(value: Any, wrong: list[Wrong]) -> dict[str, float]:
    ends = {}
    if isinstance(value, Mapping) and not set(value) - {"low", "high"}:
        ends = {
            end: float(points)
            for end, points in value.items()
            if _is_number(points) and abs(points) <= _RATINGS
        }
        asked = {end for end, points in value.items() if points is not None}
        if set(ends) == asked and ends.get("low", -_RATINGS) <= ends.get("high", _RATINGS):
            return ends
        if set(ends) == asked:
            wrong.append(
                Wrong(("filters", "rating"), _("The lower rating is above the higher one."))
            )
            return {}
    words = _(
        "A range of ratings has a lowest and a highest one, as in {“low”: 1400, “high”: 1700}."
    )
    wrong.append(Wrong(("filters", "rating"), words))
    return {}


def _between(name: str, low: float, high: float, says: str) -> Callable[[Any, list[Wrong]], Any]:
    def read(value: Any, wrong: list[Wrong]) -> float | None:
        if _is_number(value) and low <= value <= high:
            return float(value)
        wrong.append(Wrong(("filters", name), _(says)))
        return None

    return read


def _switch(name: str) -> Callable[[Any, list[Wrong]], Any]:
    def read(value: Any, wrong: list[Wrong]) -> bool:
        if value is not True:
            wrong.append(Wrong(("filters", name), _("This is true or false.")))
        return value is True

    return read


_READERS: dict[str, Callable[[Any, list[Wrong]], Any]] = {
    "rating": _rating,
    "chance": _between(
        "chance", 0.01, 0.5, gettext_noop("A chance is how far from even, from 0.01 to 0.5.")
    ),
    "latency": _between(
        "latency", 1, _LATENCIES, gettext_noop("A latency has 1 to 5,000 milliseconds.")
    ),
    "established": _switch("established"),
    "conduct": _switch("conduct"),
    "own": _switch("own"),
}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value
