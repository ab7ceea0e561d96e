"""The page on which an operator lets players see another track, and reads before what that changes."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.admin_actions import AdminAction, NoteForm, carry_out, require
from accounts.models import User
from foundation import clock
from foundation.page_parts import show, wants_part
from leaderboards.boards.preview import preview_board
from matchmaking.queues.rescale import RescaledQueue, characters_left_out, misfits_on, rescale
from ratings.models import Facet, Mode, RatingTrack
from ratings.systems import create
from ratings.tracks.promotion import (
    NotPromotableError,
    check_promotable,
    request_promotion,
    shown_track,
)
from ratings.wording import span_in_words, system_name

__all__ = ["show_track"]

TEMPLATES = "admin/leaderboards/board/"
# What a system cannot do without, in the words of those who send results.
_DEMANDS = {"points": "score", "score": "score", "minutes": "minutes"}


def show_track(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Say what would change (GET), by htmx its figures, or ask for it (POST)."""
    require(request, ["ratings.change_ratingtrack"])
    track = get_object_or_404(RatingTrack.objects.select_related("ladder__game"), pk=pk)
    if wants_part(request):
        part = TEMPLATES + "preview.html"
        return show(request, part, _figures_of(track), part=part)
    reason = ""
    try:
        check_promotable(track)
    except NotPromotableError as error:
        reason = str(error)
    is_change = not (reason or track.shown)
    context: dict[str, Any] = {"reason": reason, "is_impossible": bool(reason)}
    if is_change:  # what follows from the settings alone, whoever plays
        ladder, present, queues = track.ladder, shown_track(track.ladder), rescale(track)
        rescaled = {one.queue for one in queues}
        facets = ladder.tracks.filter(shown=True).exclude(facet=Facet.NONE)
        others = facets.exclude(system=track.system).order_by("facet")
        context |= {
            "present": present,
            "rows": [
                (_("System"), _name(present), _name(track)),
                (_("Matches are rated"), _pace(present), _pace(track)),
            ],
            "is_public": ladder.mode == Mode.RANKED,
            "queues": queues,
            "misfits": [one for one in misfits_on(track) if one[0] not in rescaled],
            "demands": sorted(_demands_of(track) - _demands_of(present)),
            "apart": [one.get_facet_display() for one in others],
            "characters_left_out": characters_left_out(track),
        }
    if is_change and "now" in request.GET:
        context |= _figures_of(track)
    admin_action = AdminAction(
        title=_("Keep showing %(track)s") % {"track": track}
        if track.shown
        else _("Show %(track)s to players") % {"track": track},
        button=_("Keep it") if track.shown else _("Show it to players"),
        template=TEMPLATES + "show.html",
        act=lambda actor, said: _act(track, actor, said["note"], context.get("queues", [])),
        back=reverse("admin:ratings_ratingtrack_change", args=[pk]),
        form=NoteForm(request.POST or None),
        context=context,
    )
    return carry_out(request, site, track, admin_action)


def _act(track: RatingTrack, actor: User, note: str, queues: Sequence[RescaledQueue]) -> str:
    request_promotion(track=track, by=actor, note=note)
    if track.shown:  # as it is now: another may have taken its place since the page was read
        return _("Players keep seeing %(track)s.") % {"track": track}
    text = _("Players see %(track)s as soon as its leaderboard is ready, usually within seconds.")
    sentences = [text % {"track": track}]
    if queues:
        names = ", ".join(str(one.queue) for one in queues)
        sentences.append(_("Look at the settings of: %(queues)s.") % {"queues": names})
    return " ".join(sentences)


def _figures_of(track: RatingTrack) -> dict[str, Any]:
    """The boards before and after, for ladders that have one."""
    if track.ladder.mode != Mode.RANKED:
        return {}
    present = shown_track(track.ladder)
    return {"present": present, "preview": preview_board(present, track, now=clock.now())}


def _name(track: RatingTrack | None) -> str:
    return system_name(track.system) if track else "–"


def _pace(track: RatingTrack | None) -> str:
    if track is None:
        return "–"
    if track.period_days is None:
        return _("at once")
    return _("at the end of each period of %(span)s") % {"span": span_in_words(track.period_days)}


def _demands_of(track: RatingTrack | None) -> set[str]:
    return {_DEMANDS[name] for name in create(track.system).needs} if track else set()
