"""How a host wants a room to be: checked against what its ladder knows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from foundation.names import clean_name
from groups.read import own_group_ids
from matchmaking.tickets.preferences import Wrong
from ratings.players.claim import refused_word
from rooms.filters.declared import read_filters
from rooms.models import Access, MapChoice, Room, StartRule, TeamChoice
from rooms.places import Place
from rooms.refusals import WrongRoomError

__all__ = ["COLUMNS", "read_settings"]

# Columns that a host sets, in the order of forms and of the API.
COLUMNS = (
    "name", "note", "category", "access", "group_id", "team_choice", "map_choice", "map", "start_rule", "rated",
    "options", "filters",
)  # fmt: skip
_MOST_OPTIONS, _LONGEST_OPTION = 10, 40
_CHOICES = {
    "access": Access,
    "team_choice": TeamChoice,
    "map_choice": MapChoice,
    "start_rule": StartRule,
}


@dataclass(slots=True)
class _Reading:
    place: Place
    wrong: list[Wrong] = field(default_factory=list)

    def note(self, name: str, words: str) -> None:
        self.wrong.append(Wrong((name,), words))

    def text(self, name: str, value: Any, most: int, least: int = 0) -> str:
        """One line that can be shown, without words that the game refuses."""
        tidy = clean_name(value) if isinstance(value, str) and value.strip() else ""
        if not isinstance(value, str) or not least <= len(tidy) <= most:
            words = _("This must be a text of %(least)d to %(most)d characters.")
            self.note(name, words % {"least": least, "most": most})
        elif (word := refused_word(self.place.ladder.game, tidy)) is not None:
            self.note(name, _("“%(word)s” cannot be part of a text here.") % {"word": word})
        return tidy

    def choice(self, name: str, value: Any) -> Any:
        names = _CHOICES[name].values
        if value not in names:
            words = _("“%(given)s” is not possible. Choose one of: %(names)s.")
            self.note(name, words % {"given": str(value)[:40], "names": ", ".join(names)})
        return value

    def truth(self, name: str, value: Any) -> bool:
        if not isinstance(value, bool):
            self.note(name, _("This is true or false."))
        return value is True

    def category(self, value: Any) -> str:
        names = self.place.lobby.category_names
        if value not in names:
            words = _("“%(given)s” is not possible. Choose one of: %(names)s.")
            self.note("category", words % {"given": str(value)[:40], "names": ", ".join(names)})
        return str(value)

    def options(self, value: Any) -> list[str]:
        if not isinstance(value, list | tuple) or len(value) > _MOST_OPTIONS:
            self.note(
                "options",
                _("Options are a list of at most %(most)d texts.") % {"most": _MOST_OPTIONS},
            )
            return []
        found = [self.text("options", one, _LONGEST_OPTION, 1) for one in value]
        return list(dict.fromkeys(found))


def read_settings(
    given: Mapping[str, Any], place: Place, room: Room | None, host: int
) -> dict[str, Any]:
    """Columns of a room as the host, by its id, wants them; what is not given stays, or takes what rooms usually have.

    Raises WrongRoomError, which names everything that is wrong.
    """
    reading = _Reading(place)
    asked = {**_as_it_is(room, place), **given}
    for name in set(given) - set(COLUMNS):
        reading.note(
            name,
            _("A room has no such setting. It has: %(names)s.") % {"names": ", ".join(COLUMNS)},
        )
    found = {
        "name": reading.text("name", asked["name"], 60, 2),
        "note": reading.text("note", asked["note"], 200),
        "category": reading.category(asked["category"]),
        **{name: reading.choice(name, asked[name]) for name in _CHOICES},
        "rated": reading.truth("rated", asked["rated"]),
        "options": reading.options(asked["options"]),
        "filters": read_filters(asked["filters"], place, reading.wrong),
    }
    found["group_id"] = _read_group(asked["group_id"], found["access"], reading, room, host)
    found["map"] = _read_map(asked["map"], found["map_choice"], reading)
    if found["team_choice"] == TeamChoice.DRAFT and place.ladder.team_size == 1:
        reading.note("team_choice", _("Captains pick only where teams have several players."))
    if found["team_choice"] == TeamChoice.BALANCED and not place.shows_ratings:
        # Whoever fills a room with players of known strength would read from the teams where another stands.
        if "team_choice" in given:
            words = _(
                "Teams are balanced only where ratings are shown. Choose “seated” or “draft”."
            )
            reading.note("team_choice", words)
        found["team_choice"] = TeamChoice.SEATED
    if reading.wrong:
        raise WrongRoomError(reading.wrong)
    return found


def _read_map(value: Any, choice: Any, reading: _Reading) -> str:
    maps = reading.place.maps
    if choice in (MapChoice.VOTE, MapChoice.VETO) and len(maps) < 2:
        reading.note("map_choice", _("This ladder has no maps to choose from."))
    if choice != MapChoice.HOST:
        return ""
    if value in maps:
        return str(value)
    if not value and maps:
        reading.note("map", _("Choose the map that is played."))
        return ""
    words = _("“%(given)s” is not a map of this ladder. Its maps are: %(names)s.")
    reading.note("map", words % {"given": str(value)[:40], "names": ", ".join(maps) or "–"})
    return ""


def _read_group(
    value: Any, access: Any, reading: _Reading, room: Room | None, host: int
) -> int | None:
    """Whose members may come: one of the host's own groups, or the one that a host of before has chosen."""
    if access != Access.GROUP:
        return None
    kept = room.group_id if room is not None else None
    if isinstance(value, int) and (value == kept or value in own_group_ids(host)):
        return value
    reading.note("group", _("Choose a group that you are in."))
    return None


def _as_it_is(room: Room | None, place: Place) -> dict[str, Any]:
    if room is not None:
        return {name: getattr(room, name) for name in COLUMNS}
    return {
        "name": "",
        "note": "",
        "category": place.lobby.category_names[0],
        "access": Access.ALL,
        "group_id": None,
        "team_choice": TeamChoice.SEATED,
        "map_choice": MapChoice.GAME,
        "map": "",
        "start_rule": StartRule.HOST,
        "rated": True,
        "options": [],
        "filters": {},
    }
