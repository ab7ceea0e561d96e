"""What a player wants of the next match in a queue: kept between searches, and read for all who search together."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matchmaking.models import Preference, Queue
from matchmaking.pairing.settings import Settings
from matchmaking.queues.settings import settings_of
from matchmaking.tickets.create import Choice
from ratings.models import Player

__all__ = ["Wanted", "choices_of", "prefer", "wanted_by"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Wishes as `matchmaking.tickets.preferences` keeps them, a character and roles; empty: any."""

    wishes: Mapping[str, Any]
    character: str
    roles: Sequence[str]


def prefer(*, player: Player, queue: Queue, wanted: Wanted) -> None:
    """Keep what a player wants, checked before; it holds for the next search."""
    values = {
        "wishes": dict(wanted.wishes),
        "character": wanted.character,
        "roles": list(wanted.roles),
    }
    Preference.objects.update_or_create(player=player, queue=queue, defaults=values)


def wanted_by(player_id: int, queue: Queue) -> Wanted:
    """What a player wanted last in a queue, as far as there are such roles, maps and words still. One query."""
    kept = Preference.objects.filter(player=player_id, queue=queue).first()
    if kept is None:
        return Wanted({}, "", [])
    settings = settings_of(queue)
    roles = [role for role in kept.roles if role in settings.roles]
    return Wanted(_known_wishes(kept.wishes, settings), kept.character, roles)


def _known_wishes(wishes: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    others = {name: value for name, value in wishes.items() if name != "maps"}
    for wish, words in settings.vocabulary.items():
        if words and wish in others:
            kept = [word for word in others[wish] if word in words]
            others[wish] = dict.fromkeys(kept) if wish == "regions" else kept
    return {name: value for name, value in others.items() if value} | _known_maps(wishes, settings)


def _known_maps(wishes: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    names = {one.name for one in settings.game_maps}
    given: Mapping[str, list[str]] = wishes.get("maps", {})
    maps = {kind: [name for name in given[kind] if name in names] for kind in given}
    # Maps that are gone may leave nothing but refused ones.
    is_some = any(maps.values()) and set(maps.get("veto", ())) != names
    return {"maps": maps} if is_some else {}


def choices_of(player_ids: Collection[int], queue: Queue) -> dict[int, Choice]:
    """With which character and in which of the queue's roles players want to take part. One query."""
    roles = settings_of(queue).roles
    kept = Preference.objects.filter(player__in=player_ids, queue=queue)
    return {
        one.player_id: Choice(one.character, [role for role in one.roles if role in roles])
        for one in kept
    }
