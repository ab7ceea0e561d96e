"""Nobody decides what concerns the own player: neither as an operator nor as a superuser, unless nobody else could."""

from collections.abc import Collection

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from foundation.refusals import RefusedError
from ratings.models import Participant, Player, PlayerMerge

__all__ = ["MAY_DECIDE", "OwnMatterError", "check_not_own"]

MAY_DECIDE = "ratings.change_match"


class OwnMatterError(RefusedError):
    """Whoever decides has a player whom it concerns. Only people decide so: no server, and no command."""

    code = "own_matter"

    def __init__(self) -> None:
        words = _(
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
    """Raise OwnMatterError where one of the players, by number, is the operator's own, or counts for a player who was,
    and another open account of the staff has the `right` to decide. One query mostly.
    """
    if by is None:
        return
    lent = PlayerMerge.objects.filter(account=by, undone_at=None).values("into")
    own = Player.objects.filter(Q(user=by) | Q(pk__in=lent), pk__in=players)
    if own.exists():
        able = User.objects.with_perm(right).filter(is_staff=True).exclude(pk=by.pk)
        if able.exists():
            raise OwnMatterError
