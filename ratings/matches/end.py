"""How matches end: confirmed, disputed, aborted or abandoned. Every ending frees the players.

Whoever calls holds the matches' rows, in a transaction. Locks are taken in one order everywhere: the ladder's lock
where it is needed, the match's row, its participants.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from events.announcement import ANNOUNCED, Announcement
from events.kinds import Kind
from foundation import clock
from foundation.postgresql.prepared import prepared
from foundation.postgresql.rows import Columns
from foundation.postgresql.transactions import LIMITS, after_commit, idle_limit
from foundation.wakeups import wake
from ratings.matches.result import Result
from ratings.matches.verdict import Said
from ratings.models import Ladder, Match, MatchState
from ratings.sanctions import SUSPENDED_NOW

__all__ = [
    "ENDED",
    "Ending",
    "Held",
    "HeldParticipant",
    "announcement_of",
    "end_by",
    "end_match",
    "end_matches",
    "hold_match",
    "read_participants",
]

# `extra` is not read, for it may be long.
_MATCH, _LADDER = Columns(Match, "match", without=["extra"]), Columns(Ladder, "ladder")
_PARTICIPANTS = f"""
SELECT participant.match_id, participant.player_id, participant.team, coalesce(report.outcome, ''),
       coalesce(report.left_early, false), report.place, participant.rank,
       (SELECT max(coalesce(sanction.until, '9999-01-01 00:00Z')) FROM ratings_sanction AS sanction
        WHERE sanction.player_id = participant.player_id AND sanction.suspended_from IN ('results', 'all')
          AND {SUSPENDED_NOW})
FROM ratings_participant AS participant
LEFT JOIN ratings_report AS report
    ON report.match_id = participant.match_id AND report.player_id = participant.player_id
WHERE participant.match_id = ANY(%(matches)s)
"""  # noqa: S608 - constants
# The limits are those of `briefly`, and hold before there is anything to wait for: a row is locked last of all.
_HOLD_MATCH = f"""
WITH limits AS MATERIALIZED ({LIMITS})
SELECT limits.at, {_MATCH.listed}, {_LADDER.listed}
FROM limits, ratings_match AS match JOIN ratings_ladder AS ladder ON ladder.id = match.ladder_id
WHERE match.id = %(match)s FOR NO KEY UPDATE OF match
"""  # noqa: S608
# The parts of a WITH that end matches, for `end_by`. Ranks and scores of all matches stand in one row each; `start` is
# where those of a match begin.
ENDED = """
given AS (
    SELECT * FROM unnest(%(matches)s::bigint[], %(states)s::text[], %(starts)s::int[], %(maps)s::text[],
                         %(ends)s::timestamptz[], %(confirmed)s::timestamptz[], %(neutral)s::bool[], %(keys)s::bigint[])
    AS given (match, state, start, map, ended_at, confirmed_at, neutral, server_key)
), own AS MATERIALIZED (
    SELECT * FROM unnest(%(figure_matches)s::bigint[], %(figure_players)s::bigint[], %(figure_scores)s::float8[],
                         %(figure_minutes)s::float8[], %(figure_characters)s::text[])
    AS own (match, player, score, minutes, character)
), ended AS (
    UPDATE ratings_match AS match
    SET state = given.state, due_at = NULL, map = given.map, ended_at = given.ended_at,
        confirmed_at = given.confirmed_at, is_neutral = given.neutral, server_key = given.server_key,
        partner_rank = CASE WHEN match.partner <> '' THEN (%(ranks)s::int[])[given.start + 1] END,
        partner_score = CASE WHEN match.partner <> '' THEN (%(scores)s::float8[])[given.start + 1] END
    FROM given WHERE match.id = given.match
), placed AS (
    UPDATE ratings_participant AS participant
    SET rank = (%(ranks)s::int[])[given.start + participant.team],
        score = coalesce((SELECT own.score FROM own
                          WHERE own.match = participant.match_id AND own.player = participant.player_id),
                         (%(scores)s::float8[])[given.start + participant.team]),
        minutes = coalesce((SELECT own.minutes FROM own
                            WHERE own.match = participant.match_id AND own.player = participant.player_id),
                           participant.minutes),
        character = coalesce((SELECT own.character FROM own
                              WHERE own.match = participant.match_id AND own.player = participant.player_id),
                             participant.character),
        left_early = participant.player_id = ANY(%(left)s::bigint[])
                     OR participant.left_early AND participant.player_id <> ALL(%(stayed)s::bigint[]),
        playing = false
    FROM given WHERE participant.match_id = given.match
)
"""
_END = f"WITH {ENDED}, {ANNOUNCED}"

# What is announced when a match ends in a state.
_KIND_OF = {
    MatchState.CONFIRMED: Kind.MATCH_CONFIRMED,
    MatchState.DISPUTED: Kind.MATCH_DISPUTED,
    MatchState.ABANDONED: Kind.MATCH_ABANDONED,
    MatchState.ABORTED: Kind.MATCH_ABORTED,
}


@dataclass(frozen=True, slots=True)
class HeldParticipant:
    """A player of a match with the own report of it, and the rank of the team once there is one.

    `suspended_until`: the player is suspended from results, so that what it says is not taken; None: it is not. Some
    thousand years ahead where nobody has said for how long.
    """

    player_id: int
    said: Said
    rank: int | None
    suspended_until: datetime | None

    @property
    def is_suspended(self) -> bool:
        """Whether what the player says now is not taken."""
        return self.suspended_until is not None

    def is_silent_until(self, due: datetime | None) -> bool:
        """Whether nothing can come from the player before a match is due."""
        until = self.suspended_until
        return until is not None and (due is None or until >= due)


@dataclass(frozen=True, slots=True)
class Held:
    """A locked match, its players, and the time."""

    match: Match
    participants: list[HeldParticipant]
    now: datetime

    @property
    def players(self) -> list[int]:
        """Ids of everyone who takes part."""
        return [participant.player_id for participant in self.participants]

    @property
    def teams(self) -> list[list[int]]:
        """Ids of everyone, by team."""
        numbers = sorted({participant.said.team for participant in self.participants})
        return [
            [it.player_id for it in self.participants if it.said.team == team] for team in numbers
        ]

    @property
    def ranks(self) -> list[int]:
        """Ranks by team, of a match that has them; with that of a partner of the game."""
        ranks = {participant.said.team: participant.rank or 0 for participant in self.participants}
        supplied = [self.match.partner_rank or 0] if self.match.partner else []
        return [*(ranks[team] for team in sorted(ranks)), *supplied]


@dataclass(frozen=True, slots=True)
class Ending:
    """What becomes of a locked match; with a result it is confirmed.

    said_left  whether players have left early, as they say now; of the others it stays as noted. `result.left` adds
               to both
    """

    match: Match
    players: list[int]
    state: MatchState
    result: Result | None = None
    said_left: Mapping[int, bool] = field(default_factory=dict)

    def note_on_match(self, now: datetime) -> None:
        """Set the match as it is then, to be written."""
        match, result = self.match, self.result
        match.state, match.due_at = self.state, None
        if result is None:
            return
        match.map = result.map or match.map
        match.ended_at = max(result.ended_at or match.ended_at or now, match.played_at)
        match.confirmed_at = now
        if result.neutral is not None:
            match.is_neutral = result.neutral


def hold_match(match_id: int) -> Held:
    """Lock a match, with its ladder beside it. Raises Match.DoesNotExist.

    Call it in a transaction; it is a brief one from then on, as by `briefly`.
    """
    given = {"match": match_id, "at": clock.replaced(), "idle": idle_limit()}
    with prepared() as cursor:
        cursor.execute(_HOLD_MATCH, given)
        row = cursor.fetchone()
    if row is None:
        raise Match.DoesNotExist(f"there is no match {match_id}")
    # Looks after the row is locked, so it sees whatever that had to wait for.
    participants = read_participants([match_id])[match_id]
    values = iter(row)
    now, match = next(values), _MATCH.build(values)
    match.ladder = _LADDER.build(values)
    return Held(match, participants, now)


def read_participants(match_ids: Collection[int]) -> dict[int, list[HeldParticipant]]:
    """Who takes part in these matches, and said what; by match."""
    with prepared() as cursor:
        cursor.execute(_PARTICIPANTS, {"matches": list(match_ids), "at": clock.replaced()})
        return _participants_by_match(cursor.fetchall())


def end_match(held: Held, state: MatchState, result: Result | None = None) -> None:
    """End one match."""
    end_matches([Ending(held.match, held.players, state, result)], held.now)


def end_matches(endings: Sequence[Ending], now: datetime) -> None:
    """End matches, publish and broadcast it: in one statement for each state."""
    for state in dict.fromkeys(ending.state for ending in endings):
        end_by(_END, [ending for ending in endings if ending.state == state], now)


def end_by(
    statement: str, endings: Sequence[Ending], now: datetime, given: Mapping[str, Any] | None = None
) -> None:
    """End matches that come to the same state, by a statement with `ENDED` and `ANNOUNCED`.

    `given` has the values for whatever it does besides.
    """
    for ending in endings:
        ending.note_on_match(now)
    state = endings[0].state
    players = [player for ending in endings for player in ending.players]
    told = announcement_of([ending.match for ending in endings], _KIND_OF[state], players)
    with prepared() as cursor:
        cursor.execute(statement, {**(given or {}), **_values_of(endings), **told.given})
        told.written(cursor.fetchone())
    if state == MatchState.CONFIRMED:
        after_commit(wake, "ratings.rate_due_tracks")


def announcement_of(
    matches: Sequence[Match], kind: Kind, players: Iterable[int], *, publish: bool = True
) -> Announcement:
    """What has happened to matches, to be published and broadcast. They were read with their ladders.

    With `publish` off it is broadcast only: a change that no subscriber of the outbox needs.
    """
    facts = [{"match": match.pk, "ladder": match.ladder_id} for match in matches]
    ladders = [topic for match in matches for topic in match.ladder.topics]
    return Announcement(
        kind,
        facts if publish else [],
        [*(f"player:{player}" for player in players), *ladders],
        {"match": matches[0].pk} if len(matches) == 1 else {},
    )


def _values_of(endings: Sequence[Ending]) -> dict[str, Any]:
    """The values for `ENDED`, once the endings are noted on their matches."""
    ranks: list[int] = []
    scores: list[float | None] = []
    starts: list[int | None] = []
    left: set[int] = set()
    figures: list[tuple[Any, ...]] = []  # what is known of single players, as rows of `own`
    for ending in endings:
        match, result = ending.match, ending.result
        left |= {player for player, has_left in ending.said_left.items() if has_left}
        starts.append(None if result is None else len(ranks) + 1)
        if result is None:
            continue
        ranks += result.ranks
        scores += result.scores or [None] * len(result.ranks)
        left |= result.left
        of_players = (result.player_scores, result.minutes, result.characters)
        figures += [
            (match.pk, player, *(known.get(player) for known in of_players))
            for player in sorted(set().union(*of_players))
        ]
    given: dict[str, Any] = {
        "matches": [ending.match.pk for ending in endings],
        "states": [ending.state.value for ending in endings],
        "starts": starts,
        "maps": [ending.match.map for ending in endings],
        "ends": [ending.match.ended_at for ending in endings],
        "confirmed": [ending.match.confirmed_at for ending in endings],
        "neutral": [ending.match.is_neutral for ending in endings],
        "keys": [ending.match.server_key for ending in endings],
        "ranks": ranks,
        "scores": scores,
        "left": sorted(left),
        "stayed": [player for ending in endings for player in ending.said_left],
    }
    for column, name in enumerate(("matches", "players", "scores", "minutes", "characters")):
        given[f"figure_{name}"] = [row[column] for row in figures]
    return given


def _participants_by_match(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[HeldParticipant]]:
    participants: dict[int, list[HeldParticipant]] = defaultdict(list)
    for match, player, *said, rank, until in rows:
        participants[match].append(HeldParticipant(player, Said(*said), rank, until))
    return participants
