"""Correcting a result that counts: the form, what would follow, and the doing of what was shown."""

from collections.abc import Sequence
from copy import copy
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import AdminAction, carry_out, require
from accounts.models import User
from foundation.page_parts import version_of
from ratings.admin.of_matches.match_actions import own_match, participants_of, state_now
from ratings.admin.results.places import PlacesForm
from ratings.matches.result import Result, place_of
from ratings.matches.revising.correct import (
    CorrectedMeanwhileError,
    correct,
    put_result,
    say_result,
)
from ratings.matches.revising.correction_preview import preview_correction
from ratings.models import Match, MatchState, Participant
from ratings.models.corrections import LONGEST_CORRECTION_REASON

__all__ = ["correct_result"]


class CorrectionForm(PlacesForm):
    """The result as it should be, why, and what was shown to whoever corrects."""

    of_players = ("score", "minutes")

    note = forms.CharField(
        label=gettext_lazy("Why"),
        help_text=gettext_lazy("Shown on the match's page, and kept in the audit log."),
        max_length=LONGEST_CORRECTION_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        error_messages={"required": gettext_lazy("Say why: players read it on the match's page.")},
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    previewed = forms.CharField(widget=forms.HiddenInput, required=False, max_length=40)

    def __init__(
        self,
        *args: Any,
        participants: Sequence[Participant],
        corrections: int,
        **kwargs: Any,
    ) -> None:
        ranks = {one.team: one.rank or 0 for one in participants}
        self._ranks = [ranks[team] for team in sorted(ranks)]
        super().__init__(*args, participants=participants, **kwargs)
        self._participants, self._corrections = participants, corrections
        for one in participants:
            who = {"name": one.player.name}
            for name, label in (
                ("score", _("Score of %(name)s")),
                ("minutes", _("Minutes of %(name)s")),
            ):
                self.fields[f"{name}_{one.player_id}"] = forms.FloatField(
                    label=label % who,
                    required=False,
                    initial=getattr(one, name),
                    min_value=0 if name == "minutes" else None,
                    widget=forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"}),
                )

    def place_before(self, members: Sequence[Participant]) -> int | None:
        """The place as it counts now."""
        return place_of(self._ranks, members[0].team)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        self.check_best()
        if cleaned.get("seen") != self._corrections:
            self.add_error(None, str(CorrectedMeanwhileError(self._corrections)))
        if not self.errors:
            after = [copy(one) for one in self._participants]
            put_result(after, self.result)
            if say_result(after) == say_result(self._participants):
                self.add_error(None, _("Nothing differs from the result that counts."))
        return cleaned

    @property
    def result(self) -> Result:
        """What a valid form says. Empty figures stay as they are."""
        known = {
            name: {
                one.player_id: value
                for one in self._participants
                if (value := self.cleaned_data[f"{name}_{one.player_id}"]) is not None
            }
            for name in self.of_players
        }
        return Result(ranks=self.ranks, player_scores=known["score"], minutes=known["minutes"])


def correct_result(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Ask for the result as it should be, show what would follow, and do what was shown."""
    require(request, ["ratings.change_match"])
    match = get_object_or_404(Match.objects.select_related("ladder__game"), pk=pk)
    participants = participants_of([match])[pk]
    is_impossible = match.state != MatchState.CONFIRMED
    count = match.corrections.count()
    given = request.POST.copy() if request.method == "POST" and not is_impossible else None
    form = CorrectionForm(
        given, participants=participants, corrections=count, initial={"seen": count}
    )
    preview, is_ready = None, True
    if given is not None and not form.is_valid():
        given["seen"], given["previewed"] = str(count), ""
    elif given is not None:
        # What is done is what was shown: whoever changes the form after that is shown what follows from it first.
        shown = version_of(say_result(participants), form.result)
        is_ready = given.get("step") == "apply" and given.get("previewed") == shown
        if not is_ready:
            preview = preview_correction(match, form.result)
            given["previewed"] = shown

    def act(actor: User, said: dict[str, Any]) -> str:
        correct(match_id=pk, result=form.result, reason=said["note"], by=actor, seen=said["seen"])
        return _("The result is corrected. What follows from it is being recalculated.")

    admin_action = AdminAction(
        title=_("Correct the result of match %(number)s") % {"number": pk},
        button=_("Correct the result"),
        template="admin/ratings/match/correct.html",
        act=act,
        back=reverse("admin:ratings_match_change", args=[pk]),
        form=form,
        explain=lambda: state_now(pk),
        context={
            "participants": participants,
            "is_impossible": is_impossible,
            "preview": preview,
            "corrections": count,
            "has_reports": match.reports.exists(),
            "own_matter": own_match(request, participants),
        },
        is_ready=is_ready,
    )
    return carry_out(request, site, match, admin_action)
