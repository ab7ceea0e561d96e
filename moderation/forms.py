"""Forms of players and of moderators."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from foundation.templatetags.display import day
from moderation.models import NEEDS_MATCH, Act, ReportKind
from moderation.models.appeals import LONGEST_APPEAL
from moderation.models.cases import LONGEST_REASON
from moderation.models.reports import LONGEST_REPORT
from ratings.models import Match, SuspendedFrom
from ratings.players.claim import LONGEST_NAME
from rooms.told import LONGEST_CLOSING

__all__ = ["AppealForm", "CloseRoomForm", "DecisionForm", "NameForm", "ReportForm"]

LONGEST_COOLING_OFF = 7 * 24 * 60  # minutes


class ReportForm(forms.Form):
    """What it is about. Whoever has met the player chooses the match; those who have not are not offered what can be
    told of a match alone.
    """

    kind = forms.ChoiceField(label=_("What is it about?"), choices=ReportKind)
    match = forms.TypedChoiceField(
        label=_("In which match?"), coerce=int, empty_value=None, required=False
    )
    text = forms.CharField(
        label=_("What happened?"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 5, "maxlength": LONGEST_REPORT}),
        help_text=_("Only moderators read it. The player never learns who reported."),
    )

    def __init__(self, *args: Any, matches: list[Match], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        said = [
            (one.pk, f"#{one.pk} · {one.ladder.name} · {day(one.played_at)}") for one in matches
        ]
        field = self.fields["match"]
        kind = self.fields["kind"]
        assert isinstance(field, forms.TypedChoiceField)  # noqa: S101 - for the type
        assert isinstance(kind, forms.ChoiceField)  # noqa: S101 - for the type
        if matches:
            field.choices = [("", _("None of these")), *said]
        else:
            del self.fields["match"]
            kind.choices = [one for one in ReportKind.choices if one[0] not in NEEDS_MATCH]


class AppealForm(forms.Form):
    """Why it was wrong."""

    text = forms.CharField(
        label=_("Why was it wrong?"),
        widget=forms.Textarea(attrs={"rows": 5, "maxlength": LONGEST_APPEAL}),
        help_text=_("You can appeal once. Say all that matters."),
    )


class CloseRoomForm(forms.Form):
    """Why a room is closed."""

    reason = forms.CharField(
        label=_("Why"),
        max_length=LONGEST_CLOSING,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Those who are in the room read it."),
    )


class NameForm(forms.Form):
    """Another name."""

    name = forms.CharField(label=_("New name"), max_length=LONGEST_NAME, min_length=2)


class DecisionForm(forms.Form):
    """What to do about a case; which fields count depends on the act."""

    act = forms.ChoiceField(label=_("Decision"), widget=forms.RadioSelect)
    result = forms.ChoiceField(
        label=_("How the match ended"),
        required=False,
        help_text=_("For deciding or correcting a result."),
    )
    since = forms.DateField(
        label=_("Matches since"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text=_(
            "For annulling several matches. How many these are is shown before it happens."
        ),
    )
    seen = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    also = forms.ChoiceField(
        label=_("And a sanction beside it"),
        required=False,
        choices=[
            ("", _("none")),
            (Act.WARN, Act.WARN.label),
            (Act.SUSPEND, Act.SUSPEND.label),
            (Act.HIDE, Act.HIDE.label),
        ],
    )
    suspended_from = forms.ChoiceField(
        label=_("Suspended from"), required=False, choices=[("", "–"), *SuspendedFrom.choices]
    )
    days = forms.IntegerField(
        label=_("For how many days"),
        required=False,
        min_value=1,
        max_value=3650,
        help_text=_("Of a sanction. Empty: until it is lifted."),
    )
    minutes = forms.IntegerField(
        label=_("Cooling off: for how many minutes"),
        required=False,
        min_value=1,
        max_value=LONGEST_COOLING_OFF,
        help_text=_("At least so long nothing is searched, accepted or joined; a week at most."),
    )
    reason = forms.CharField(
        label=_("Why"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("The player whom it concerns reads it. Name nobody who reported."),
    )

    def __init__(
        self, *args: Any, acts: list[Act], results: list[tuple[str, str]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        kinds = set(acts)
        self._choose("act", [(act.value, act.label) for act in acts])
        self._choose("result", [("", "–"), *results])
        if not kinds & {Act.CORRECT, Act.RESOLVE} or not results:
            del self.fields["result"]
        if Act.ANNUL_MANY not in kinds:
            del self.fields["since"], self.fields["seen"]
        if Act.WARN not in kinds:
            for name in ("also", "suspended_from", "days"):
                del self.fields[name]
        if Act.COOL_OFF not in kinds:
            del self.fields["minutes"]

    def _choose(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - for the type
        field.choices = choices
