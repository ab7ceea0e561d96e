"""Pages of the admin about what players are told: for looking only."""

from typing import Any, TypeVar
from urllib.parse import urlsplit

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from foundation.read_only_admin import ReadOnlyAdmin
from notifications.kinds import Group, kind_named
from notifications.models import Delivery, Notice, PushSubscription
from notifications.words import said
from ratings.admin.players import find_players

M = TypeVar("M", bound=Model)


class _OfPlayersAdmin(ReadOnlyAdmin[M]):
    """Found by the player, the latest first."""

    ordering = ["-id"]
    sortable_by = ()
    search_fields = ["=player__id"]
    search_help_text = _("Beginning of a player's name, or a player's number or id in the game.")
    of_player = "player__in"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[M], search_term: str
    ) -> tuple[QuerySet[M], bool]:
        if not search_term.strip():
            return queryset, False
        found: Any = {self.of_player: list(find_players(search_term).values_list("pk", flat=True))}
        return queryset.filter(**found), False


@admin.register(Notice)
class NoticeAdmin(_OfPlayersAdmin[Notice]):
    """What a player was told, and whether it was read. What lies behind it is not shown: codes that let people in, who
    asked whom to be friends, who reported. Those have pages of their own, with rights of their own.
    """

    list_display = ["id", "player", "kind", "on_site", "created_at", "read_at"]
    list_select_related = ["player"]
    fields = ["player", "words", "kind", "on_site", "created_at", "read_at"]
    readonly_fields = ["words"]

    @admin.display(description=_("words"))
    def words(self, notice: Notice) -> str:
        """As the player reads it, in the language of whoever looks; nothing of what is between players."""
        known = kind_named(notice.kind)
        if known is None or known.group not in (Group.OFFERS, Group.ALERTS, Group.MATCHES):
            return ""
        return next((one.words for one in said([notice])), "")


@admin.register(Delivery)
class DeliveryAdmin(_OfPlayersAdmin[Delivery]):
    """What is still to be sent, and how often that was tried."""

    list_display = ["id", "player", "kind", "way", "due_at", "until", "attempts"]
    list_select_related = ["notice__player"]
    list_filter = ["way"]
    fields = ["notice", "way", "subscription", "due_at", "until", "attempts"]
    search_fields = ["=notice__player__id"]
    of_player = "notice__player__in"

    @admin.display(description=_("player"))
    def player(self, delivery: Delivery) -> str:
        """Who is told."""
        return str(delivery.notice.player)

    @admin.display(description=_("kind"))
    def kind(self, delivery: Delivery) -> str:
        """Of the notice."""
        return delivery.notice.kind


@admin.register(PushSubscription)
class PushSubscriptionAdmin(ReadOnlyAdmin[PushSubscription]):
    """Browsers that take push. Their addresses and keys are not shown: whoever has them can push."""

    list_display = ["id", "account", "maker", "created_at", "sent_at", "failures", "paused_until"]
    list_select_related = ["account"]
    ordering = ["-id"]
    sortable_by = ()
    search_fields = ["=account__username"]
    search_help_text = _("The name of an account.")
    fields = [
        "account",
        "maker",
        "created_at",
        "sent_at",
        "failures",
        "paused_until",
        "trouble",
    ]
    readonly_fields = ["maker"]

    @admin.display(description=_("maker's server"))
    def maker(self, browser: PushSubscription) -> str:
        """The host of its address."""
        return urlsplit(browser.endpoint).hostname or ""
