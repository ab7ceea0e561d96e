"""Lists of players that are their owner's alone: whom a player follows, avoids, blocks, or has muted."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import Http404
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS
from api.auth.stream_rights import MAY_ACT
from api.contract.pages import page_by
from api.contract.shapes import Shape
from api.views.base import ApiView
from api.views.bodies import PageOfBody, PlayerBody, WhoseBody
from api.views.people.others import other_of, whose
from ratings.models import Player

__all__ = ["ListedPlayerView", "OwnListView"]


class OwnListView(ApiView):
    """One such list.

    names   the column of an entry that names the other
    cursor  what cursors of its pages begin with
    rows    a player's entries, by its id, with whom they name
    """

    access = {"GET": MAY_ACT, "POST": MAY_ACT}
    query = {"GET": PageOfBody}
    shape: ClassVar[type[Shape]]
    page_shape: ClassVar[type[Shape]]
    names: ClassVar[str]
    cursor: ClassVar[str]
    rows: "ClassVar[staticmethod[[int], QuerySet[Any]]]"

    def listed(self) -> Response:
        """A page of the list, the latest first."""
        player = whose(self.caller, self.parameters)
        rows, after = page_by("-pk", self.cursor, self.rows(player.pk), self.parameters)
        return self.page(self.page_shape, rows, after)

    def put_on(self, body: type[PlayerBody], name: str, put: Callable[..., bool]) -> Response:
        """Put the player that the body's `name` means on the list; 200 for whoever stands there already."""
        given = self.body(body)
        player = whose(self.caller, given)
        other: Player = other_of(player, given[name])
        is_new = put(player=player, other=other)
        row = self.rows(player.pk).get(**{self.names: other})
        return Response(self.shown(self.shape, row), status=201 if is_new else 200)


class ListedPlayerView(ApiView):
    """One player on such a list."""

    access = {"DELETE": MAY_ACT}
    query = {"DELETE": WhoseBody}
    problems = {"DELETE": WHO_PROBLEMS}

    def taken_off(self, take: Callable[..., bool], player_id: int) -> Response:
        """Take a player off the list; 404 for one who is not on it."""
        if not take(player=whose(self.caller, self.parameters), other_id=player_id):
            raise Http404
        return Response(status=204)
