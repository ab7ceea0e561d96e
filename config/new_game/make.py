"""Making all that a new game needs, or nothing of it, as the commands and the API make each part."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.utils.translation import gettext as _

from accounts.models import User
from api.auth.issue import issue_key
from api.auth.scopes import SERVER_SCOPE_NAMES
from api.models import ServerKey
from foundation.postgresql.transactions import briefly
from matchmaking.models import Queue
from matchmaking.queues.add import add_queue
from matchmaking.queues.defaults import Expected, usual_of, widening_for
from ratings.ladders.games import obtain_game
from ratings.ladders.ladders import obtain_ladder_of
from ratings.models import Game, Ladder, RatingTrack
from ratings.tracks.parameters import create_track

__all__ = ["MadeGame", "WantedGame", "set_up"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedGame:
    """What somebody has chosen.

    period_days  None: each match is rated at once
    expected     None: players search for no matches here
    key_name     "": no key
    """

    game_name: str
    game_slug: str
    ladder_name: str
    ladder_slug: str
    mode: str
    team_count: int
    team_size: int
    system: str
    period_days: float | None
    expected: Expected | None
    key_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeGame:
    """What was made of it; `secret` is known at this moment only."""

    game: Game
    ladder: Ladder
    track: RatingTrack
    queue: Queue | None
    key: ServerKey | None
    secret: str


def set_up(wanted: WantedGame, *, actor: User) -> MadeGame:
    """Make it, in one transaction, each part with its entry in the audit log.

    Raises ValidationError by the names of `WantedGame`, ParameterError where the system cannot rate so.
    """
    with briefly():
        with _blamed_on({"slug": "game_slug", "name": "game_name"}):
            game, is_new = obtain_game(wanted.game_slug, {"name": wanted.game_name}, actor=actor)
        _check_new(is_new, "game_slug", game, is_archived=game.archived_at is not None)
        shape = {"team_count": wanted.team_count, "team_size": wanted.team_size}
        values: dict[str, Any] = {"name": wanted.ladder_name, "mode": wanted.mode, **shape}
        with _blamed_on({"slug": "ladder_slug", "name": "ladder_name"}):
            ladder, is_new = obtain_ladder_of(game, wanted.ladder_slug, values, actor=actor)
        _check_new(is_new, "ladder_slug", ladder, is_archived=ladder.is_archived)
        track = create_track(
            ladder=ladder,
            system=wanted.system,
            parameters={},
            period_days=wanted.period_days,
            shown=True,
            actor=actor,
        )
        queue, key, secret = None, None, ""
        if wanted.expected is not None:
            columns, settings = widening_for(usual_of(ladder), wanted.expected)
            with _blamed_on({"slug": "ladder_slug", "name": "ladder_name"}):
                queue = add_queue(
                    ladder=ladder,
                    slug=ladder.slug,
                    columns=columns,
                    settings=settings,
                    actor=actor,
                )
        if wanted.key_name:
            with _blamed_on({"name": "key_name"}):
                key, secret = issue_key(
                    game=game, name=wanted.key_name, scopes=SERVER_SCOPE_NAMES, by=actor
                )
    return MadeGame(game=game, ladder=ladder, track=track, queue=queue, key=key, secret=secret)


def _check_new(is_new: bool, field: str, thing: Game | Ladder, *, is_archived: bool) -> None:
    if not is_new:
        words = _("“%(slug)s” is there already. Choose another short name.")
        if is_archived:  # and listed nowhere
            words = _(
                "“%(slug)s” is there already, and archived. Restore it, or choose another short name."
            )
        raise ValidationError({field: words % {"slug": thing.slug}})


@contextmanager
def _blamed_on(names: dict[str, str]) -> Iterator[None]:
    """Name what somebody has typed in place of the column that refuses it."""
    try:
        yield
    except ValidationError as error:
        if not hasattr(error, "error_dict"):
            raise
        told = error.error_dict.items()
        by_field = {names.get(name, NON_FIELD_ERRORS): said for name, said in told}
        raise ValidationError(by_field) from error
