"""What players are told of rounds."""

from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from notifications.kinds import Group, register, to
from notifications.models import Way

__all__ = ["declare"]

_PAGE = to("when-to-play", "slug")
_AT_ONCE = (Way.SITE, Way.PUSH)


def declare() -> None:
    """Say which kinds of notices there are. Called from the app's `ready()`."""
    register(
        "round.soon",
        Group.PLAY,
        _("A round of %(queue)s begins in a few minutes. Open its page to say that you are there."),
        leads_to=_PAGE,
        ways=_AT_ONCE,
        lasts=timedelta(minutes=15),
    )
    register(
        "round.began",
        Group.PLAY,
        _("The round of %(queue)s has begun: you are searching."),
        leads_to=to("queue", "slug"),
        ways=_AT_ONCE,
        lasts=timedelta(minutes=2),
        passes=True,
    )
    register(
        "round.absent",
        Group.PLAY,
        _("The round of %(queue)s began without you: nothing was heard from you before it."),
        leads_to=_PAGE,
    )
    register(
        "round.elsewhere",
        Group.PLAY,
        _(
            "The round of %(queue)s began without you: you were in a match or a room, or searching already."
        ),
        leads_to=_PAGE,
    )
    register(
        "round.refused",
        Group.PLAY,
        _("The round of %(queue)s began without you: you could not search there at that time."),
        leads_to=_PAGE,
    )
    register(
        "round.cancelled",
        Group.PLAY,
        _("The round of %(queue)s was cancelled."),
        leads_to=_PAGE,
        ways=_AT_ONCE,
    )
