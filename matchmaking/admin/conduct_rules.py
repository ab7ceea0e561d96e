"""Rules of conduct: what counts how much, and what follows; with whom a change would affect."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.audited_admin import AuditedAdmin
from foundation import clock
from matchmaking.conduct.charge import reckon_game
from matchmaking.conduct.preview import effect_of
from matchmaking.conduct.rules import rules_of
from matchmaking.models import ConductRules
from ratings.admin.noted_form import NotedForm

_SENTENCE = gettext_lazy(
    "Steps: a note, then cooling off after several offences, then meeting players like that first. What has been"
    " written down keeps its points; a new half-life counts for them, too. A game without rules of its own goes by"
    " those that are filled in for a new one."
)
_POINTS = ("left", "declined", "silent", "missed", "reported", "reports_at_most", "manners")
_STEPS = (
    "note_from", "cool_from", "cool_after", "cool_minutes", "cool_at_most_minutes", "like_from",
)  # fmt: skip
_CRASHES = ("rejoin_seconds", "crash_seconds")


class ConductRulesForm(NotedForm[ConductRules]):
    """The rules of a game. Before they change it says whom that would affect."""

    ranges = {
        "half_life_days": (0.1, 3650),
        "left": (0, 100),
        "declined": (0, 100),
        "silent": (0, 100),
        "missed": (0, 100),
        "reported": (0, 100),
        "manners": (0, 100),
        "reports_at_most": (0, 100),
        "note_from": (0.01, 1000),
        "cool_from": (0.01, 1000),
        "like_from": (0.01, 1000),
        "cool_after": (1, 1000),
        "cool_minutes": (0, 43200),
        "cool_at_most_minutes": (0, 43200),
        "rejoin_seconds": (0, 3600),
        "crash_seconds": (0, 600),
    }
    apply = forms.BooleanField(
        label=gettext_lazy("Apply"),
        required=False,
        help_text=gettext_lazy(
            "Without it nothing is saved, and you see whom the change would affect."
        ),
    )

    class Meta:
        model = ConductRules
        fields = ("game", "half_life_days", *_POINTS, *_STEPS, *_CRASHES)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors or cleaned.get("apply"):
            return cleaned
        game = cleaned["game"] if self.instance.pk is None else self.instance.game
        wanted = ConductRules(game=game)
        for name in self.ranges:
            setattr(wanted, name, cleaned[name])
        try:
            wanted.validate_constraints()
        except forms.ValidationError:
            return cleaned  # refused next, with these words: what cannot be is not shown beforehand
        raise forms.ValidationError(_words(rules_of(game.pk), wanted))


def _words(before: ConductRules, after: ConductRules) -> str:
    """What a change would come to, as the form says it."""
    effect = effect_of(before, after)
    said = [
        _("Nothing is saved yet. Tick “Apply” and save again to change it."),
        _("Meeting like players first: %(before)d players now, %(after)d then.")
        % {"before": effect.before, "after": effect.after},
        _("At any step: %(before)d players now, %(after)d then.")
        % {"before": effect.told_before, "after": effect.told_after},
    ]
    if effect.become:
        said.append(_("Newly among like players: %(names)s.") % {"names": ", ".join(effect.become)})
    if effect.cease:
        said.append(_("No longer among them: %(names)s.") % {"names": ", ".join(effect.cease)})
    return " ".join(said)


@admin.register(ConductRules)
class ConductRulesAdmin(AuditedAdmin[ConductRules]):
    """The rules of each game."""

    form = ConductRulesForm
    list_display = ["game", "half_life_days", "note_from", "cool_from", "like_from"]
    list_select_related = ["game"]
    sortable_by = ()
    actions = None

    def get_fieldsets(self, request: HttpRequest, obj: ConductRules | None = None) -> Any:
        return [
            (None, {"fields": ["game", "half_life_days"], "description": _SENTENCE}),
            (gettext_lazy("Points"), {"fields": _POINTS}),
            (gettext_lazy("Steps"), {"fields": _STEPS}),
            (gettext_lazy("Crashes"), {"fields": _CRASHES}),
            (gettext_lazy("This change"), {"fields": ["note", "apply"]}),
        ]

    def get_readonly_fields(
        self, request: HttpRequest, obj: ConductRules | None = None
    ) -> list[str]:
        return ["game"] if obj else []

    def has_delete_permission(self, request: HttpRequest, obj: ConductRules | None = None) -> bool:
        return False

    def audited_names(self, form: Any, *, change: bool) -> list[str]:
        """All but the tick."""
        return [name for name in super().audited_names(form, change=change) if name != "apply"]

    def save_model(self, request: HttpRequest, obj: ConductRules, form: Any, change: bool) -> None:
        """By a new half-life everybody's points are others."""
        if not change:
            obj.since = clock.now()
        super().save_model(request, obj, form, change)
        if "half_life_days" in form.changed_data:
            reckon_game(obj.game_id, clock.now())
