"""Nobody decides what concerns the own player: neither as an operator nor as a superuser, unless nobody else could."""

from collections.abc import Callable, Collection

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from foundation.refusals import RefusedError
from ratings.models import Participant, Player, PlayerMerge

__all__ = ["MAY_DECIDE", "MAY_MERGE", "MAY_MOVE", "OwnMatterError", "check_not_own", "own_matter"]

MAY_DECIDE, MAY_MERGE, MAY_MOVE = (
    "ratings.change_match",
    "ratings.merge_player",
    "ratings.move_player",
)


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
) -> None:
    """Raise OwnMatterError where one of the players, by number, is the operator's own, or is merged with one that is,
    either way, and another open account of the staff has the `right` to decide. One query mostly.
    """
    if by is None:
        return
    lent = PlayerMerge.objects.filter(account=by, undone_at=None).values("into")
    own = Player.objects.filter(Q(user=by) | Q(pk__in=lent)).values("pk")
    concerned = Player.objects.filter(Q(pk__in=own) | Q(merged_into__in=own), pk__in=players)
    if concerned.exists():
        able = User.objects.with_perm(right).filter(is_staff=True).exclude(pk=by.pk)
        if able.exists():
            raise OwnMatterError


def own_matter(check: Callable[[], object]) -> str:
    """What a page says before a form is filled in, where a check would raise OwnMatterError; nothing where not."""
    try:
        check()
    except OwnMatterError:
        return _(
            "This concerns a player of your own, so somebody else decides it. Ask another admin of this site."
        )
    return ""
