"""Who may challenge whom, ask whom to be friends, and see what somebody is at.

Everything in which one player turns to another asks here first: challenges, invitations, requests. (Who reads whom in
a talk of several is asked in `talk/listen.py`, reader by reader.) What counts is what the other has chosen
(`people.wishes`), and blocks either way; not the list of those one avoids, which nobody is to guess. A refusal is
`people.refusals.NotOpenToThisError`, whatever the reason.

Players are named by their ids; who is merged into another, or deleted, is open to nothing.
"""

from collections.abc import Collection

from people import blocks
from people.models import ContactWishes, Whom
from people.refusals import NotOpenToThisError
from people.ties import friends_among
from ratings.models import Player
from ratings.players.site_ids import is_deleted

__all__ = [
    "askable",
    "challengeable",
    "check_challenge",
    "may_ask",
    "may_challenge",
    "presence_shown",
]


def may_challenge(sender: int, receiver: int) -> bool:
    """Whether a player may challenge another, or invite them into a room or a party."""
    return receiver in challengeable(sender, [receiver])


def may_ask(sender: int, receiver: int) -> bool:
    """Whether a player may follow another, and ask to be friends."""
    return receiver in _open_to("ask", sender, [receiver])


def check_challenge(sender: int, receiver: int) -> None:
    """Raise NotOpenToThisError where the player may not challenge the other."""
    if not may_challenge(sender, receiver):
        raise NotOpenToThisError(receiver)


def challengeable(sender: int, receivers: Collection[int]) -> set[int]:
    """Those of the receivers whom the player may challenge. Four queries."""
    return _open_to("challenge", sender, receivers)


def askable(sender: int, receivers: Collection[int]) -> set[int]:
    """Those of the receivers whom the player may follow, and ask to be friends. Three queries."""
    return _open_to("ask", sender, receivers)


def presence_shown(
    viewer: int, players: Collection[int], *, as_to_friends: Collection[int] = ()
) -> set[int]:
    """Those of the players whose presence the player may see; its own always. Four queries.

    as_to_friends  those of them who show the viewer, for another reason, what they show their friends
    """
    own = {viewer} & set(players)
    return own | _open_to("see", viewer, players, as_to_friends)


def _open_to(
    what: str, sender: int, receivers: Collection[int], as_to_friends: Collection[int] = ()
) -> set[int]:
    """Those of the receivers who let the sender do this, `what` being a column of their wishes."""
    others = set(receivers) - {sender}
    if not others:
        return set()
    rows = Player.objects.filter(pk__in=[*others, sender], merged_into=None)
    known = {one.pk: one.game_id for one in rows if not is_deleted(one)}
    if sender not in known:
        return set()
    others = {pk for pk in others if known.get(pk) == known[sender]}
    others -= blocks.with_any(sender, others)
    by_player = dict(
        ContactWishes.objects.filter(player__in=others).values_list("player", what),
    )
    default = getattr(ContactWishes(), what)
    chosen = {pk: by_player.get(pk, default) for pk in others}
    found = {pk for pk, whom in chosen.items() if whom == Whom.EVERYONE}
    only_friends = [pk for pk, whom in chosen.items() if whom == Whom.FRIENDS]
    found |= set(only_friends) & set(as_to_friends)
    return found | (friends_among(sender, only_friends) if only_friends else set())
