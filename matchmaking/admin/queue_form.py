"""The form of a queue: errors name the range, and what would be right."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from matchmaking.models import Queue
from ratings.admin.fields import RangedFloat
from ratings.admin.noted_form import NotedForm
from ratings.models import Ladder
from ratings.wording import say

__all__ = ["QueueForm"]


class _OptionalGap(RangedFloat):
    """May stay empty: there is no largest gap."""

    def clean(self, value: Any) -> Any:
        return None if value in self.empty_values else super().clean(value)


class QueueForm(NotedForm[Queue]):
    """A queue, and why it changes."""

    ranges = {
        "accept_seconds": (3, 600),
        "heartbeat_seconds": (5, 3600),
        "gap_start": (0, 100_000),
        "gap_per_second": (0, 100_000),
        "gap_cap": (0, 100_000),
    }

    class Meta:
        model = Queue
        fields = "__all__"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("gap_start", "gap_per_second", "gap_cap"):
            if name in self.fields:
                self.fields[name].widget.attrs["autocomplete"] = "off"

    def ranged(self, column: Any, low: float, high: float) -> forms.Field:
        """The largest gap may stay empty."""
        field = super().ranged(column, low, high)
        if column.name != "gap_cap":
            return field
        return _OptionalGap(
            label=field.label, help_text=field.help_text, low=low, high=high, required=False
        )

    def clean_ladder(self) -> Ladder:
        """Only one player against one is paired so far."""
        ladder: Ladder = self.cleaned_data["ladder"]
        if (ladder.team_count, ladder.team_size) != (2, 1):
            words = {
                "ladder": ladder,
                "teams": say(ladder.team_count),
                "size": say(ladder.team_size),
            }
            raise forms.ValidationError(
                _(
                    "Matches of %(ladder)s have %(teams)s teams of %(size)s. Queues find matches of one player "
                    "against one only; choose a ladder with 2 teams of 1."
                )
                % words,
                code="not_paired",
            )
        return ladder

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        start, cap = cleaned.get("gap_start"), cleaned.get("gap_cap")
        if start is not None and cap is not None and cap < start:
            words = {"start": say(start), "cap": say(cap)}
            told = _(
                "The largest rating gap must be at least the gap at the start, %(start)s; you gave %(cap)s."
            )
            self.add_error("gap_cap", forms.ValidationError(told % words, code="range"))
        return cleaned
