"""From the staging table to players and matches: under the ladder's lock, by a few statements over all rows."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.utils.translation import gettext as _

from ratings.importing.problems import LIMIT, Problems
from ratings.importing.reader import Reader
from ratings.merging.meant import MEANT
from ratings.models import Game, ImportedFile, Ladder
from ratings.players.enrol import add_players
from ratings.players.new_ids import say_unfit, unfit_among
from ratings.players.site_ids import (
    DeletedPlayerError,
    deleted_among,
    say_reserved,
    unknown_reserved,
)

__all__ = [
    "count_fresh",
    "refuse_changed_results",
    "refuse_merged_twice",
    "refuse_missing_figures",
    "refuse_reserved",
    "store_matches",
    "store_players",
]

# A match is known again by this name, whatever file it stands in.
_EXTERNAL_ID = """
    'import-' || %(ladder)s || '-' || encode(staged.identity, 'hex')
    || CASE WHEN staged.occurrence > 1 THEN '-' || staged.occurrence ELSE '' END
"""

_CHANGED_RESULTS = f"""
WITH changed AS (
    SELECT DISTINCT staged.line, match.id
    FROM import_staging AS staged
    JOIN ratings_match AS match ON match.game_id = %(game)s AND match.external_id = {_EXTERNAL_ID}
    JOIN import_participants AS participant ON participant.line = staged.line
    JOIN ratings_player AS player ON player.game_id = %(game)s AND player.external_id = participant.player
    JOIN ratings_participant AS known
        ON known.match_id = match.id AND coalesce(known.reported_as_id, known.player_id) = player.id
    WHERE known.rank IS DISTINCT FROM participant.rank
    ORDER BY staged.line
    LIMIT %(limit)s
)
SELECT line, (
    SELECT array_agg(rank ORDER BY team)
    FROM (SELECT DISTINCT team, rank FROM import_participants WHERE line = changed.line) AS team
), (
    SELECT array_agg(rank ORDER BY team)
    FROM (SELECT DISTINCT team, rank FROM ratings_participant WHERE match_id = changed.id) AS team
)
FROM changed
ORDER BY line
"""  # noqa: S608

# Whose matches count for one and the same, by the moment at which each was played.
_TWICE = f"""
SELECT line, array_agg(name ORDER BY name)
FROM (
    SELECT participant.line, participant.player AS name, {MEANT.format(at="staged.played_at")} AS player
    FROM import_staging AS staged JOIN import_participants AS participant ON participant.line = staged.line
    JOIN ratings_player AS named ON named.game_id = %(game)s AND named.external_id = participant.player
    WHERE EXISTS (SELECT FROM ratings_player WHERE game_id = %(game)s AND merged_into_id IS NOT NULL)
    AND NOT EXISTS (
        SELECT FROM ratings_match AS match WHERE match.game_id = %(game)s AND match.external_id = {_EXTERNAL_ID}
    )
) AS meant
GROUP BY line, player HAVING count(*) > 1
ORDER BY line LIMIT %(limit)s
"""  # noqa: S608 - constants
_NAMES = "SELECT DISTINCT player FROM import_participants"
_LINES_OF = """
SELECT line, player FROM import_participants WHERE player = ANY(%(names)s) ORDER BY line, team, player LIMIT %(limit)s
"""
_WITHOUT_SCORES = """
SELECT DISTINCT line FROM import_participants WHERE score IS NULL ORDER BY line LIMIT %(limit)s
"""
_WITHOUT_MINUTES = """
SELECT DISTINCT line FROM import_participants WHERE minutes IS NULL ORDER BY line LIMIT %(limit)s
"""

_NEW_PLAYERS = """
SELECT DISTINCT participant.player
FROM import_participants AS participant
WHERE NOT EXISTS (
    SELECT FROM ratings_player AS player
    WHERE player.game_id = %(game)s AND player.external_id = participant.player
)
ORDER BY participant.player
"""
# Players that are added by one statement, in one order in all files.
_AT_ONCE = 20_000

# Which rows are new, and the ids of their matches: given here, so that nothing has to look them up again.
_FRESH = f"""
CREATE TEMPORARY TABLE import_fresh ON COMMIT DROP AS
SELECT nextval(pg_get_serial_sequence('ratings_match', 'id')) AS match_id, ordered.*
FROM (
    SELECT staged.*, {_EXTERNAL_ID} AS external_id
    FROM import_staging AS staged
    WHERE NOT EXISTS (
        SELECT FROM ratings_match AS match
        WHERE match.game_id = %(game)s AND match.external_id = {_EXTERNAL_ID}
    )
    ORDER BY staged.line
) AS ordered
"""  # noqa: S608

_COUNT_FRESH = f"""
SELECT count(*) FROM import_staging AS staged
WHERE NOT EXISTS (
    SELECT FROM ratings_match AS match
    WHERE match.game_id = %(game)s AND match.external_id = {_EXTERNAL_ID}
)
"""  # noqa: S608

_MATCHES = """
INSERT INTO ratings_match
    (id, ladder_id, game_id, external_id, state, map, is_neutral, played_at, confirmed_at, counts_at, ladder_seq,
     source_id, extra)
SELECT
    match_id, %(ladder)s, %(game)s, external_id, 'confirmed', map, neutral, played_at, %(now)s,
    greatest(max(played_at) OVER (ORDER BY line), %(counted_until)s),
    %(last_seq)s + row_number() OVER (ORDER BY line), %(source)s, extra
FROM import_fresh
ORDER BY line
"""

_MEANT = MEANT.format(at="fresh.played_at")
_PARTICIPANTS = f"""
INSERT INTO ratings_participant
    (match_id, player_id, reported_as_id, team, rank, score, minutes, character, left_early)
SELECT fresh.match_id, {_MEANT}, nullif(named.id, {_MEANT}), participant.team, participant.rank, participant.score,
       participant.minutes, participant.character, participant.left_early
FROM import_fresh AS fresh
JOIN import_participants AS participant USING (line)
JOIN ratings_player AS named ON named.game_id = %(game)s AND named.external_id = participant.player
ORDER BY fresh.line, participant.team, participant.player
"""  # noqa: S608 - constants

_SUMMARY = """
SELECT max(counts_at), count(*) FILTER (WHERE played_at < %(counted_until)s)
FROM ratings_match
WHERE ladder_id = %(ladder)s AND ladder_seq > %(last_seq)s
"""


@dataclass(frozen=True, slots=True)
class Stored:
    """How many matches are new, how many of them late, and the new end of the ladder's sequence."""

    matches: int
    late: int
    last_seq: int
    counted_until: datetime | None


def count_fresh(ladder: Ladder) -> int:
    """How many staged matches the ladder does not have."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT_FRESH, {"ladder": ladder.pk, "game": ladder.game_id})
        (count,) = cursor.fetchone()
    return int(count)


def refuse_changed_results(ladder: Ladder, file: Reader, problems: Problems) -> None:
    """Note every staged match that is known with another result."""
    given = {"ladder": ladder.pk, "game": ladder.game_id, "limit": LIMIT}
    with connection.cursor() as cursor:
        cursor.execute(_CHANGED_RESULTS, given)
        for line, new, old in cursor.fetchall():
            text = _(
                "the match is known with %(old)s; must be the same, a file does not change results"
            )
            expected = text % {"old": file.say_result(old)}
            problems.add(line, file.form.result, file.say_result(new), expected)


def refuse_merged_twice(game: Game, ladder: Ladder | None, problems: Problems) -> None:
    """Note every staged match that has a player and one who was merged into that player, but those that the ladder has:
    they were taken in before.
    """
    given = {"game": game.pk, "ladder": ladder.pk if ladder else 0, "limit": LIMIT}
    with connection.cursor() as cursor:
        cursor.execute(_TWICE, given)
        for line, names in cursor.fetchall():
            text = _(
                "the players %(names)s are one person here: an operator has merged them. Leave the line out of the "
                "file, or unmerge them first"
            )
            problems.add(line, "", "", text % {"names": ", ".join(names)})


def refuse_reserved(game: Game | None, problems: Problems) -> None:
    """Note everybody who has an id that only the site gives, or no new player can have, or who was deleted: as for
    results of a game's server.
    """
    with connection.cursor() as cursor:
        cursor.execute(_NAMES)
        names = {name for (name,) in cursor.fetchall()}
        told = {name: say_unfit(name) for name in unfit_among(game, names)}
        told |= {name: str(DeletedPlayerError(name)) for name in deleted_among(game, names)}
        told |= {name: say_reserved(name, in_file=True) for name in unknown_reserved(game, names)}
        if told:
            cursor.execute(_LINES_OF, {"names": list(told), "limit": LIMIT})
            for line, name in cursor.fetchall():
                problems.add(line, "", "", told[name])


def refuse_missing_figures(needs: frozenset[str], file: Reader, problems: Problems) -> None:
    """Note every staged match without what the ladder's shown system needs of it."""
    given = {"limit": LIMIT}
    with connection.cursor() as cursor:
        if needs & {"points", "score"}:
            cursor.execute(_WITHOUT_SCORES, given)
            for (line,) in cursor.fetchall():
                text = _("must be there for everyone: this ladder is rated by what players counted")
                problems.add(line, file.form.scores, "", text)
        if "minutes" in needs:
            cursor.execute(_WITHOUT_MINUTES, given)
            for (line,) in cursor.fetchall():
                text = _(
                    "must be there for everyone: this ladder is rated by how long players took part"
                )
                problems.add(line, file.form.minutes, "", text)


def store_players(ladder: Ladder) -> int:
    """Add the players that the ladder's game does not know yet; return how many."""
    with connection.cursor() as cursor:
        cursor.execute(_NEW_PLAYERS, {"game": ladder.game_id})
        names = [name for (name,) in cursor.fetchall()]
    return sum(
        add_players(ladder.game_id, names[first : first + _AT_ONCE])
        for first in range(0, len(names), _AT_ONCE)
    )


def store_matches(ladder: Ladder, source: ImportedFile, *, now: datetime) -> Stored:
    """Add the matches that the ladder does not have yet, at the end of its sequence, in the file's order.

    The caller holds the ladder's lock and gives the ladder as it is under it.
    """
    values: dict[str, Any] = {
        "ladder": ladder.pk,
        "game": ladder.game_id,
        "source": source.pk,
        "now": now,
        "last_seq": ladder.last_seq,
        "counted_until": ladder.counted_until,
    }
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS pg_temp.import_fresh")
        cursor.execute(_FRESH, values)
        matches: int = cursor.rowcount
        if not matches:
            return Stored(0, 0, ladder.last_seq, ladder.counted_until)
        cursor.execute("ANALYZE import_fresh")
        cursor.execute(_MATCHES, values)
        cursor.execute(_PARTICIPANTS, values)
        cursor.execute(_SUMMARY, values)
        counted_until, late = cursor.fetchone()
    return Stored(matches, late, ladder.last_seq + matches, counted_until)
