"""Game servers whose matches are rated by what they tell."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.audited_admin import AuditedAdmin
from foundation.read_only_admin import ModelForm
from foundation.templatetags.display import moment
from ratings.admin.archiving import ArchivableAdmin, ArchivedFilter
from ratings.models import GameServer, Ladder, RatedBy, ServerConnector

__all__ = ["GameServerAdmin"]


class GameServerForm(ModelForm[GameServer]):
    """Its ladder is one of its game."""

    class Meta:
        model = GameServer
        fields = "__all__"

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        ladder = cleaned.get("ladder")
        game = cleaned.get("game") or getattr(self.instance, "game", None)
        if ladder is not None and game is not None and ladder.game_id != game.pk:
            words = _("%(ladder)s is a ladder of %(other)s: choose one of %(game)s.")
            names = {"ladder": ladder, "other": ladder.game, "game": game}
            self.add_error("ladder", ValidationError(words % names))
        return cleaned


_FIGURES = (
    "kind", "address", "port", "received", "told", "known", "unread", "late", "lost", "refused", "unreconciled",
    "dropped", "last_received_at", "last_dropped_at",
)  # fmt: skip


@admin.register(GameServer)
class GameServerAdmin(ArchivableAdmin, AuditedAdmin[GameServer]):
    """A server can be deleted only while it has told nothing; any other is archived."""

    form = GameServerForm
    list_display = ["name", "game", "ladder", "slug", "last_event"]
    list_filter = [ArchivedFilter, "game", "ladder"]
    list_select_related = ["game", "ladder__game"]
    search_fields = ["name", "slug"]
    fields = ["game", "ladder", "name", "slug", "created_at", "sends"]
    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[GameServer]:
        return GameServer.objects.with_last_event()

    def get_readonly_fields(self, request: HttpRequest, obj: GameServer | None = None) -> list[str]:
        """A server stays with its game, and with the name by which it tells."""
        return ["created_at", "sends"] if obj is None else ["game", "slug", "created_at", "sends"]

    def get_prepopulated_fields(self, request: HttpRequest, obj: GameServer | None = None) -> Any:
        return {} if obj else {"slug": ["name"]}

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Of ladders those whose ratings are made of events."""
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if db_field.name == "ladder":
            fitting = Ladder.objects.in_use().filter(rated_by=RatedBy.EVENTS)
            field.queryset = fitting.select_related("game")
            field.label_from_instance = lambda ladder: f"{ladder} ({ladder.game})"
        return field

    @admin.display(description=gettext_lazy("last event"))
    def last_event(self, server: GameServer) -> str:
        """When it told something last."""
        at = getattr(server, "last_event_at", None)
        return moment(at) if at else "–"

    @admin.display(description=gettext_lazy("sends of its own accord"))
    def sends(self, server: GameServer) -> str:
        """How it is heard where it does not call the API, and what has come so far."""
        connector = ServerConnector.objects.filter(pk=server.pk).first()
        if connector is None:
            return _("No. By manage.py add_connector it would: see docs/connectors.md.")
        rows = []
        for name in _FIGURES:
            value = getattr(connector, name)
            if name == "kind":
                value = connector.get_kind_display()
            elif name.startswith("last_"):
                value = moment(value) if value else "–"
            if value is not None:
                field = ServerConnector._meta.get_field(name)
                label = capfirst(str(getattr(field, "verbose_name", name)))
                rows.append((label, value))
        return format_html_join(mark_safe("<br>"), "{}: {}", rows)

    def has_delete_permission(self, request: HttpRequest, obj: GameServer | None = None) -> bool:
        if obj is None or obj.pk is None or obj.logs.exists():
            return False
        return super().has_delete_permission(request, obj)
