"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ModerationConfig(AppConfig):
    """See the package's docstring."""

    name = "moderation"
    verbose_name = _("Moderation")

    def ready(self) -> None:
        """Let names that became free be held for whoever had them, and players be told what was decided."""
        from moderation import told
        from moderation.rename import refuse_held
        from moderation.report import lines_with, page_of_report
        from ratings import sanctions
        from ratings.matches.revising import annulled
        from ratings.players import claim
        from talk.evidence import lines_between
        from talk.reporting import report_with

        claim.hold_with(refuse_held)
        lines_with(lines_between)
        report_with(page_of_report)
        told.declare()
        sanctions.follow_with(told.tell_of_sanction)
        annulled.follow_with(told.tell_of_annulled)
