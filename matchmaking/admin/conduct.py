"""Conduct scores: who has offended lately, and correcting that with a reason."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.admin_actions import SAY_WHY
from accounts.audited_admin import AuditedAdmin, actor_of
from accounts.models import User
from foundation import clock
from foundation.read_only_admin import BoundedPaginator
from matchmaking.models import Conduct
from ratings.admin.noted_form import NotedForm
from ratings.admin.players import find_players
from ratings.players.own_matters import check_not_own, met_by, own_matter

_SENTENCE = _(
    "What you give beside what the player has done; both are added up, and the game's rules of conduct say what "
    "follows. It halves in the half-life of these rules, counted from the last change. 0 takes it away."
)


class ConductForm(NotedForm[Conduct]):
    """A score, and why it is what it is. `by`: who gives it."""

    by: ClassVar[User | None] = None
    ranges = {"score": (0, 1000)}

    class Meta:
        model = Conduct
        fields = ("player", "score")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "note" in self.fields:
            self.fields["note"].required = True
            self.fields["note"].error_messages["required"] = SAY_WHY

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        is_new = self.instance.pk is None
        player = cleaned.get("player") if is_new else self.instance.player
        if player and (words := _own_matter(self.by, player.pk, "add" if is_new else "change")):
            raise forms.ValidationError(words)
        return cleaned


def _own_matter(by: User | None, player: int, verb: str) -> str:
    """Of the own player, and of whom it is in an undecided match with, or offered one."""
    concerned, right = {player, *met_by(player)}, f"matchmaking.{verb}_conduct"
    return own_matter(lambda: check_not_own(by, concerned, right=right))


@admin.register(Conduct)
class ConductAdmin(AuditedAdmin[Conduct]):
    """The highest scores first. Who is not here has a clean record."""

    form = ConductForm
    list_display = ["player", "score", "as_of"]
    list_select_related = ["player"]
    list_per_page = 50
    paginator = BoundedPaginator
    show_full_result_count = False
    ordering = ["-score", "player_id"]
    sortable_by = ()
    search_fields = ["=player__id"]
    search_help_text = _("Beginning of a name, or a number or id in the game.")
    raw_id_fields = ["player"]
    actions = None

    def get_form(
        self, request: HttpRequest, obj: Conduct | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        form = super().get_form(request, obj, change=change, **kwargs)
        return type(form.__name__, (form,), {"by": actor_of(request)})

    def get_fieldsets(self, request: HttpRequest, obj: Conduct | None = None) -> Any:
        names = ["player", "score", *(["as_of"] if obj else [])]
        own = obj and _own_matter(actor_of(request), obj.pk, "change")
        first: dict[str, Any] = {"fields": names, "description": own or _SENTENCE}
        return [(None, first), (_("This change"), {"fields": ["note"]})]

    def get_readonly_fields(self, request: HttpRequest, obj: Conduct | None = None) -> list[str]:
        return ["player", "as_of"] if obj else []

    def has_delete_permission(self, request: HttpRequest, obj: Conduct | None = None) -> bool:
        return False

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Conduct], search_term: str
    ) -> tuple[QuerySet[Conduct], bool]:
        if not search_term.strip():
            return queryset, False
        return queryset.filter(player__in=find_players(search_term).values("pk")), False

    def save_model(self, request: HttpRequest, obj: Conduct, form: Any, change: bool) -> None:
        """The score fades from now on."""
        obj.as_of = clock.now()
        super().save_model(request, obj, form, change)
