"""The form of a queue, in parts with a heading and a sentence each: errors name the range, and what would be right."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from accounts.admin_actions import SAY_WHY
from matchmaking.admin.section_fields import (
    SENTENCES,
    STRATEGY_HELP,
    TITLES,
    blame,
    changes_of,
    fields_of,
    names_in,
    shown_values,
    typed_values,
)
from matchmaking.models import Queue
from matchmaking.models.queues import GAPS, RANGES
from matchmaking.pairing.settings import SECTIONS, Settings
from matchmaking.queues.defaults import usual_of
from matchmaking.queues.settings import settings_of as stored_settings
from ratings.admin.noted_form import NotedForm
from ratings.admin.parameter_form import tidy
from ratings.models import Ladder
from ratings.systems.parameters import ParameterError
from ratings.wording import say

__all__ = ["QueueForm", "fieldsets_of", "settings_of"]


def sections_for(ladder: Ladder | None) -> list[str]:
    """Names of the sections that can matter for a queue of this ladder; None: not chosen yet."""
    is_duel = ladder is not None and (ladder.team_count, ladder.team_size) == (2, 1)
    return [name for name in SECTIONS if not (is_duel and name == "teams")]


Fieldsets = list[tuple[str | None, dict[str, Any]]]


class QueueForm(NotedForm[Queue]):
    """A queue with all its settings, and why it changes."""

    ranges = RANGES
    # No field of its own: made from the fields of the sections, and recorded with the change.
    also_stored = ("settings",)

    class Meta:
        model = Queue
        exclude = ("settings",)
        help_texts = {"strategy": STRATEGY_HELP}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in GAPS:
            if name in self.fields:
                self.fields[name].widget.attrs["autocomplete"] = "off"
        # A queue stays with its ladder, and a change says why; of a new one the form asks for the ladder.
        ladder = None
        if self.instance.pk is not None:
            ladder, note = self.instance.ladder, self.fields["note"]
            note.required = not self.is_previewed
            note.error_messages["required"] = SAY_WHY
        self.fields.update(fields_of(sections_for(ladder)))
        self.initial = {**tidy(shown_values(self.instance.settings)), **self.initial}

    def ranged(self, column: Any, low: float, high: float) -> forms.Field:
        """What may be missing may stay empty."""
        field = super().ranged(column, low, high)
        if column.null:
            field.required, field.initial = False, None
        return field

    def is_valid(self) -> bool:
        """A form that is only previewed is shown again as it was typed."""
        return super().is_valid() and not self.is_previewed

    @property
    def is_previewed(self) -> bool:
        """Whether the preview was asked for, not that anything is saved."""
        return "_preview" in self.data

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.instance._state.adding and cleaned.get("ladder") is not None:
            # Of a new queue what was left as it is shown takes what suits the ladder.
            usual, cap = usual_of(cleaned["ladder"]), cleaned.get("gap_cap")
            start = usual.rules.gap_start if cap is None else min(usual.rules.gap_start, cap)
            rules = {"gap_start": start, "gap_per_second": usual.rules.gap_per_second}
            for name, value in {**rules, **shown_values(usual.settings.different())}.items():
                if name in cleaned and name not in self.changed_data:
                    cleaned[name] = value
        start, cap = cleaned.get("gap_start"), cleaned.get("gap_cap")
        if start is not None and cap is not None and cap < start:
            words = {"start": say(start), "cap": say(cap)}
            told = _(
                "The largest rating gap must be at least the gap at the start, %(start)s; you gave %(cap)s."
            )
            self.add_error("gap_cap", forms.ValidationError(told % words, code="range"))
        if self.errors:
            return cleaned
        values = typed_values(cleaned, self.instance.settings)
        ladder = cleaned.get("ladder") or self.instance.ladder
        try:
            settings = Settings.build(cleaned.get("strategy", self.instance.strategy), values)
            settings.check_team(ladder.team_size)
            self.instance.settings = settings.different()
        except ParameterError as error:
            blame(self, error)
        return cleaned


def fieldsets_of(queue: Queue | None, *, may_change: bool) -> Fieldsets:
    """Parts of the page of a queue, or of a new one. Who may only look sees what differs from the defaults."""
    changed = {section for section, _label, _value in changes_of(settings_of(queue))}
    sections = sections_for(queue.ladder if queue else None) if may_change else []
    gaps = _(
        "Two players meet when the gap between their ratings is within what each of them accepts. "
        "Narrow gaps make even matches and long waits."
    )
    if queue is None:
        fits = _(
            "Settings that you leave unchanged will suit the ladder: the scale of its"
            " ratings, and its teams."
        )
        gaps = f"{gaps} {fits}"
    fieldsets: Fieldsets = [
        (None, {"fields": ["ladder", "name", "slug", "is_open"]}),
        (_("How matches are found"), {"fields": ["strategy"]}),
        (
            _("Who meets whom"),
            {"fields": list(GAPS), "description": gaps, "classes": ["section-gap"]},
        ),
    ]
    for name in sections:  # folded while all of it is as by default
        is_open = name in changed or name == "exchange"
        options = {
            "fields": names_in(name),
            "description": SENTENCES[name],
            "classes": ["section", f"section-{name}", *([] if is_open else ["collapse"])],
        }
        fieldsets.append((str(TITLES[name]), options))
    offers = ["accept_seconds", "accepts_by_itself", "heartbeat_seconds"]
    fieldsets.append((_("Offers and signs of life"), {"fields": offers}))
    idle = ["idle_seconds", "still_there_seconds"]
    fieldsets.append((_("Still there?"), {"fields": idle}))
    partner = ["partner_seconds", "partner_answer_seconds"]
    fieldsets.append((_("When nobody comes"), {"fields": partner}))
    if may_change:
        fieldsets.append((_("This change"), {"fields": ["note"]}))
    else:
        fieldsets.append((_("Settings"), {"fields": ["settings_in_words"]}))
    return fieldsets


def settings_of(queue: Queue | None) -> Settings:
    """The settings of a queue; the defaults for none."""
    return Settings() if queue is None else stored_settings(queue)
