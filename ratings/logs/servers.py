"""Game servers that tell events: made and found."""

from collections.abc import Sequence
from http import HTTPStatus

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_admin import snapshot
from accounts.audited_changes import check_columns
from accounts.models import User
from foundation.refusals import RefusedError
from ratings.archiving import ArchivedError
from ratings.models import Game, GameServer, Ladder, RatedBy

__all__ = ["NotRatedByEventsError", "UnknownServerError", "find_server", "obtain_server"]

_RECORDED = ("game", "ladder", "slug", "name")
_NAMED = 20


class UnknownServerError(RefusedError):
    """The game has no such server."""

    code = "unknown_server"
    status = HTTPStatus.NOT_FOUND

    def __init__(self, slug: str, known: Sequence[str]) -> None:
        words = _("This game has no server “%(server)s”. It has %(known)s.")
        if not known:
            words = _("This game has no server “%(server)s”, nor any other.")
        said = {"server": slug, "known": ", ".join(known)}
        super().__init__(words % said, server=slug)


class NotRatedByEventsError(RefusedError):
    """The ladder takes results, so that no server's events count on it."""

    code = "not_rated_by_events"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, ladder: Ladder) -> None:
        words = _(
            "Ladder “%(ladder)s” is rated by results; a server needs one that is rated by events."
        )
        super().__init__(words % {"ladder": ladder.slug}, ladder=ladder.slug)


def find_server(game: Game, slug: str) -> GameServer:
    """The game's server of this short name, with its ladder and game. Raises UnknownServerError."""
    servers = GameServer.objects.select_related("ladder__game", "game")
    server = servers.filter(game=game, slug=slug).first()
    if server is None:
        known = GameServer.objects.in_use().filter(game=game).order_by("slug")
        raise UnknownServerError(slug, list(known.values_list("slug", flat=True)[:_NAMED]))
    return server


@transaction.atomic
def obtain_server(
    ladder: Ladder, slug: str, *, name: str, actor: User | None = None
) -> tuple[GameServer, bool]:
    """The server of this short name in the ladder's game, and whether it was made now; one that is there gets the name,
    unless that is empty, and its further matches count on this ladder. Of two that make it at once the second waits for
    the first, and finds it.

    Raises NotRatedByEventsError, ArchivedError, ValidationError.
    """
    if ladder.rated_by != RatedBy.EVENTS:
        raise NotRatedByEventsError(ladder)
    if ladder.is_archived:
        raise ArchivedError(ladder, ladder=ladder.slug)
    checked = check_columns(GameServer(), {"slug": slug, "name": name or slug})
    made, is_new = GameServer.objects.get_or_create(
        game=ladder.game,
        slug=checked["slug"],
        defaults={"ladder": ladder, "name": checked["name"]},
    )
    server = GameServer.objects.select_for_update(no_key=True).get(pk=made.pk)
    if server.archived_at is not None:
        raise ArchivedError(server, server=slug)
    before = {} if is_new else snapshot(server, _RECORDED)
    server.ladder, server.name = ladder, checked["name"] if name else server.name
    server.save(update_fields=["ladder", "name"])
    after = snapshot(server, _RECORDED)
    if before != after:
        action = "server.added" if is_new else "server.changed"
        audit.record(actor=actor, action=action, target=server, before=before, after=after)
    return server, is_new
