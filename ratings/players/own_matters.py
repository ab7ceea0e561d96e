"""Nobody decides what concerns the own player: neither as an operator nor as a superuser, unless nobody else could."""

from collections.abc import Callable, Collection

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from foundation.refusals import RefusedError
from ratings.models import OPEN, Match, MatchState, Participant, Player, PlayerMerge

__all__ = [
    "MAY_DECIDE",
    "MAY_MERGE",
    "MAY_MOVE",
    "OwnMatterError",
    "check_no_own_match",
    "check_not_own",
    "meet_with",
    "met_by",
    "own_matter",
    "to_meet",
]

MAY_DECIDE, MAY_MERGE, MAY_MOVE = (
    "ratings.change_match",
    "ratings.merge_player",
    "ratings.move_player",
)
_UNDECIDED = [*OPEN, MatchState.DISPUTED]
# Given a player's number, the players whom it is to meet in matches that are offered.
_meetings: list[Callable[[int], Collection[int]]] = []


def meet_with(finder: Callable[[int], Collection[int]]) -> None:
    """Let apps above say whom a player is to meet. Called from an app's `ready()`."""
    _meetings.append(finder)


def met_by(player: int) -> set[int]:
    """With whom a player is in matches that are undecided or offered. What stops the player helps them."""
    own = Participant.objects.filter(player=player, match__state__in=_UNDECIDED).values("match")
    met = Participant.objects.filter(match__in=own).values_list("player", flat=True)
    return {*met, *to_meet(player)} - {player}


def to_meet(player: int) -> set[int]:
    """With whom a player is in matches that are offered."""
    return {pk for finder in _meetings for pk in finder(player)} - {player}


class OwnMatterError(RefusedError):
    """Whoever decides has a player whom it concerns. Only people decide so: no server, and no command."""

    code = "own_matter"

    def __init__(self) -> None:
        words = gettext_lazy(
            "This concerns a player of your own, so somebody else decides it. Ask another admin of this site. Nothing "
            "was changed."
        )
        super().__init__(words)


def check_not_own(
    by: User | None,
    players: Collection[int] | QuerySet[Participant, int],
    *,
    right: str = MAY_DECIDE,
    to: User | None = None,
) -> None:
    """Raise OwnMatterError where one of the players, by number, is the operator's own, or is merged with one that is,
    either way, and another open account of the staff has the `right` to decide and no player among these; or where one
    comes to be the operator's (`to`) and another has the right. One query mostly: one more, and one for each of those
    others, where it is concerned.

    Ask of the whole matter at once: of two whom it concerns in different ways each would wait for the other.
    """
    if by is None:
        return

    def is_concerned(user: User) -> bool:
        return _own(user).filter(pk__in=players).exists()

    # Whoever takes a player waits for anybody else: its owner is concerned, and must not be passed over for that.
    takes = to is not None and to.pk == by.pk
    if (takes or is_concerned(by)) and any(
        takes or not is_concerned(other) for other in _able(by, right)
    ):
        raise OwnMatterError


def check_no_own_match(
    by: User | None, matches: QuerySet[Match], *, right: str = MAY_DECIDE
) -> None:
    """Raise OwnMatterError where one of the matches by itself is for somebody else to decide: whoever chooses many
    could choose such, too, in which everybody else has played.
    """
    if by is None:
        return
    own = matches.filter(pk__in=_played_by(by))
    if own.exists() and any(
        own.exclude(pk__in=_played_by(one)).exists() for one in _able(by, right)
    ):
        raise OwnMatterError


def _able(by: User, right: str) -> QuerySet[User]:
    """Who else has the right."""
    return User.objects.with_perm(right).filter(is_staff=True).exclude(pk=by.pk)


def _own(user: User) -> QuerySet[Player]:
    """The account's players, and those that are merged with one, either way."""
    lent = PlayerMerge.objects.filter(account=user, undone_at=None).values("into")
    own = Player.objects.filter(Q(user=user) | Q(pk__in=lent)).values("pk")
    return Player.objects.filter(Q(pk__in=own) | Q(merged_into__in=own))


def _played_by(user: User) -> QuerySet[Participant, int]:
    return Participant.objects.filter(player__in=_own(user)).values_list("match", flat=True)


def own_matter(check: Callable[[], object]) -> str:
    """What a page says before a form is filled in, where a check would raise OwnMatterError; nothing where not."""
    try:
        check()
    except OwnMatterError:
        return _(
            "This concerns a player of your own, so somebody else decides it. Ask another admin of this site."
        )
    return ""
