"""Tuning a track: a form, a confirmation that says what follows, and the history of versions."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.audited_admin import actor_of
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from ratings.admin.history import describe_changes, history_of
from ratings.admin.parameter_form import ParameterForm, tidy
from ratings.models import ParameterVersion, RatingTrack, TrackState
from ratings.runs.replay import replay_with
from ratings.systems import ParameterError
from ratings.tracks.parameters import (
    NotLiveError,
    change_parameters,
    check_live,
    current_version,
    next_event,
    replay_of,
    resolve_change,
    warnings_of,
)
from ratings.wording import event_in_words, say

__all__ = ["tune"]

TEMPLATES = "admin/ratings/ratingtrack/"
FROM_NOW_ON, AS_IF_ALWAYS = "now", "always"


def tune(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Show the form (GET), the confirmation (POST, step=review), or apply it (POST, step=apply)."""
    if not actor_of(request).has_perm("ratings.change_ratingtrack"):
        raise PermissionDenied
    track = get_object_or_404(RatingTrack.objects.select_related("ladder"), pk=pk)
    present = current_version(track)
    page = _Page(request, site, track)
    if track.state != TrackState.LIVE:
        return page.refuse()
    if request.method != "POST":
        return page.edit(TuneForm(system=track.system, initial=tidy(present.parameters)), present)
    form = TuneForm(request.POST, system=track.system)
    if not _is_acceptable(form, track, present) or request.POST.get("step") == "edit":
        return page.edit(form, present)
    if request.POST.get("step") == "apply":
        return _apply(page, form)
    return page.review(form, present)


class TuneForm(ParameterForm):
    """The parameters of a track, from when on they hold, and why."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["scope"] = forms.ChoiceField(
            label=_("The change holds"),
            choices=[
                (FROM_NOW_ON, _("from now on: what is rated already stays as it is")),
                (AS_IF_ALWAYS, _("as if always: ratings are recalculated from the first match")),
            ],
            initial=FROM_NOW_ON,
            required=False,
            widget=forms.RadioSelect,
        )

    @property
    def is_replay(self) -> bool:
        """Whether ratings shall be computed anew."""
        return bool(self.cleaned_data["scope"] == AS_IF_ALWAYS)


def _is_acceptable(form: TuneForm, track: RatingTrack, present: ParameterVersion) -> bool:
    """Check each value, how they fit together, and that the form was made from the version in force."""
    opened = form.data.get("version", "")
    if opened != str(present.number):
        # Say what another has changed since the form was opened.
        before = track.versions.filter(number=int(opened)).first() if opened.isdecimal() else None
        changes = describe_changes(track, before, present) if before else []
        words = {
            "number": say(present.number),
            "who": present.created_by or _("a command on the server"),
            "changes": "; ".join(f"{label}: {old} → {new}" for label, old, new in changes) or "–",
        }
        conflict = _(
            "%(who)s saved version %(number)s after you opened this form "
            "(%(changes)s), so nothing was saved. Your values are still in the form. "
            "Review them again to put them in its place."
        )
        form.add_error(None, conflict % words)
    if not form.is_valid():
        return False
    differs = form.changed_values(present.parameters) or (form.is_replay and present.number > 1)
    if not differs:
        form.add_error(None, _("Nothing differs from the version in force."))
    try:
        resolve_change(track, present, form.values)
    except ParameterError as error:
        form.blame(error)
    return form.is_valid()


def _apply(page: "_Page", form: TuneForm) -> HttpResponse:
    """Compare again under the ladder's lock, then make the version, or the replay."""
    track, actor = page.track, actor_of(page.request)
    with transaction.atomic():
        hold_firmly(Lock.LADDER, track.ladder_id)
        track.refresh_from_db()
        present = current_version(track)
        if track.state != TrackState.LIVE:
            return page.refuse()
        if not _is_acceptable(form, track, present):
            return page.edit(form, present)
        note = form.cleaned_data["note"]
        if form.is_replay:
            changed = replay_with(track=track, parameters=form.values, by=actor, note=note)
            message = _(
                "The ratings are being recalculated. The new ones are shown when all are done."
            )
        else:
            changed = track
            version = change_parameters(track=track, parameters=form.values, actor=actor, note=note)
            words = {"number": version.number, "event": event_in_words(track, version.applies_from)}
            message = _("Version %(number)s applies from %(event)s on.") % words
    messages.success(page.request, message)
    for warning in warnings_of(changed):
        messages.warning(page.request, warning)
    return HttpResponseRedirect(page.address)


class _Page:
    """What the steps show alike."""

    def __init__(self, request: HttpRequest, site: admin.AdminSite, track: RatingTrack) -> None:
        self.request, self.site, self.track = request, site, track
        self.address = reverse("admin:ratings_ratingtrack_tune", args=[track.pk])

    def refuse(self) -> HttpResponse:
        """A replay follows its track, and a track that was replaced is history."""
        try:
            check_live(self.track)
        except NotLiveError as error:
            messages.error(self.request, str(error))
        return HttpResponseRedirect(
            reverse("admin:ratings_ratingtrack_change", args=[self.track.pk])
        )

    def edit(self, form: TuneForm, present: ParameterVersion) -> HttpResponse:
        """The form with the history of versions below."""
        return self._answer("tune.html", form, present, history=history_of(self.track))

    def review(self, form: TuneForm, present: ParameterVersion) -> HttpResponse:
        """What would change, from which event on, or how much would be computed anew."""
        changes = form.changed_values(present.parameters)
        return self._answer("tune_review.html", form, present, changes=changes)

    def _answer(
        self, template: str, form: TuneForm, present: ParameterVersion, **more: Any
    ) -> HttpResponse:
        context = {
            **self.site.each_context(self.request),
            "title": _("Tune %(track)s") % {"track": self.track},
            "opts": RatingTrack._meta,
            "track": self.track,
            "form": form,
            "present": present,
            "applies_from": event_in_words(self.track, next_event(self.track)),
            "replay": replay_of(self.track),
            **more,
        }
        return TemplateResponse(self.request, TEMPLATES + template, context)
