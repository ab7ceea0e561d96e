"""What a player wants of the next match in a queue: kept between searches, and read for all who search together."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matchmaking.models import Preference, Queue, Ticket
from matchmaking.pairing.conditions import PREFERENCES
from matchmaking.pairing.preference import PreferenceKind
from matchmaking.parties.own_party import own_party
from matchmaking.queues.settings import settings_of
from matchmaking.tickets import lifecycle
from matchmaking.tickets.characters import Choice
from ratings.models import Player

__all__ = ["Wanted", "choices_of", "prefer", "search_as_saved", "wanted_by"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Preferences as `matchmaking.tickets.preferences` keeps them, a character and roles; empty: any."""

    preferences: Mapping[str, Any]
    character: str
    roles: Sequence[str]


def prefer(*, player: Player, queue: Queue, wanted: Wanted) -> None:
    """Keep what a player wants, checked before; it holds for the next search."""
    values = {
        "wishes": dict(wanted.preferences),
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
    vocabulary, maps = settings.vocabulary, {one.name for one in settings.game_maps}
    known: dict[str, Any] = {}
    for name, value in kept.wishes.items():
        declared, words = PREFERENCES.get(name), vocabulary.get(name)
        match declared.kind if declared else None:
            case PreferenceKind.WORDS if words:
                known[name] = [word for word in value if word in words]
            case PreferenceKind.LATENCIES if words:
                known[name] = dict.fromkeys(word for word in value if word in words)
            case PreferenceKind.MAPS:
                lists = {part: [one for one in value[part] if one in maps] for part in value}
                # Maps that are gone may leave nothing but refused ones.
                is_some = any(lists.values()) and set(lists.get("veto", ())) != maps
                known[name] = lists if is_some else {}
            case _:
                known[name] = value
    known = {name: value for name, value in known.items() if value}
    return Wanted(known, kept.character, roles)


def choices_of(player_ids: Collection[int], queue: Queue) -> dict[int, Choice]:
    """With which character and in which of the queue's roles players want to take part. One query."""
    roles = settings_of(queue).roles
    kept = Preference.objects.filter(player__in=player_ids, queue=queue)
    return {
        one.player_id: Choice(one.character, [role for role in one.roles if role in roles])
        for one in kept
    }


def search_as_saved(*, queue: Queue, player: Player, wants_partner: bool = False) -> Ticket:
    """Begin to search on a page, with what was wanted last; where matches are of teams, for the player's whole party.
    `wants_partner`: of the game, if nobody comes.

    Raises what `matchmaking.tickets.lifecycle.join` does.
    """
    wanted = wanted_by(player.pk, queue)
    party = own_party(player.pk) if queue.ladder.team_size > 1 else None
    others = [one.pk for one in party.members if one.pk != player.pk] if party else []
    return lifecycle.join(
        queue=queue,
        player=player,
        party=party.id if party else None,
        preferences=wanted.preferences,
        character=wanted.character,
        roles=wanted.roles,
        others=choices_of(others, queue),
        by_page=True,
        wants_partner=wants_partner,
    )
