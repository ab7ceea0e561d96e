"""Writing offences down, and reckoning from them where they leave their players."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from matchmaking.conduct.rules import points_for, rules_by_game, steps_of
from matchmaking.conduct.steps import Step, cools_for, step_of
from matchmaking.conduct.told import tell
from matchmaking.models import ConductRules, OffenceKind
from ratings.models import Player

__all__ = ["Charge", "charge", "reckon", "reckon_game"]

# Whoever was judged so late is told and has the points, but does not cool off for what is long past.
_COOLS_WITHIN = timedelta(days=1)
# In the order of ids, so that nobody waits in a circle. Whoever reckons from here on sees what those before have done.
_HOLD = """
INSERT INTO matchmaking_conductstanding (player_id, score, as_of)
SELECT player, 0, %(now)s FROM unnest(%(players)s::bigint[]) AS player ORDER BY player
ON CONFLICT (player_id) DO UPDATE SET score = matchmaking_conductstanding.score
"""
_INSERT = """
INSERT INTO matchmaking_offence
    (player_id, kind, points, at, match_id, offer, challenge, reporter_id, decided_by_id, reason)
SELECT * FROM unnest(%(player)s::bigint[], %(kind)s::text[], %(points)s::float8[], %(at)s::timestamptz[],
                     %(match)s::bigint[], %(offer)s::bigint[], %(challenge)s::bigint[], %(reporter)s::bigint[],
                     %(by)s::bigint[], %(reason)s::text[])
ON CONFLICT DO NOTHING RETURNING id, player_id
"""


def _left(points: str, since: str) -> str:
    """What is left of points by now. Exponents beyond a thousand are refused by PostgreSQL."""
    days = f"extract(epoch FROM %(now)s - {since})::float8 / 86400.0"
    return f"{points} * power(0.5::float8, least(greatest({days} / half_life, 0), 1000))"


# A player answers for those who were merged into it, too.
_RECKON = f"""
WITH reckoned AS (
    SELECT player.id AS player_id,
           coalesce(sum({_left("offence.points", "offence.at")}), 0) AS score,
           max(offence.cools_until) AS cooling_until,
           count(offence.id) FILTER (WHERE offence.at > %(now)s - half_life * interval '1 day') AS lately,
           coalesce(max({_left("given.score", "given.as_of")}), 0) AS given
    FROM ratings_player AS player
    CROSS JOIN LATERAL (
        SELECT coalesce((SELECT half_life_days FROM matchmaking_conductrules WHERE game_id = player.game_id), 14.0)
               AS half_life
    ) AS rules
    LEFT JOIN matchmaking_conduct AS given ON given.player_id = player.id
    LEFT JOIN LATERAL (
        SELECT offence.* FROM ratings_player AS one JOIN matchmaking_offence AS offence ON offence.player_id = one.id
        WHERE (one.id = player.id OR one.merged_into_id = player.id) AND offence.taken_back_at IS NULL
    ) AS offence ON true
    WHERE player.id = ANY(%(players)s)
    GROUP BY player.id
), written AS (
    UPDATE matchmaking_conductstanding AS standing
    SET score = reckoned.score, as_of = %(now)s, cooling_until = reckoned.cooling_until
    FROM reckoned WHERE standing.player_id = reckoned.player_id
)
SELECT player_id, score + given, lately, cooling_until FROM reckoned ORDER BY player_id
"""  # noqa: S608 - constants
_COOL = """
WITH given AS (
    SELECT * FROM unnest(%(offences)s::bigint[], %(players)s::bigint[], %(untils)s::timestamptz[])
    AS given (offence, player, until)
), noted AS (
    UPDATE matchmaking_offence SET cools_until = given.until FROM given WHERE id = given.offence
)
UPDATE matchmaking_conductstanding AS standing SET cooling_until = greatest(cooling_until, given.until)
FROM given WHERE standing.player_id = given.player
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """What a player is to be charged with.

    points     None: what the rules of the game say
    cools_for  how long the player cools off at least, whatever the points come to; None: as the rules say
    """

    player_id: int
    kind: OffenceKind
    at: datetime
    match_id: int | None = None
    offer: int | None = None
    challenge: int | None = None
    reporter_id: int | None = None
    by_id: int | None = None
    reason: str = ""
    points: float | None = None
    cools_for: timedelta | None = None


@dataclass(frozen=True, slots=True)
class _Reckoned:
    score: float
    lately: int
    cooling_until: datetime | None


def charge(charges: Sequence[Charge], now: datetime) -> list[int]:
    """Write offences down, let whom it concerns cool off, and tell them; returns the ids of those that are new.

    What has been written before is not written again. In a transaction of the caller's.
    """
    players = sorted({one.player_id for one in charges})
    if not players:
        return []
    games = dict(Player.objects.filter(pk__in=players).values_list("pk", "game_id"))
    by_game = rules_by_game(set(games.values()))
    rules = {pk: by_game[game] for pk, game in games.items()}
    worth = [_points(one, rules[one.player_id]) for one in charges]
    counted = [(one, points) for one, points in zip(charges, worth, strict=True) if points > 0]
    if not counted:
        return []
    _hold(players, now)
    new = _insert(counted)
    if not new:
        return []
    reckoned = _reckon(sorted({player for _id, player in new}), now)
    latest = {player: pk for pk, player in new}
    at = {one.player_id: one.at for one in charges}
    at_least = {one.player_id: one.cools_for for one in charges}
    cooled: dict[int, datetime] = {}
    for player, stands in reckoned.items():
        length = cools_for(steps_of(rules[player]), stands.score, stands.lately)
        asked = at_least.get(player)
        if length is not None and at[player] > now - _COOLS_WITHIN:
            cooled[player] = now + length
        if asked is not None:
            cooled[player] = max(now + asked, cooled.get(player, now))
    _cool({latest[player]: (player, until) for player, until in cooled.items()})
    for player, stands in reckoned.items():
        steps = steps_of(rules[player])
        step = step_of(steps, stands.score, is_cooling=player in cooled)
        if step != Step.NONE:
            tell(player, step, cooled.get(player), latest[player])
    return sorted(pk for pk, _player in new)


def reckon(players: Collection[int], now: datetime) -> None:
    """Bring the standings of players to what their offences say. In a transaction of the caller's."""
    if players:
        ids = sorted(players)
        _hold(ids, now)
        _reckon(ids, now)


def reckon_game(game_id: int, now: datetime) -> None:
    """The same of everybody in a game who has a standing: its half-life has changed."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT standing.player_id FROM matchmaking_conductstanding AS standing"
            " JOIN ratings_player AS player ON player.id = standing.player_id WHERE player.game_id = %s",
            [game_id],
        )
        reckon([pk for (pk,) in cursor.fetchall()], now)


def _points(one: Charge, rules: ConductRules) -> float:
    return points_for(rules, one.kind) if one.points is None else one.points


def _hold(players: Sequence[int], now: datetime) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_HOLD, {"players": list(players), "now": now})


def _insert(counted: Iterable[tuple[Charge, float]]) -> list[tuple[int, int]]:
    columns: dict[str, list[Any]] = defaultdict(list)
    for one, points in counted:
        for name, value in (
            ("player", one.player_id),
            ("kind", one.kind.value),
            ("points", points),
            ("at", one.at),
            ("match", one.match_id),
            ("offer", one.offer),
            ("challenge", one.challenge),
            ("reporter", one.reporter_id),
            ("by", one.by_id),
            ("reason", one.reason),
        ):
            columns[name].append(value)
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, dict(columns))
        return [(pk, player) for pk, player in cursor.fetchall()]


def _reckon(players: Sequence[int], now: datetime) -> dict[int, _Reckoned]:
    with connection.cursor() as cursor:
        cursor.execute(_RECKON, {"players": list(players), "now": now})
        return {player: _Reckoned(*rest) for player, *rest in cursor.fetchall()}


def _cool(untils: dict[int, tuple[int, datetime]]) -> None:
    if not untils:
        return
    given: dict[str, Any] = {
        "offences": list(untils),
        "players": [player for player, _until in untils.values()],
        "untils": [until for _player, until in untils.values()],
    }
    with connection.cursor() as cursor:
        cursor.execute(_COOL, given)
