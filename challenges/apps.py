"""The app's name and place."""

from datetime import timedelta

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChallengesConfig(AppConfig):
    """See the package's docstring."""

    name = "challenges"
    verbose_name = _("Challenges")

    def ready(self) -> None:
        """Declare what players are told, and follow what ends challenges."""
        from challenges import stranded
        from challenges.pages import bar
        from matchmaking.pages import after_match, further
        from notifications.kinds import Group, register, to
        from notifications.models import Way
        from ratings import archiving
        from ratings.merging import merge
        from ratings.merging.running import running_with

        page, soon = to("challenge", "challenge"), timedelta(minutes=10)
        everywhere = (Way.SITE, Way.PUSH)
        for code, words, ways, lasts in (
            ("challenge.made", _("%(by)s challenges you: %(ladder)s."), everywhere, soon),
            ("challenge.rematch", _("%(by)s wants a rematch: %(ladder)s."), everywhere, soon),
            ("challenge.accepted", _("%(by)s has accepted your challenge. Come!"), everywhere, soon),
            ("challenge.declined", _("%(by)s has declined your challenge."), (Way.SITE,), None),
            ("challenge.cancelled", _("%(by)s has called off your match."), (Way.SITE,), None),
            ("challenge.missed", _("Your match with %(by)s did not begin: not both were there."),
             (Way.SITE,), None),
            ("appointment.proposed", _("%(by)s proposes a time for a match: %(ladder)s."),
             (*everywhere, Way.MAIL), None),
            ("appointment.agreed", _("%(by)s has agreed to your appointment."), everywhere, None),
            ("appointment.reminded", _("Soon you have an appointment with %(by)s."),
             (*everywhere, Way.MAIL), timedelta(hours=1)),
            ("appointment.called", _("It is time for your match with %(by)s. Say that you are there."),
             everywhere, soon),
        ):  # fmt: skip
            register(
                code, Group.PLAY, words, leads_to=page, players=("by",), ways=ways, lasts=lasts
            )
        archiving.follow_with(stranded.follow_archiving)
        merge.follow_with(stranded.follow_merge)
        running_with(stranded.find_of, stranded.end_of)
        further.show_with(bar.SHOWN)
        after_match.act_after_with(bar.offer_rematch)
