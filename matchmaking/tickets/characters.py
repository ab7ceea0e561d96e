"""With which characters players take part: names that everybody reads, most of them their own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from matchmaking.models import Preference, Queue
from matchmaking.refusals import WrongPreferencesError
from matchmaking.tickets.preferences import InvalidPreferences, Path, Wrong
from ratings.models import Player, Rating, SuspendedFrom
from ratings.players.claim import refused_word
from ratings.sanctions import SuspendedError, suspended

__all__ = [
    "Choice",
    "check_kept",
    "check_not_made_up",
    "check_own",
    "check_words",
    "forget_made_up",
]


@dataclass(frozen=True, slots=True)
class Choice:
    """What one player has chosen for the match: a character, and roles to take; empty: any.

    `path` is where this stands in what was given: errors name it. `by_other`: another player has said so.
    """

    character: str = ""
    roles: Sequence[str] = ()
    path: tuple[str | int, ...] = ()
    by_other: bool = False


def check_words(queue: Queue, character: str, path: Path) -> None:
    """Raise InvalidPreferences for the name of a character with a word that the game refuses: everybody reads it."""
    if character and refused_word(queue.ladder.game, character) is not None:
        words = _("“%(given)s” holds a word that this game refuses.") % {"given": character}
        raise InvalidPreferences([Wrong(path, words)])


def check_own(queue: Queue, characters: Mapping[int, str], choices: Mapping[int, Choice]) -> None:
    """Raise WrongPreferencesError where one player names a character for another that is not that one's own: everybody
    reads it as its choice.

    Its own is what it has kept for the queue or is rated with on the ladder, if others play it, too: what it alone
    plays is its words, which it may not write any more (`check_not_made_up`), and nobody may find out about that.
    """
    others = {pk: name for pk, name in characters.items() if name and choices[pk].by_other}
    if not others:
        return
    kept = Preference.objects.filter(queue=queue, player__in=others)
    own = set(kept.values_list("player", "character"))
    rated = Rating.objects.filter(track__ladder=queue.ladder_id, facet__in=others.values())
    with_it = set(rated.values_list("player", "facet"))
    own |= with_it
    wrong = [
        Wrong(
            (*choices[pk].path, "character"),
            _(
                "“%(given)s” can't be named for another player: each chooses the own character, and only one that"
                " this player and others play already may be named."
            )
            % {"given": name},
        )
        for pk, name in others.items()
        if (pk, name) not in own or not any(it == name and who != pk for who, it in with_it)
    ]
    if wrong:
        raise WrongPreferencesError(wrong)


def check_not_made_up(queue: Queue, player: int, character: str) -> None:
    """Raise SuspendedError where a player who is suspended from writing to others takes a character that nobody else
    has a rating with on the ladder: it is its own words.

    Asked of whoever chooses it. What others in a party have kept goes with them as it is, for else the leader would
    see who is suspended; what they had made up was forgotten with the suspension (`forget_made_up`).
    """
    if not character:
        return
    for sanction in suspended([player], SuspendedFrom.TALK).values():
        if not _is_played_by_others(queue, character, player):
            raise SuspendedError(sanction)


def check_kept(queue: Queue, player: Player, character: str) -> None:
    """Raise InvalidPreferences or SuspendedError where the player may not keep this character for its next search."""
    check_words(queue, character, ("character",))
    if (
        character
        and not Preference.objects.filter(queue=queue, player=player, character=character).exists()
    ):
        check_not_made_up(queue, player.pk, character)


def forget_made_up(player: Player) -> None:
    """Keep no character for a player's next searches with which nobody else has a rating: it is suspended from writing.

    For good: were it only left out meanwhile, a party's leader could find out why.
    """
    for kept in (
        Preference.objects.filter(player=player).exclude(character="").select_related("queue")
    ):
        if not _is_played_by_others(kept.queue, kept.character, player.pk):
            Preference.objects.filter(pk=kept.pk, character=kept.character).update(character="")


def _is_played_by_others(queue: Queue, character: str, player: int) -> bool:
    known = Rating.objects.filter(track__ladder=queue.ladder_id, facet=character)
    return known.exclude(player=player).exists()
