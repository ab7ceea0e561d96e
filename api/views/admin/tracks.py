"""How a ladder's matches are rated: its tracks, made, and their parameters changed from now on."""

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.contract.bodies import Body, WordField
from api.contract.fields import NumberField, ObjectField
from api.contract.pages import PageBody, page_by, page_shape
from api.contract.problems import ProblemError
from api.serializers.admin import TrackSetupShape
from api.views.admin.base import ADMIN, NotedBody, ValueField
from api.views.admin.ladders import OfLadders
from ratings import systems
from ratings.models import Facet, TrackState
from ratings.models.tracks import BoardBy
from ratings.tracks.board_order import order_board_by
from ratings.tracks.obtain import obtain_track

__all__ = ["TrackView", "TracksView"]

TracksShape = page_shape("TracksShape", TrackSetupShape)


class ApartBody(Body):
    """Which of the tracks of a system."""

    apart = WordField(
        choices=[Facet.MAP.value, Facet.CHARACTER.value],
        required=False,
        help_text="The track that rates each player by itself on each map, or with each character.",
    )


class TrackBody(NotedBody):
    """How a track rates. What is left out stays, or is as usual."""

    period_days = NumberField(
        required=False,
        allow_null=True,
        min_value=1 / 86_400,
        max_value=36_525,
        help_text="Days of a rating period; null: each match is rated at once. Does not change.",
    )
    ordered_by = WordField(
        choices=BoardBy.values,
        required=False,
        help_text="What the leaderboard is ordered by: the rating, or the rating less some deviations (conservative).",
    )
    parameters = ObjectField(
        child=ValueField(),
        required=False,
        help_text="Parameters of the system by name. A change applies from now on, with a new version.",
    )


class TracksView(OfLadders):
    """The tracks of a ladder."""

    access = {"GET": ADMIN}
    query = {"GET": PageBody}

    @extend_schema(summary="Tracks of a ladder", responses=TracksShape)
    def get(self, request: Request, slug: str) -> Response:
        """Those that rate now, replays included, oldest first. One is shown, the others run in the shadow."""
        ladder = get_object_or_404(self.ladders, slug=slug)
        tracks = ladder.tracks.exclude(state=TrackState.RETIRED).select_related("ladder__game")
        rows, after = page_by("pk", "t", tracks, self.parameters)
        return self.page(TracksShape, rows, after)


@extend_schema(
    parameters=[
        OpenApiParameter("system", OpenApiTypes.STR, "path", description="Name of the system.")
    ]
)
class TrackView(OfLadders):
    """The track of a system."""

    access = {"PUT": ADMIN}
    query = {"PUT": ApartBody}
    problems = {
        "PUT": (
            "cannot_change",
            "several_tracks",
            "track_not_live",
            "archived",
            "system_has_no_deviation",
        )
    }

    def place_of(self, name: str) -> tuple[str, ...]:
        if name == "system":
            return ()
        return (name,) if name == "period_days" else ("parameters", name)

    @extend_schema(
        summary="Let a system rate a ladder",
        request=TrackBody,
        responses={200: TrackSetupShape, 201: TrackSetupShape},
    )
    def put(self, request: Request, slug: str, system: str) -> Response:
        """Makes the track if the ladder has none of this system, and else changes the parameters that are given: as
        often as you like. Players see the ladder's first track; a later one rates all of its history in the shadow.
        """
        given = self.body(TrackBody)
        ladder = get_object_or_404(self.ladders, slug=slug)
        if system not in systems.names():
            words = _("There is no rating system “%(name)s”. There are %(known)s.")
            known = ", ".join(systems.names())
            raise ProblemError("not_found", words % {"name": system, "known": known})
        period = {"period_days": given["period_days"]} if "period_days" in given else {}
        with self.acting():
            track, is_new = obtain_track(
                ladder,
                system=system,
                facet=self.parameters.get("apart", Facet.NONE.value),
                parameters=given.get("parameters", {}),
                actor=None,
                note=given.get("note", ""),
                **period,
            )
            if "ordered_by" in given:
                note = given.get("note", "")
                order_board_by(track=track, board_by=given["ordered_by"], by=None, note=note)
        return Response(self.shown(TrackSetupShape, track), status=201 if is_new else 200)
