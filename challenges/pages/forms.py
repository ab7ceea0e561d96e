"""What players fill in to challenge somebody."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext_lazy as _

from challenges.make import Wanted
from challenges.models import Side
from challenges.models.challenges import LONGEST_NOTE
from foundation.zones import zone_choices
from ratings.models import Ladder

__all__ = ["ChallengeForm", "LinkForm"]

_WAITS = [
    (5, _("5 minutes")),
    (10, _("10 minutes")),
    (60, _("1 hour")),
    (24 * 60, _("1 day")),
    (7 * 24 * 60, _("7 days")),
]


class LinkForm(forms.Form):
    """What any challenge says."""

    ladder = forms.ModelChoiceField(Ladder.objects.none(), label=_("Ladder"), empty_label=None)
    side = forms.ChoiceField(label=_("Side"), choices=Side, initial=Side.DRAWN)
    rated = forms.BooleanField(
        label=_("Rated"),
        required=False,
        initial=True,
        help_text=_("A match that is not rated changes no rating."),
    )
    note = forms.CharField(
        label=_("Note"), required=False, max_length=LONGEST_NOTE, widget=forms.TextInput
    )
    minutes = forms.TypedChoiceField(
        label=_("Open for"),
        choices=_WAITS,
        coerce=int,
        initial=10,
        required=False,
        empty_value=None,
    )

    def __init__(self, *args: Any, ladders: Sequence[Ladder], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["ladder"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - what it was declared as
        field.queryset = Ladder.objects.filter(pk__in=[one.pk for one in ladders])
        field.initial = ladders[0].pk if ladders else None

    @property
    def wanted(self) -> Wanted:
        """What was asked for. The form is valid."""
        given = self.cleaned_data
        return Wanted(
            ladder=given["ladder"],
            side=Side(given["side"]),
            rated=given["rated"],
            note=given["note"],
            expires_in=None if given["minutes"] is None else timedelta(minutes=given["minutes"]),
            at=given.get("at"),
        )


class ChallengeForm(LinkForm):
    """The same for a named player: at once, or at a time of the player's clock."""

    minutes = forms.TypedChoiceField(
        label=_("Open for"),
        choices=[("", _("10 minutes; an appointment until its time")), *_WAITS],
        coerce=int,
        required=False,
        empty_value=None,
    )
    when = forms.DateTimeField(
        label=_("Time of the appointment"),
        required=False,
        help_text=_("Left empty: at once. Else you agree on this time, 10 minutes ahead at least."),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
    )
    zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zone_choices,
        initial="UTC",
        required=False,
        widget=forms.Select(attrs={"data-own-zone": ""}),
    )

    def clean(self) -> dict[str, Any]:
        """The time as a moment."""
        given = self.cleaned_data
        when: datetime | None = given.get("when")
        if when is not None:
            zone = ZoneInfo(given.get("zone") or "UTC")
            given["at"] = when.replace(tzinfo=zone).astimezone(UTC)
        return given
