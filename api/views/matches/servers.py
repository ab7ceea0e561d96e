"""Game servers that tell events: made known, changed, and shown.

A key that may tell results may do so. It could say anything of the game's matches before; what it makes here is a name
under which it tells them. So a server is connected with three settings: the address of this site, its key, and its own
short name.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import needs
from api.auth.people import game_served
from api.auth.scopes import Scope
from api.contract.bodies import Body
from api.contract.column_fields import fields_of
from api.contract.fields import ShortNameField, with_fields
from api.contract.pages import PageBody, link, page_by, wrong
from api.serializers.servers import ServerShape, ServersShape
from api.views.admin.base import AdminView
from api.views.base import ApiView
from api.views.matches.arranged_matches import ladder_of
from foundation.postgresql.transactions import from_one_snapshot
from ratings.archiving import ArchivedError
from ratings.logs.servers import find_server, obtain_server
from ratings.models import OPEN, Game, GameServer, Ladder, Match, RatedBy
from ratings.models.logs import GameServerQuerySet

__all__ = ["MAY_TELL", "SERVER", "TAG", "ServerView", "ServersView"]

TAG = "Game servers"
MAY_TELL = needs(Scope.RESULTS_WRITE)
MAY_SEE = needs(Scope.READ, Scope.RESULTS_WRITE)
_SLUG = re.compile(r"[a-z0-9_-]{1,40}")
SERVER = OpenApiParameter(
    "server",
    {"type": "string", "pattern": f"^{_SLUG.pattern}$"},
    "path",
    description="Short name of the server.",
)


@with_fields(fields_of(GameServer, ("name",)))
class ServerBody(Body):
    """What is chosen for a server. What is left out stays, or is as usual."""

    ladder = ShortNameField(
        required=False,
        help_text="Short name of the ladder on which its further matches count. Of a server that is not there, without "
        "it: the only one of the game that is rated by events.",
    )


class ServersView(ApiView):
    """The servers of the game."""

    access = {"GET": MAY_SEE}
    query = {"GET": PageBody}
    tag = TAG

    @extend_schema(summary="Game servers", responses=ServersShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Those of the game that are in use, oldest first, with the matches that go on there."""
        servers = _shown(GameServer.objects.in_use().filter(game=game_served(self.caller)))
        rows, after = page_by("pk", "s", servers, self.parameters)
        page = {"results": rows, "next": link(request, after)}
        return Response(self.shown(ServersShape, page, playing=_playing(rows)))


@extend_schema(parameters=[SERVER])
class ServerView(AdminView):
    """One of them."""

    access = {"GET": MAY_SEE, "PUT": MAY_TELL}
    problems = {
        "GET": ("unknown_server", "archived"),
        "PUT": ("unknown_ladder", "not_rated_by_events", "archived"),
    }
    tag = TAG

    @extend_schema(summary="A game server", responses=ServerShape)
    @from_one_snapshot
    def get(self, request: Request, server: str) -> Response:
        """A server of the game, with the matches that go on there."""
        found = find_server(game_served(self.caller), server)
        if found.archived_at is not None or found.ladder.is_archived:
            raise ArchivedError(found, server=server)
        return self._answer(found.pk)

    @extend_schema(
        summary="Make or change a game server",
        request=ServerBody,
        responses={200: ServerShape, 201: ServerShape},
    )
    def put(self, request: Request, server: str) -> Response:
        """Makes the server if it is not there, and else changes what is given: as often as you like, at each start of
        the server. Where the game has one ladder that is rated by events, an empty object is enough. Matches that go
        on stay on the ladder on which they began.
        """
        given, game = self.body(ServerBody), game_served(self.caller)
        if not _SLUG.fullmatch(server):
            words = _(
                "The short name of a server has 1 to 40 small letters, digits, hyphens and underscores."
            )
            raise wrong("server", words)
        ladder = self._ladder(game, server, given)
        with self.acting():
            made, is_new = obtain_server(ladder, server, name=given.get("name", ""))
        return self._answer(made.pk, 201 if is_new else 200)

    def _ladder(self, game: Game, server: str, given: dict[str, Any]) -> Ladder:
        """The ladder that is named, or that the server has, or the only one there is."""
        if "ladder" in given:
            return ladder_of(game, given["ladder"])
        there = GameServer.objects.select_related("ladder__game").filter(game=game, slug=server)
        if (found := there.first()) is not None:
            return found.ladder
        by_events = Ladder.objects.in_use().filter(game=game, rated_by=RatedBy.EVENTS)
        ladders = list(by_events.select_related("game").order_by("slug"))
        if len(ladders) == 1:
            return ladders[0]
        words = _("No ladder of the game is rated by events. Make one first.")
        if ladders:
            words = _("Name the ladder. These are rated by events: %(ladders)s.")
        raise self.refusal(
            ("ladder",), words % {"ladders": ", ".join(ladder.slug for ladder in ladders)}
        )

    def _answer(self, pk: int, status: int = 200) -> Response:
        (server,) = _shown(GameServer.objects.filter(pk=pk))
        shown = self.shown(ServerShape, server, playing=_playing([server]))
        return Response(shown, status=status)


def _shown(servers: GameServerQuerySet) -> GameServerQuerySet:
    return servers.with_last_event().select_related("ladder", "game")


def _playing(servers: Sequence[GameServer]) -> dict[int, list[int]]:
    """The matches that go on, newest first, by server. One query."""
    found: dict[int, list[int]] = defaultdict(list)
    matches = Match.objects.filter(log__server__in=servers, state__in=OPEN).order_by("-pk")
    for server, match in matches.values_list("log__server", "pk"):
        found[server].append(match)
    return found
