"""Features of behaviour, and what was learned from them."""

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts.audited_admin import AuditedAdmin
from foundation.read_only_admin import ReadOnlyAdmin
from ratings.behaviour.features import is_easy_to_fake, words_on_faking
from ratings.models import Behaviour, BehaviourModel, Feature
from ratings.systems.behaviour import GUESSES, KINDS

__all__ = ["BehaviourModelAdmin", "FeatureAdmin"]


@admin.register(Feature)
class FeatureAdmin(AuditedAdmin[Feature]):
    """Of which nothing was told yet can be deleted; another is no longer used."""

    list_display = ["name", "game", "description", "easy_to_fake", "is_used"]
    list_filter = ["game", "is_used", "easy_to_fake"]
    list_select_related = ["game"]
    search_fields = ["name"]
    actions = None

    def get_readonly_fields(self, request: HttpRequest, obj: Feature | None = None) -> list[str]:
        """The game sends it by its name."""
        return ["game", "name"] if obj else []

    def has_delete_permission(self, request: HttpRequest, obj: Feature | None = None) -> bool:
        """What was told stays with its matches."""
        if obj is None or obj.pk is None or not super().has_delete_permission(request, obj):
            return False
        told = Behaviour.objects.filter(participant__match__game=obj.game_id)
        return not told.filter(features__has_key=obj.name).exists()

    def save_model(self, request: HttpRequest, obj: Feature, form: Any, change: bool) -> None:
        """Say so where estimates rest on what is easy to fake."""
        super().save_model(request, obj, form, change)
        if obj.is_used and (obj.easy_to_fake or is_easy_to_fake(obj.name)):
            messages.warning(request, words_on_faking(obj.name))


@admin.register(BehaviourModel)
class BehaviourModelAdmin(ReadOnlyAdmin[BehaviourModel]):
    """What was learned for each ladder, and how well it foretells."""

    list_display = ["track", "matches", "players", "chosen", "error_shown", "made_at"]
    list_filter = ["track__ladder", "chosen"]
    list_select_related = ["track__ladder"]
    fields = [
        "track",
        "matches",
        "players",
        "made_at",
        "chosen",
        "errors_shown",
        "folds_shown",
        "gain_at_least",
        "worth_shown",
    ]
    readonly_fields = ["error_shown", "errors_shown", "folds_shown", "worth_shown"]

    @admin.display(description=_("error"))
    def error_shown(self, model: BehaviourModel) -> str:
        """Of the model in use, in rating points."""
        return "–" if model.error is None else f"{model.error:.1f}"

    @admin.display(description=_("errors"))
    def errors_shown(self, model: BehaviourModel) -> SafeString | str:
        """Of guesses and models."""
        return _lines((name, f"{model.errors[name]:.1f}") for name in _names(model))

    @admin.display(description=_("errors by fold"))
    def folds_shown(self, model: BehaviourModel) -> SafeString | str:
        """Each fifth of the players."""
        return _lines(
            (name, " · ".join(f"{one:.1f}" for one in model.folds[name])) for name in _names(model)
        )

    @admin.display(description=_("worth of the features"))
    def worth_shown(self, model: BehaviourModel) -> SafeString | str:
        """By how many points the error grows without each, the most first."""
        pairs = sorted(zip(model.worth, model.features, strict=False), reverse=True)
        return _lines((name, f"{points:.1f}") for points, name in pairs)


def _names(model: BehaviourModel) -> list[str]:
    return [name for name in (*GUESSES, *KINDS) if name in model.errors]


def _lines(rows: Any) -> SafeString | str:
    return format_html_join("", "<div>{}: {}</div>", rows) or "–"
