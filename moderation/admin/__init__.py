"""The desk's rows in the admin: for looking only. What is decided is decided at the desk."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.page_actions import account_of
from foundation.read_only_admin import ReadOnlyAdmin, ReadOnlyInline
from moderation.desk.cases import reports_left_to_others
from moderation.models import Appeal, Case, Decision, NameChange, PlayerReport


class DecisionInline(ReadOnlyInline[Decision, Case]):
    """What was decided of a case."""

    model = Decision
    fields = ("act", "reason", "by", "at", "sanction", "undone_at", "undone_by")
    readonly_fields = fields


@admin.register(Case)
class CaseAdmin(ReadOnlyAdmin[Case]):
    """Cases."""

    list_display = ["id", "queue", "opened_at", "taken_by", "decided_at"]
    list_filter = ["queue"]
    list_select_related = ["taken_by"]
    inlines = [DecisionInline]


@admin.register(PlayerReport)
class PlayerReportAdmin(ReadOnlyAdmin[PlayerReport]):
    """Reports of players."""

    list_display = ["id", "reported", "kind", "match", "reporter", "at", "closed_at"]
    list_filter = ["kind"]
    list_select_related = ["reported", "reporter", "match"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[PlayerReport]:
        """Not those that others decide: nobody reads who has reported the own player."""
        found = super().get_queryset(request)
        return found.exclude(pk__in=reports_left_to_others(account_of(request)))


@admin.register(Appeal)
class AppealAdmin(ReadOnlyAdmin[Appeal]):
    """Appeals."""

    list_display = ["id", "player", "sanction", "name_change", "at", "granted"]
    list_select_related = ["player", "sanction__player", "name_change"]


@admin.register(NameChange)
class NameChangeAdmin(ReadOnlyAdmin[NameChange]):
    """Changes of names."""

    list_display = ["id", "player", "name", "given", "is_reset", "reset_by", "at"]
    list_filter = ["is_reset"]
    list_select_related = ["player", "reset_by"]
