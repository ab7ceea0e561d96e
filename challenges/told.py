"""What players are told of challenges and appointments. When: `notify` in `challenges/held.py`."""

from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from notifications.kinds import Group, register, to
from notifications.models import Way

__all__ = ["ASKS", "declare"]

# What asks for an answer: sent unasked.
ASKS = ("challenge.made", "challenge.rematch", "appointment.proposed")


def declare() -> None:
    """Say which kinds of notices there are. Called from the app's `ready()`."""
    page, soon = to("challenge", "challenge"), timedelta(minutes=10)
    everywhere = (Way.SITE, Way.PUSH)
    for code, words, ways, lasts in (
        ("challenge.made", _("%(by)s challenges you: %(ladder)s."), everywhere, soon),
        ("challenge.rematch", _("%(by)s wants a rematch: %(ladder)s."), everywhere, soon),
        ("challenge.accepted", _("%(by)s has accepted your challenge. Come!"), everywhere, soon),
        ("challenge.declined", _("%(by)s has declined your challenge."), (Way.SITE,), None),
        ("challenge.cancelled", _("%(by)s has called off your match."), (Way.SITE,), None),
        ("challenge.missed", _("Your match with %(by)s did not begin in time."),
         (Way.SITE,), None),
        ("appointment.proposed", _("%(by)s proposes a time for a match: %(ladder)s."),
         (*everywhere, Way.MAIL), None),
        ("appointment.agreed", _("%(by)s has agreed to your appointment."), everywhere, None),
        ("appointment.reminded", _("Soon you have an appointment with %(by)s."),
         (*everywhere, Way.MAIL), timedelta(hours=1)),
        ("appointment.called", _("It is time for your match with %(by)s. Say that you are there."),
         everywhere, soon),
    ):  # fmt: skip
        sender = "by" if code in ASKS else ""
        register(
            code,
            Group.PLAY,
            words,
            leads_to=page,
            players=("by",),
            sender=sender,
            ways=ways,
            lasts=lasts,
        )
