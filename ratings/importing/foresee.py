"""What an import would do, said without doing it: the file is read as the import reads it, and nothing is written."""

from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO

from django.db import connection

from ratings.importing.familiar import (
    Familiarity,
    LookAlikes,
    familiarity_of,
    find_look_alikes,
)
from ratings.importing.problems import Problems
from ratings.importing.read import Progress, staged
from ratings.importing.store import (
    count_fresh,
    refuse_changed_results,
    refuse_merged_twice,
    refuse_missing_figures,
    refuse_reserved,
)
from ratings.importing.target_ladder import NewLadder, check_shape
from ratings.matches.player_stats import demands_of, needs_of
from ratings.models import Game, Ladder

__all__ = ["Foreseen", "foresee"]

_SPAN = "SELECT min(played_at), max(played_at) FROM import_staging"
_NEW_PLAYERS = """
SELECT count(DISTINCT participant.player) FROM import_participants AS participant
WHERE NOT EXISTS (
    SELECT FROM ratings_player AS player
    WHERE player.game_id = %(game)s AND player.external_id = participant.player
)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreseen:
    """What would come of a file. `ladder` and `game` are None where they would be made.

    rows, new_matches  in the file, and those of them that the ladder does not have
    new_players        whom the game does not know
    first, last        when its matches were played; None without any
    backwards          rows dated before the row above them
    known_file         whether this very file is in the ladder already
    """

    ladder: Ladder | None
    game: Game | None
    rows: int
    new_matches: int
    new_players: int
    first: datetime | None
    last: datetime | None
    backwards: int
    known_file: bool
    familiarity: Familiarity
    look_alikes: LookAlikes


def foresee(
    source: BinaryIO,
    *,
    ladder: str,
    create: NewLadder | None = None,
    on_progress: Progress | None = None,
) -> Foreseen:
    """Read a file as `import_matches` does, and say what that would do. Raises OptionError and FileRejectedError."""
    with staged(source, ladder=ladder, create=create, on_progress=on_progress) as file:
        there, game = file.ladder, file.game
        is_known, fresh, problems = False, file.matches.count, Problems()
        if there is not None:
            check_shape(there, file.matches.shape)
            is_known = there.imports.filter(digest=file.digest, taken_back_at__isnull=True).exists()
            refuse_changed_results(there, file.matches, problems)
            fresh = count_fresh(there)
        refuse_reserved(game, problems)
        if game is not None:
            refuse_merged_twice(game, there, problems)
        needs = demands_of([there.pk]).get(there.pk) if there else None
        if needs is None and create is not None:  # the track that would be made
            needs = needs_of(create.track.system)
        refuse_missing_figures(needs or frozenset(), file.matches, problems)
        problems.raise_if_any()
        with connection.cursor() as cursor:
            cursor.execute(_SPAN)
            first, last = cursor.fetchone()
            cursor.execute(_NEW_PLAYERS, {"game": game.pk if game else None})
            (players,) = cursor.fetchone()
        return Foreseen(
            ladder=there,
            game=game,
            rows=file.matches.count,
            new_matches=0 if is_known else fresh,
            new_players=0 if is_known else players,
            first=first,
            last=last,
            backwards=file.matches.backwards,
            known_file=is_known,
            familiarity=familiarity_of(there, game),
            look_alikes=find_look_alikes(game),
        )
