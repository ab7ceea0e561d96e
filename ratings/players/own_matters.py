"""Nobody decides what concerns the own player: neither as an operator nor as a superuser, unless nobody else could."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.own_matters import OwnMatterError, own_matter
from ratings.models import OPEN, Match, MatchState, Participant, Player, PlayerMerge

__all__ = [
    "MAY_DECIDE",
    "MAY_IMPOSE",
    "MAY_MERGE",
    "MAY_MOVE",
    "OwnMatterError",
    "check_access_of",
    "check_account",
    "check_no_own_match",
    "check_not_own",
    "left_to_another",
    "meet_with",
    "met_by",
    "own_matter",
    "own_players",
    "to_meet",
]

MAY_DECIDE, MAY_IMPOSE, MAY_MERGE, MAY_MOVE = (
    "ratings.change_match",
    "ratings.add_sanction",
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


def check_not_own(
    by: User | None,
    players: Collection[int] | QuerySet[Participant, int],
    *,
    right: str | None = MAY_DECIDE,
    to: User | None = None,
    by_staff: bool = True,
) -> None:
    """Raise OwnMatterError where one of the players, by number, is the operator's own, or is merged with one that is,
    either way, and another open account of the staff has the `right` to decide and no player among these; or where one
    comes to be the operator's (`to`) and another has the right. One query mostly: one more, and one for each of those
    others, where it is concerned. `right`: None where only superusers may. `by_staff`: whether the right needs
    to be of the staff, as in the admin.

    Ask of the whole matter at once: of two whom it concerns in different ways each would wait for the other.
    """
    if by is None:
        return

    def is_concerned(user: User) -> bool:
        return own_players(user).filter(pk__in=players).exists()

    # Whoever takes a player waits for anybody else: its owner is concerned, and must not be passed over for that.
    takes = to is not None and to.pk == by.pk
    if (takes or is_concerned(by)) and any(
        takes or not is_concerned(other) for other in _able(by, right, by_staff=by_staff)
    ):
        raise OwnMatterError


def left_to_another(
    by: User,
    matters: Mapping[int, Collection[int]],
    *,
    right: str = MAY_DECIDE,
    by_staff: bool = True,
) -> list[int]:
    """Which of many matters, by number with the players whom each concerns, `check_not_own` would leave to another.

    Seven queries at most, however many matters and operators there are.
    """
    own = _own_of([by])[by.pk]
    mine = {pk: players for pk, players in matters.items() if not own.isdisjoint(players)}
    if not mine:
        return []
    others = _own_of(list(_able(by, right, by_staff=by_staff))).values()
    return [
        pk for pk, players in mine.items() if any(theirs.isdisjoint(players) for theirs in others)
    ]


def _own_of(users: Sequence[User]) -> dict[int, set[int]]:
    """The same as `own_players`, of many accounts. Three queries."""
    ids = [user.pk for user in users]
    own: dict[int, set[int]] = {pk: set() for pk in ids}
    for account, player in Player.objects.filter(user__in=ids).values_list("user", "pk"):
        if account is not None:
            own[account].add(player)
    lent = PlayerMerge.objects.filter(account__in=ids, undone_at=None)
    for account, player in lent.values_list("account", "into"):
        if account is not None:
            own[account].add(player)
    merged = Player.objects.filter(merged_into__in={pk for found in own.values() for pk in found})
    further = list(merged.values_list("merged_into", "pk"))
    for found in own.values():
        found.update([player for into, player in further if into in found])
    return own


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


def check_account(by: User | None, user: User, right: str | None) -> None:
    """The same as `check_access_of`, of all players of an account."""
    check_access_of(by, own_players(user).values_list("pk", flat=True), right=right)


def check_access_of(by: User | None, players: Iterable[int], *, right: str | None) -> None:
    """Raise OwnMatterError where the operator's own player is in an undecided match with one of these, or to be:
    whoever cannot sign in, or has no token, reports nothing.
    """
    own = set(players)
    met = {pk for player in own for pk in met_by(player)}
    if by is not None and own_players(by).filter(pk__in=met).exists():
        check_not_own(by, own | met, right=right)


def _able(by: User, right: str | None, *, by_staff: bool = True) -> QuerySet[User]:
    """Who else has the right; superusers, where it is none."""
    superusers = User.objects.filter(is_superuser=True, is_active=True)
    able = superusers if right is None else User.objects.with_perm(right)
    return (able.filter(is_staff=True) if by_staff else able).exclude(pk=by.pk)


def own_players(user: User) -> QuerySet[Player]:
    """The account's players, and those that are merged with one, either way."""
    lent = PlayerMerge.objects.filter(account=user, undone_at=None).values("into")
    own = Player.objects.filter(Q(user=user) | Q(pk__in=lent)).values("pk")
    return Player.objects.filter(Q(pk__in=own) | Q(merged_into__in=own))


def _played_by(user: User) -> QuerySet[Participant, int]:
    # By number: in one statement with many matches PostgreSQL may look for the account's players once for each.
    own = list(own_players(user).values_list("pk", flat=True))
    return Participant.objects.filter(player__in=own).values_list("match", flat=True)
