"""Ladders: their rules, changed "from now on", and their tracks."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.audited_admin import AuditedAdmin, actor_of, differences, snapshot
from foundation import clock
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from foundation.read_only_admin import own_pages
from ratings.admin.add_track import add_track
from ratings.admin.archiving import ArchivableAdmin, ArchivedFilter
from ratings.admin.compare import compare_tracks, may_compare
from ratings.admin.noted_form import NotedForm
from ratings.admin.parameter_form import explain
from ratings.ladders.ladders import check_widened
from ratings.models import Ladder, ParameterVersion, TrackState
from ratings.systems import ParameterError
from ratings.tracks.parameters import (
    LADDER_RULES,
    RESOLVED_RULES,
    change_ladder_rules,
    current_version,
    next_event,
    system_of,
)
from ratings.tracks.passed_over import passed_over
from ratings.tracks.progress import progress_of
from ratings.wording import event_in_words, span_in_words, system_name, track_name


class LadderForm(NotedForm[Ladder]):
    """A ladder with its rules; errors name the range."""

    ranges = {
        "team_count": (2, 100),
        "team_size": (1, 100),
        "fewest_teams": (2, 100),
        "smallest_team": (1, 100),
        "days_to_forget": (1, 100_000),
        "established_after": (1, 1000),
        "pool_minimum": (0, 10_000),
        "inactive_after_days": (1, 10_000),
        "drift_days": (0.05, 3650),
        "report_minutes": (1, 10_080),
        "abandon_minutes": (1, 10_080),
    }

    class Meta:
        model = Ladder
        fields = "__all__"

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.instance.pk:
            try:
                check_widened(Ladder.objects.get(pk=self.instance.pk), cleaned)
            except ValidationError as error:
                self.add_error(None, error)
        if self.instance.pk and all(name in cleaned for name in RESOLVED_RULES):
            # Each track's system says whether it can work with these rules.
            rules = {name: cleaned[name] for name in RESOLVED_RULES}
            for track in self.instance.tracks.exclude(state=TrackState.RETIRED):
                version = ParameterVersion(
                    track=track, parameters={**current_version(track).parameters, **rules}
                )
                try:
                    system_of(version, track.period_days)
                except ParameterError as error:
                    reason = explain(error, track.system)
                    words = {"system": system_name(track.system), "reason": reason}
                    self.add_error(None, _("%(system)s cannot work with this: %(reason)s") % words)
        return cleaned


@admin.register(Ladder)
class LadderAdmin(ArchivableAdmin, AuditedAdmin[Ladder]):
    """Rules are changed through `change_ladder_rules`, so that every track follows with a version."""

    form = LadderForm
    change_form_template = "admin/ratings/ladder/change_form.html"
    list_display = ["name", "game", "mode", "slug", "last_seq", "counted_until"]
    list_filter = [ArchivedFilter, "mode", "rated_by", "game"]
    list_select_related = ["game"]
    search_fields = ["name", "slug"]
    prepopulated_fields = {"slug": ["name"]}
    actions = None
    fieldsets = [
        (None, {"fields": ["game", "name", "slug", "description", "mode", "rated_by"]}),
        (
            gettext_lazy("Matches"),
            {"fields": ["team_count", "fewest_teams", "team_size", "smallest_team"]},
        ),
        (
            gettext_lazy("Rules of rating"),
            {
                "fields": list(RESOLVED_RULES),
                "description": gettext_lazy(
                    "A change applies from now on: what is rated already stays as it is. "
                    "Every track of the ladder gets a new version of its parameters."
                ),
            },
        ),
        (
            gettext_lazy("Decay and inflation"),
            {
                "fields": ["drift_days", "drift_next_at"],
                "description": gettext_lazy(
                    "How many points it is, each track says among its parameters. Tracks with rating periods go by"
                    " their ends."
                ),
            },
        ),
        (
            gettext_lazy("Leaderboard"),
            {"fields": ["inactive_after_days", "lists_provisional"]},
        ),
        (
            gettext_lazy("Deadlines of matches"),
            {
                "fields": ["report_minutes", "abandon_minutes"],
                "description": gettext_lazy(
                    "So that nobody gets stuck in a match. Of two players one report "
                    "is enough if the other says nothing; two reports that differ "
                    "make a dispute, which has no deadline. A change applies to "
                    "matches that begin, or are first reported, from now on."
                ),
            },
        ),
        (gettext_lazy("This change"), {"fields": ["note"]}),
    ]

    def get_readonly_fields(self, request: HttpRequest, obj: Ladder | None = None) -> list[str]:
        """A ladder stays with its game, and with what its ratings are made of; its teams stay as its tracks were made
        for, and its matches played.
        """
        if obj is None:
            return ["drift_next_at"]
        is_begun = obj.tracks.exists() or obj.matches.exists()
        fixed = ["game", "rated_by", "drift_next_at"]
        return [*fixed, "team_count", "team_size"] if is_begun else fixed

    def get_prepopulated_fields(self, request: HttpRequest, obj: Ladder | None = None) -> Any:
        return {} if obj else self.prepopulated_fields

    def has_delete_permission(self, request: HttpRequest, obj: Ladder | None = None) -> bool:
        """A ladder is made of matches that others have played: nobody deletes it here."""
        return False

    def lock(self, thing: Ladder) -> None:
        hold_firmly(Lock.LADDER, thing.pk)

    def audited_names(self, form: Any, *, change: bool) -> list[str]:
        names = super().audited_names(form, change=change)
        return [name for name in names if not (change and name in LADDER_RULES)]

    def save_model(self, request: HttpRequest, obj: Ladder, form: Any, change: bool) -> None:
        if not change:
            super().save_model(request, obj, form, change)
            return
        _before, after = differences(form.stored, snapshot(obj, form.fields))
        rules = {name: getattr(obj, name) for name in after if name in LADDER_RULES}
        obj.save(update_fields=[name for name in after if name not in LADDER_RULES])
        change_ladder_rules(
            ladder=Ladder.objects.get(pk=obj.pk),
            changes=rules,
            actor=actor_of(request),
            note=form.cleaned_data["note"],
        )

    def get_urls(self) -> list[URLPattern]:
        own = {
            "<int:pk>/add-track/": ("ratings_ladder_add_track", add_track),
            "<int:pk>/compare/": ("ratings_ladder_compare", compare_tracks),
        }
        return own_pages(self.admin_site, own) + super().get_urls()

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        ladder = kwargs.get("obj")
        if ladder is not None:
            # The ladder's tracks: what they are, how far, and from when on a change would apply.
            now, used = clock.now(), ladder.tracks.filter(archived_at__isnull=True)
            rated = used.exclude(state=TrackState.RETIRED)
            tracks = list(rated.select_related("ladder").order_by("-shown", "state", "pk"))
            over = passed_over(tracks)
            may_tune = actor_of(request).has_perm("ratings.change_ratingtrack")
            context["track_rows"] = [
                {
                    "track": track,
                    "name": track_name(track),
                    "period": span_in_words(track.period_days) if track.period_days else "",
                    "progress": progress_of(track, now=now),
                    "passed_over": over.get(track.pk, 0),
                    "applies_from": event_in_words(track, next_event(track)),
                    "tune": reverse("admin:ratings_ratingtrack_tune", args=[track.pk])
                    if may_tune and track.state == TrackState.LIVE
                    else "",
                }
                for track in tracks
            ]
            may_add = actor_of(request).has_perm("ratings.add_ratingtrack")
            context["can_add_track"] = may_add and not ladder.is_archived
            context["can_compare"] = may_compare(request)
        return super().render_change_form(request, context, *args, **kwargs)
