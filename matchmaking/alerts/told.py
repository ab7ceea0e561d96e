"""What players are told of searches: that somebody searches, never who."""

from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from notifications.kinds import Group, register, to
from notifications.models import Way

__all__ = ["ANYBODY", "NEAR", "declare"]

NEAR, ANYBODY = "alert.near", "alert.anybody"
_LASTS = timedelta(minutes=5)


def declare() -> None:
    """Say which kinds of notices there are. Called from the app's `ready()`. Each leads to where one press searches."""
    for kind, words in (
        (NEAR, _("Somebody near your strength is searching in %(queue)s.")),
        (ANYBODY, _("Somebody is searching in %(queue)s.")),
    ):
        register(
            kind,
            Group.ALERTS,
            words,
            leads_to=to("queue", "slug"),
            ways=(Way.SITE, Way.PUSH),
            lasts=_LASTS,
        )
