"""Recording results of matches that a game arranged and played itself: a batch in a handful of statements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from django.db import connection, transaction
from django.utils.translation import gettext as _

from events.live import tell
from events.outbox import publish_many
from foundation import clock
from foundation.brief import briefly
from foundation.refusals import RefusedError
from ratings.endings import wake_rating
from ratings.models import Game, Ladder
from ratings.naming import skeleton_of
from ratings.play_refusals import MatchExistsError, WrongPlayersError, WrongResultError
from ratings.results import check_ranks

__all__ = ["PlayedMatch", "Recorded", "UnknownLadderError", "record_results"]

_LONGEST = 100  # characters of an id in the game
_CLOCKS_DIFFER = timedelta(minutes=5)


class UnknownLadderError(RefusedError):
    """The game has no such ladder."""

    code = "unknown_ladder"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatch:
    """One match as the game tells it. Players go by their ids in the game; unknown ones are added.

    teams  ids of the players by team      ranks  one a team, 0 is best, equal ranks are a draw
    left   ids of those who left early     scores one a team as the game counts, or None
    """

    ladder: str
    external_id: str
    teams: Sequence[Sequence[str]]
    ranks: Sequence[int]
    played_at: datetime
    ended_at: datetime | None = None
    scores: Sequence[float] | None = None
    left: frozenset[str] = frozenset()
    map: str = ""

    @property
    def players(self) -> list[str]:
        """Everyone, by team."""
        return [player for team in self.teams for player in team]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of one match: its id, and whether it is new; or why it was refused."""

    match: int | None = None
    is_new: bool = False
    error: RefusedError | None = None


# In one order everywhere: two batches with the same new players then wait for each other, and never in a circle.
_PLAYERS = """
INSERT INTO ratings_player (game_id, kind, external_id, name, skeleton)
SELECT %(game)s, 'person', given.id, given.id, given.skeleton
FROM unnest(%(ids)s::text[], %(skeletons)s::text[]) AS given (id, skeleton)
WHERE NOT EXISTS (SELECT FROM ratings_player WHERE game_id = %(game)s AND external_id = given.id)
ORDER BY given.id
ON CONFLICT (game_id, external_id) DO NOTHING
"""
_PLAYER_IDS = "SELECT external_id, id FROM ratings_player WHERE game_id = %(game)s AND external_id = ANY(%(ids)s)"
_MATCHES = """
INSERT INTO ratings_match
    (ladder_id, game_id, external_id, state, map, played_at, ended_at, confirmed_at, extra)
SELECT ladder, %(game)s, external_id, 'confirmed', map, played_at, ended_at, %(now)s, '{}'
FROM unnest(%(ladders)s::bigint[], %(external)s::text[], %(maps)s::text[], %(played)s::timestamptz[],
            %(ended)s::timestamptz[]) WITH ORDINALITY
    AS given (ladder, external_id, map, played_at, ended_at, place)
ORDER BY place
ON CONFLICT (game_id, external_id) DO NOTHING
RETURNING external_id, id
"""
_PARTICIPANTS = """
INSERT INTO ratings_participant (match_id, player_id, team, rank, score, character, left_early)
SELECT * FROM unnest(%(matches)s::bigint[], %(players)s::bigint[], %(teams)s::smallint[], %(ranks)s::smallint[],
                     %(scores)s::float8[], array_fill(''::text, ARRAY[cardinality(%(matches)s)]), %(left)s::bool[])
"""
_KNOWN = """
SELECT match.external_id, match.id, match.ladder_id, match.state, player.external_id, part.team, part.rank
FROM ratings_match AS match JOIN ratings_participant AS part ON part.match_id = match.id
JOIN ratings_player AS player ON player.id = part.player_id
WHERE match.game_id = %(game)s AND match.external_id = ANY(%(external)s)
"""


def record_results(*, game: Game, results: Sequence[PlayedMatch]) -> list[Recorded]:
    """Store finished matches of a game, confirmed at once in the order given; returns one answer each, in order.

    A match whose `external_id` is known with the same players and result is answered with what is there. Whatever is
    wrong with one match refuses that one only: UnknownLadderError, WrongPlayersError, WrongResultError,
    MatchExistsError (known with another content).
    """
    ladders = {it.slug: it for it in Ladder.objects.filter(game=game)}
    latest = clock.now() + _CLOCKS_DIFFER
    answers = [Recorded(error=_problem(ladders, it, latest)) for it in results]
    sound = [place for place, answer in enumerate(answers) if answer.error is None]
    with briefly():
        fresh = _store(game, ladders, [results[place] for place in sound])
        known = _known(game, [results[place].external_id for place in sound])
        for place in sound:
            answers[place] = _answer(results[place], ladders, fresh, known)
        if fresh:
            _announce(results, ladders, fresh)
    return answers


def _store(
    game: Game, ladders: Mapping[str, Ladder], results: Sequence[PlayedMatch]
) -> dict[str, int]:
    """Insert what is new; returns ids by the game's ids."""
    # Of two with one id the first counts; a dict keeps the order in which its keys came first.
    first = {it.external_id: it for it in reversed(results)}
    ordered = [first[name] for name in dict.fromkeys(it.external_id for it in results)]
    if not ordered:
        return {}
    now = clock.now()
    given: dict[str, Any] = {
        "game": game.pk,
        "now": now,
        "ladders": [ladders[it.ladder].pk for it in ordered],
        "external": [it.external_id for it in ordered],
        "maps": [it.map for it in ordered],
        "played": [it.played_at for it in ordered],
        "ended": [it.ended_at for it in ordered],
    }
    with connection.cursor() as cursor:
        cursor.execute(_MATCHES, given)
        fresh: dict[str, int] = dict(cursor.fetchall())
        new = [it for it in ordered if it.external_id in fresh]
        if new:
            players = _enrol_all(cursor, game, new)
            cursor.execute(_PARTICIPANTS, _columns(new, fresh, players))
    return fresh


def _enrol_all(cursor: Any, game: Game, results: Sequence[PlayedMatch]) -> dict[str, int]:
    """Ids of all players by their ids in the game, new ones included."""
    names = sorted({player for it in results for player in it.players})
    found: dict[str, Any] = {"game": game.pk, "ids": names}
    cursor.execute(_PLAYER_IDS, found)
    known: dict[str, int] = dict(cursor.fetchall())
    if missing := [name for name in names if name not in known]:
        skeletons = [skeleton_of(name) for name in missing]
        cursor.execute(_PLAYERS, {"game": game.pk, "ids": missing, "skeletons": skeletons})
        cursor.execute(_PLAYER_IDS, {"game": game.pk, "ids": missing})
        known |= dict(cursor.fetchall())
    return known


def _columns(
    results: Sequence[PlayedMatch], matches: Mapping[str, int], players: Mapping[str, int]
) -> dict[str, Any]:
    """The participants of all matches as columns."""
    rows = [
        (
            matches[it.external_id],
            players[player],
            team,
            it.ranks[team],
            None if it.scores is None else it.scores[team],
            player in it.left,
        )
        for it in results
        for team, members in enumerate(it.teams)
        for player in members
    ]
    names = ("matches", "players", "teams", "ranks", "scores", "left")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


@dataclass(slots=True)
class _Known:
    """A match as the database has it."""

    match: int
    ladder: int
    state: str
    places: dict[str, tuple[int, int | None]]


def _known(game: Game, external_ids: Sequence[str]) -> dict[str, _Known]:
    found: dict[str, _Known] = {}
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN, {"game": game.pk, "external": list(external_ids)})
        for external, match, ladder, state, player, team, rank in cursor.fetchall():
            row = found.setdefault(external, _Known(match, ladder, state, {}))
            row.places[player] = (team, rank)
    return found


def _answer(
    result: PlayedMatch,
    ladders: Mapping[str, Ladder],
    fresh: dict[str, int],
    known: Mapping[str, _Known],
) -> Recorded:
    there = known[result.external_id]
    places = {
        player: (team, result.ranks[team])
        for team, members in enumerate(result.teams)
        for player in members
    }
    if there.ladder != ladders[result.ladder].pk or there.places != places:
        return Recorded(error=MatchExistsError(result.external_id))
    return Recorded(match=there.match, is_new=result.external_id in fresh)


def _announce(
    results: Sequence[PlayedMatch], ladders: Mapping[str, Ladder], fresh: Mapping[str, int]
) -> None:
    """Write the facts down, wake the rating, and tell the pages of the ladders."""
    touched = {
        it.external_id: ladders[it.ladder].pk for it in reversed(results) if it.external_id in fresh
    }
    facts = [{"match": fresh[name], "ladder": touched[name]} for name in fresh]
    publish_many("match.confirmed", facts)
    tell([*(f"ladder:{pk}" for pk in sorted(set(touched.values()))), "site"], "match.confirmed")
    transaction.on_commit(wake_rating, robust=True)


def _problem(
    ladders: Mapping[str, Ladder], result: PlayedMatch, latest: datetime
) -> RefusedError | None:
    """What is wrong with a match by itself."""
    ladder = ladders.get(result.ladder)
    if ladder is None:
        detail = _("This game has no ladder “%(ladder)s”.") % {"ladder": result.ladder}
        return UnknownLadderError(detail, ladder=result.ladder)
    try:
        _check_players(ladder, result)
        check_ranks(result.ranks, len(result.teams))
        _check_rest(result, latest)
    except RefusedError as error:
        return error
    return None


def _check_players(ladder: Ladder, result: PlayedMatch) -> None:
    if [len(team) for team in result.teams] != [ladder.team_size] * ladder.team_count:
        detail = _("A match of this ladder has %(teams)d teams of %(size)d players.")
        raise WrongPlayersError(detail % {"teams": ladder.team_count, "size": ladder.team_size})
    if len(set(result.players)) < len(result.players):
        raise WrongPlayersError(_("A player is in the match twice."))
    for name in (result.external_id, *result.players):
        if not 1 <= len(name) <= _LONGEST or "\0" in name:
            raise WrongPlayersError(_("Ids have 1 to 100 characters, and no NUL."))
    if strangers := result.left - set(result.players):
        detail = _("Player “%(player)s” left early, but is in no team.")
        raise WrongPlayersError(detail % {"player": min(strangers)})


def _check_rest(result: PlayedMatch, latest: datetime) -> None:
    if result.scores is not None and (
        len(result.scores) != len(result.teams) or not np.isfinite(result.scores).all()
    ):
        raise WrongResultError(_("Give one score a team, each a number, or none at all."))
    if result.ended_at is not None and result.ended_at < result.played_at:
        raise WrongResultError(_("The match ends before it began."))
    if max(result.played_at, result.ended_at or result.played_at) > latest:
        raise WrongResultError(_("The match lies in the future."))
