"""The form of a queue: errors name the range, and what would be right."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from matchmaking.admin.section_fields import (
    STRATEGY_HELP,
    blame,
    fields_of,
    shown_values,
    typed_values,
)
from matchmaking.models import Queue
from matchmaking.pairing.settings import SECTIONS, Settings
from matchmaking.queues.defaults import usual_of
from ratings.admin.fields import RangedFloat
from ratings.admin.noted_form import NotedForm
from ratings.admin.parameter_form import tidy
from ratings.models import Ladder
from ratings.systems.parameters import ParameterError
from ratings.wording import say

__all__ = ["QueueForm", "sections_for"]


def sections_for(ladder: Ladder | None) -> list[str]:
    """Names of the sections that can matter for a queue of this ladder; None: not chosen yet."""
    is_duel = ladder is not None and (ladder.team_count, ladder.team_size) == (2, 1)
    return [name for name in SECTIONS if not (is_duel and name == "teams")]


class _OptionalGap(RangedFloat):
    """May stay empty: there is no largest gap."""

    def clean(self, value: Any) -> Any:
        return None if value in self.empty_values else super().clean(value)


class QueueForm(NotedForm[Queue]):
    """A queue with all its settings, and why it changes."""

    ranges = {
        "accept_seconds": (3, 600),
        "heartbeat_seconds": (5, 3600),
        "gap_start": (0, 100_000),
        "gap_per_second": (0, 100_000),
        "gap_cap": (0, 100_000),
    }
    # No field of its own: made from the fields of the sections, and recorded with the change.
    also_stored = ("settings",)

    class Meta:
        model = Queue
        exclude = ("settings",)
        help_texts = {"strategy": STRATEGY_HELP}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("gap_start", "gap_per_second", "gap_cap"):
            if name in self.fields:
                self.fields[name].widget.attrs["autocomplete"] = "off"
        if self.instance.pk is not None:
            self._ask_why()
        self.fields.update(fields_of(sections_for(self._known_ladder())))
        self.initial = {**tidy(shown_values(self.instance.settings)), **self.initial}

    def _ask_why(self) -> None:
        note = self.fields["note"]
        note.required = not self.is_previewed
        note.error_messages["required"] = gettext_lazy(
            "Say why, so that others can understand it later."
        )

    def _known_ladder(self) -> Ladder | None:
        """A queue stays with its ladder; of a new one the form asks for it."""
        return None if self.instance.pk is None else self.instance.ladder

    def ranged(self, column: Any, low: float, high: float) -> forms.Field:
        """The largest gap may stay empty."""
        field = super().ranged(column, low, high)
        if column.name != "gap_cap":
            return field
        return _OptionalGap(
            label=field.label, help_text=field.help_text, low=low, high=high, required=False
        )

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
            self._begin_as_suits(cleaned)
        start, cap = cleaned.get("gap_start"), cleaned.get("gap_cap")
        if start is not None and cap is not None and cap < start:
            words = {"start": say(start), "cap": say(cap)}
            told = _(
                "The largest rating gap must be at least the gap at the start, %(start)s; you gave %(cap)s."
            )
            self.add_error("gap_cap", forms.ValidationError(told % words, code="range"))
        if not self.errors:
            self._take_settings(cleaned)
        return cleaned

    def _begin_as_suits(self, cleaned: dict[str, Any]) -> None:
        """Of a new queue what was left as it is shown takes what suits the ladder."""
        usual, cap = usual_of(cleaned["ladder"]), cleaned.get("gap_cap")
        start = usual.rules.gap_start if cap is None else min(usual.rules.gap_start, cap)
        rules = {"gap_start": start, "gap_per_second": usual.rules.gap_per_second}
        for name, value in {**rules, **shown_values(usual.settings.different())}.items():
            if name in cleaned and name not in self.changed_data:
                cleaned[name] = value

    def _take_settings(self, cleaned: dict[str, Any]) -> None:
        """Keep what differs from the defaults, if the parts fit each other."""
        values = typed_values(cleaned, self.instance.settings)
        strategy = cleaned.get("strategy", self.instance.strategy)
        ladder = cleaned.get("ladder") or self.instance.ladder
        try:
            settings = Settings.build(strategy, values)
            settings.check_team(ladder.team_size)
            self.instance.settings = settings.different()
        except ParameterError as error:
            blame(self, error)
