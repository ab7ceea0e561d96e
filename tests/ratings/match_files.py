"""Match files as tests write them, and what is in the database afterwards."""

import io
from collections.abc import Iterable
from typing import NamedTuple

from ratings.importing import ImportReport, NewLadder, import_matches
from ratings.models import ImportedFile, Match, Participant, Player

HEADER = "date,player_a,player_b,score_a"
CREATE = NewLadder(game="football")


class FileRow(NamedTuple):
    """One row of a file."""

    date: str
    a: str
    b: str
    score: str


def file_of(rows: Iterable[Iterable[str]], *, header: str = HEADER) -> str:
    return "\n".join([header, *(",".join(row) for row in rows)]) + "\n"


def take_in(
    content: str, *, ladder: str = "world", create: NewLadder | None = CREATE
) -> ImportReport:
    """Import a file's content, making the ladder if it is missing."""
    source = io.BytesIO(content.encode())
    return import_matches(source, name="games.csv", ladder=ladder, create=create)


def sequence(ladder: str = "world") -> list[tuple[str, str, str, float]]:
    """Return (date, player_a, player_b, score_a) of the ladder's matches, in its sequence."""
    taken = Participant.objects.filter(match__ladder__slug=ladder).order_by(
        "match__ladder_seq", "team"
    )
    rows = list(taken.values_list("match__played_at", "player__external_id", "rank"))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return [
        (day.date().isoformat(), a, b, ((rank_b or 0) - (rank_a or 0) + 1) / 2)
        for (day, a, rank_a), (_day, b, rank_b) in pairs
    ]


def counts() -> tuple[int, int, int, int]:
    """Rows of matches, participants, players and imported files."""
    return (
        Match.objects.count(),
        Participant.objects.count(),
        Player.objects.count(),
        ImportedFile.objects.count(),
    )
