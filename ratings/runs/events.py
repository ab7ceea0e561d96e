"""Rating event by event: what servers tell of their matches, in the ladder's sequence, by the stream of the shooter
ladder.

Ratings follow while a match goes on; what it was worth to each player is kept in a tally, of which the ledger gets one
row when the match is over. So a match of a thousand frags is one row for each of its players.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from ratings.models import RATED_KINDS, EventKind
from ratings.runs.position import Chunk, Position, Version
from ratings.systems.frags import Competitor, Deathmatch, Frag, FragsParameters, Move, Side

__all__ = ["PlayerTally", "RatedEvents", "chunk_of_events", "rate_events"]

# Events of a transaction: about half a second of work.
EVENTS_CHUNK = 50_000
_WITHOUT_RESULT = "('annulled', 'aborted', 'abandoned')"
_COUNT = """
SELECT seq FROM (
    SELECT seq, sum(events) OVER (ORDER BY seq) AS events FROM (
        SELECT seq, last - first + 1 AS events FROM ratings_logstretch
        WHERE ladder_id = %(ladder)s AND seq > %(after)s AND seq <= %(last)s ORDER BY seq LIMIT %(most)s
    ) AS stretches
) AS counted WHERE events > %(most)s ORDER BY seq LIMIT 1
"""
# Whoever was merged into another since counts for that one, from the moment on from which the merge does.
_MEANT = (
    "CASE WHEN {0}.merged_into_id IS NULL OR match.played_at < {0}.merged_since THEN {0}.id"
    " ELSE {0}.merged_into_id END"
)
_EVENTS = f"""
SELECT stretch.seq, event.log_id, event.kind, {_MEANT.format("player")}, {_MEANT.format("victim")},
       event.weight, event.counts, event.detail
FROM ratings_logstretch AS stretch
JOIN ratings_match AS match ON match.id = stretch.log_id
JOIN ratings_logevent AS event
    ON event.log_id = stretch.log_id AND event.number BETWEEN stretch.first AND stretch.last
LEFT JOIN ratings_player AS player ON player.id = event.player_id
LEFT JOIN ratings_player AS victim ON victim.id = event.victim_id
WHERE stretch.ladder_id = %(ladder)s AND stretch.seq > %(after)s AND stretch.seq <= %(last)s
  AND match.state NOT IN {_WITHOUT_RESULT}
ORDER BY stretch.seq, event.number
"""  # noqa: S608 - constants
_TALLIES = """
SELECT match_id, player_id, team, value_after FROM ratings_logtally
WHERE track_id = %(track)s AND match_id = ANY(%(matches)s) ORDER BY match_id, player_id
"""
_RATINGS = """
SELECT player_id, value FROM ratings_rating
WHERE track_id = %(track)s AND player_id = ANY(%(players)s) AND facet = ''
"""
_ENDED = """
SELECT ladder_seq, id FROM ratings_match
WHERE ladder_id = %(ladder)s AND state = 'confirmed' AND ladder_seq > %(after)s AND ladder_seq <= %(last)s
ORDER BY ladder_seq
"""
_FRAG, _CAPTURE, _SCORE = "frag", "capture", "score"
Event = tuple[int, int, int, int | None, int | None, float | None, bool, str]


@dataclass(slots=True)
class PlayerTally:
    """What a chunk made of one player in one match; `expected` and `actual` as in `LogTally`.

    points  what its events have moved
    moves   how many they were
    """

    before: float
    after: float
    points: float = 0.0
    expected: float = 0.0
    actual: float = 0.0
    weight: float = 0.0
    moves: int = 0

    def add(self, move: Move) -> None:
        """Add what one event did."""
        self.after = move.after
        self.points += move.after - move.before
        self.expected += move.weight * move.expected
        self.actual += move.weight * move.actual
        self.weight += move.weight
        self.moves += 1


@dataclass(slots=True)
class RatedEvents:
    """What a run is about to write.

    tallies  by match and player; counts and teams are in `streams`
    ended    matches that are over, with the number of games after which a rating is established
    """

    rated_seq: int
    events: int
    ratings: dict[Competitor, float]
    streams: dict[int, Deathmatch] = field(default_factory=dict)
    tallies: dict[tuple[int, Competitor], PlayerTally] = field(default_factory=dict)
    ended: dict[int, int] = field(default_factory=dict)

    @property
    def moved(self) -> dict[int, float]:
        """Ratings that have changed, by player."""
        players = {who for (_match, who), tally in self.tallies.items() if tally.moves}
        return {int(who.name): self.ratings[who] for who in players}


def chunk_of_events(position: Position) -> Chunk:
    """Choose what the next transaction rates: at most so many events, at least one number of the sequence."""
    given = {
        "ladder": position.ladder_id,
        "after": position.rated_seq,
        "last": position.rateable_seq,
        "most": EVENTS_CHUNK,
    }
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, given)
        row: tuple[int] | None = cursor.fetchone()
    last = position.rateable_seq if row is None else max(row[0] - 1, position.rated_seq + 1)
    return Chunk(position.rated_seq, last, 0)


def rate_events(position: Position, chunk: Chunk) -> RatedEvents:
    """Rate the events of a chunk, each against the ratings that the one before it has left."""
    bounds = {"ladder": position.ladder_id, "after": chunk.after, "last": chunk.last}
    with connection.cursor() as cursor:
        cursor.execute(_EVENTS, bounds)
        events: list[Event] = cursor.fetchall()
        cursor.execute(_ENDED, bounds)
        ended = cursor.fetchall()
    matches = {event[1] for event in events}
    given: dict[str, Any] = {"track": position.track_id, "matches": list(matches)}
    with connection.cursor() as cursor:
        cursor.execute(_TALLIES, given)
        known = cursor.fetchall()
        players = {player for _match, player, _team, _value in known}
        for event in events:
            players.update(player for player in event[3:5] if player is not None)
        cursor.execute(_RATINGS, {**given, "players": list(players)})
        ratings = {Competitor(str(player)): value for player, value in cursor.fetchall()}
    rated = RatedEvents(chunk.last, len(events), ratings)
    for match in matches:
        rated.streams[match] = Deathmatch(ratings=ratings)
    sides: dict[tuple[int, int], Side] = {}
    for match, player, team, value in known:
        # Whom no event has moved yet has no rating, and stands where it began.
        ratings.setdefault(Competitor(str(player)), value)
        sides[match, player] = side = Side(str(player), team or None)
        if team:
            rated.streams[match].join(side)
    _play(rated, position, events, sides)
    for seq, match in ended:
        rated.ended[match] = _settings(position.version_at(seq)).established_after
    return rated


def _play(
    rated: RatedEvents,
    position: Position,
    events: Iterable[Event],
    sides: dict[tuple[int, int], Side],
) -> None:
    """Let the streams of the matches take these events."""
    version, seq_of_version = None, 0
    for seq, match, kind, player, victim, weight, counts, detail in events:
        stream = rated.streams[match]
        if seq != seq_of_version:
            version, seq_of_version = position.version_at(seq), seq
        if version is not None:
            stream.parameters = _settings(version)
        side = None if player is None else _side(sides, match, player)
        if kind == EventKind.JOIN and player is not None:
            sides[match, player] = side = Side(str(player), detail or None)
            stream.join(side)
        elif kind == EventKind.LEAVE and side is not None and player is not None:
            stream.leave(side)
            sides[match, player] = Side(str(player))
        elif counts and kind in RATED_KINDS:
            other = None if victim is None else _side(sides, match, victim)
            for move in _take(stream, kind, side, other, weight):
                key = match, move.competitor
                tally = rated.tallies.get(key)
                if tally is None:
                    tally = rated.tallies[key] = PlayerTally(move.before, move.after)
                tally.add(move)


def _side(sides: dict[tuple[int, int], Side], match: int, player: int) -> Side:
    side = sides.get((match, player))
    if side is None:
        side = sides[match, player] = Side(str(player))
    return side


def _take(
    stream: Deathmatch, kind: int, side: Side | None, other: Side | None, weight: float | None
) -> tuple[Move, ...]:
    if kind == EventKind.SUICIDE:
        return stream.take(Frag(side, side))
    if kind == EventKind.TEAM_KILL and side is not None and other is not None:
        return stream.take_team_kill(side, other)
    if kind == EventKind.FRAG:
        return stream.take(Frag(side, other, _FRAG, weight))
    return stream.take(Frag(side, other, _CAPTURE if kind == EventKind.CAPTURE else _SCORE, weight))


def _settings(version: Version) -> FragsParameters:
    settings = version.system.settings
    if not isinstance(settings, FragsParameters):
        raise TypeError(f"{version.system.name} rates no events")
    return settings
