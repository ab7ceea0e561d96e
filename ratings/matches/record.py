"""Recording results of matches that a game arranged and played itself: a batch in a handful of statements."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from events.kinds import Kind
from events.live import broadcast
from events.outbox import publish_many
from foundation.postgresql.transactions import after_commit, briefly
from foundation.refusals import RefusedError
from foundation.wakeups import wake
from ratings.matches.guests import rows_of
from ratings.matches.played_match import PlayedMatch, problem_of
from ratings.matches.player_stats import demands_of
from ratings.matches.refusals import MatchExistsError, WrongPlayersError, WrongResultError
from ratings.merging.meant import MergedName, merged_names, say_twice, twice_meant
from ratings.models import Game, KeptSuspension, Ladder, Sanction
from ratings.players.enrol import add_players
from ratings.players.new_ids import has_breaks, say_unfit, unfit_among
from ratings.players.site_ids import (
    DeletedPlayerError,
    ReservedIdError,
    deleted_among,
    say_reserved,
    unknown_reserved,
)
from ratings.sanctions import SuspendedError, suspended_by_name
from ratings.sanctions.kept import ids_kept_from_results

__all__ = ["Recorded", "record_results"]

# Ids follow the order given, for they decide the number in the sequence among matches confirmed at once. The rows go in
# by name: two batches with the same matches, or new players, then wait for each other and never in a circle.
_MATCHES = """
WITH numbers AS MATERIALIZED (
    SELECT pg_get_serial_sequence('ratings_match', 'id')::regclass AS sequence
), given AS MATERIALIZED (
    SELECT nextval(sequence) AS id, row.*
    FROM numbers, unnest(%(ladders)s::bigint[], %(external)s::text[], %(maps)s::text[], %(played)s::timestamptz[],
                         %(ended)s::timestamptz[], %(neutral)s::bool[], %(rated)s::bool[], %(guests)s::jsonb[])
         AS row (ladder, external_id, map, played_at, ended_at, is_neutral, rated, guests)
)
INSERT INTO ratings_match
    (id, ladder_id, game_id, external_id, state, map, is_neutral, played_at, ended_at, confirmed_at, server_key,
     extra, rated, guests)
SELECT id, ladder, %(game)s, external_id, 'confirmed', map, is_neutral, played_at, ended_at, %(now)s,
       %(server_key)s, '{}', rated, guests
FROM given ORDER BY external_id
ON CONFLICT (game_id, external_id) DO NOTHING
RETURNING external_id, id
"""
_PLAYER_IDS = "SELECT external_id, id FROM ratings_player WHERE game_id = %(game)s AND external_id = ANY(%(ids)s)"
_PARTICIPANTS = """
INSERT INTO ratings_participant
    (match_id, player_id, reported_as_id, team, rank, score, minutes, character, left_early)
SELECT match, player, reported_as, team, rank, score, minutes, character, left_early
FROM unnest(%(matches)s::bigint[], %(players)s::bigint[], %(reported_as)s::bigint[], %(teams)s::smallint[],
            %(ranks)s::smallint[], %(scores)s::float8[], %(minutes)s::float8[], %(characters)s::text[],
            %(left)s::bool[])
     AS given (match, player, reported_as, team, rank, score, minutes, character, left_early)
"""
_KNOWN = """
SELECT match.external_id, match.id, match.ladder_id, match.is_neutral, match.map, match.guests,
       player.external_id,
       participant.team, participant.rank, participant.score, participant.minutes, participant.character,
       participant.left_early
FROM ratings_match AS match
JOIN ratings_participant AS participant ON participant.match_id = match.id
JOIN ratings_player AS player ON player.id = coalesce(participant.reported_as_id, participant.player_id)
WHERE match.game_id = %(game)s AND match.external_id = ANY(%(external)s)
"""
# Team, rank, score, minutes, character, and whether the player left early.
ParticipantRow = tuple[int, int | None, float | None, float | None, str, bool]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of one match: its id, whether it is new, whether it counts; or why it was refused."""

    match: int | None = None
    is_new: bool = False
    rated: bool = True
    error: RefusedError | None = None


def record_results(
    *, game: Game, results: Sequence[PlayedMatch], server_key: int | None = None
) -> list[Recorded]:
    """Store finished matches of a game, confirmed at once in the order given; returns one answer each, in order.

    `server_key`: the number of the key whose server gives them, kept with those that are new.

    A match whose `external_id` is known with the same ladder, players, ranks, scores, minutes, characters, leavers,
    guests and map is answered with what is there. Whatever is wrong with one match refuses that one only:
    UnknownLadderError, ArchivedError, WrongPlayersError, WrongResultError, ReservedIdError, DeletedPlayerError,
    SuspendedError, or MatchExistsError when it is known with another content.
    """
    # Whether the game keeps suspensions of people who were deleted is asked along: hardly any does.
    keeps = Exists(KeptSuspension.objects.filter(game=OuterRef("game")))
    of_game = Ladder.objects.filter(game=game).select_related("game")
    found: QuerySet[Any] = of_game.annotate(keeps=keeps)
    ladders: dict[str, Ladder] = {ladder.slug: ladder for ladder in found}
    has_kept = any(ladder.keeps for ladder in found)
    asked_for = {ladders[it.ladder].pk for it in results if it.ladder in ladders}
    with briefly() as now:
        demands = demands_of(asked_for)
        answers = [Recorded(error=problem_of(it, ladders, demands, now)) for it in results]
        sound = [index for index, answer in enumerate(answers) if answer.error is None]
        named = {name for index in sound for name in results[index].players}
        for index, error in _wrong_ids(game, {it: results[it] for it in sound}, named).items():
            answers[index] = Recorded(error=error)
            sound.remove(index)
        merged = merged_names(game, named)
        for index in [it for it in sound if merged]:
            if twice := twice_meant(results[index].players, merged, results[index].played_at):
                answers[index] = Recorded(error=WrongPlayersError(say_twice(*twice)))
                sound.remove(index)
        checked = {it: results[it] for it in sound}
        if has_kept:
            _make_known(game, checked, now)
        for index, sanction in _suspended_in(game, checked, merged, now).items():
            answers[index] = Recorded(error=SuspendedError(sanction, is_own=False))
            sound.remove(index)
        contents = {
            index: content_of(results[index], ladders[results[index].ladder]) for index in sound
        }
        first = {results[index].external_id: index for index in reversed(sound)}
        asked = sorted(first.values())  # of two with one id the first counts
        if asked:
            counts = [results[it].is_rated(ladders[results[it].ladder]) for it in asked]
            given = [results[it] for it in asked], [contents[it] for it in asked], counts
            fresh = store(game, *given, merged, now, server_key)
            known = {name: (fresh[name], contents[first[name]]) for name in fresh}
            if stored := first.keys() - fresh.keys():
                known |= known_contents(game, stored)
            for index in sound:
                name = results[index].external_id
                match, content = known[name]
                # A map that is left out is not said.
                said = replace(contents[index], map=contents[index].map or content.map)
                if said != content:
                    answers[index] = Recorded(error=MatchExistsError(name, match))
                else:
                    is_new = name in fresh and first[name] == index
                    rated = results[index].is_rated(ladders[results[index].ladder])
                    answers[index] = Recorded(match=match, is_new=is_new, rated=rated)
            if fresh:
                of = {fresh[name]: ladders[results[first[name]].ladder] for name in fresh}
                facts = [{"match": match, "ladder": of[match].pk} for match in sorted(of)]
                publish_many(Kind.MATCH_CONFIRMED, facts)
                by_id = {ladder.pk: ladder for ladder in of.values()}
                topics = [topic for pk in sorted(by_id) for topic in by_id[pk].topics]
                broadcast(topics, Kind.MATCH_CONFIRMED)
                after_commit(wake, "ratings.rate_due_tracks")
    return answers


def _wrong_ids(
    game: Game, results: Mapping[int, PlayedMatch], named: Collection[str]
) -> dict[int, RefusedError]:
    """Which of these matches come under an id, or with players, that no game brings. No query mostly."""
    reserved, deleted = unknown_reserved(game, named), deleted_among(game, named)
    unfit = unfit_among(game, named)
    broken = {it.external_id for it in results.values() if has_breaks(it.external_id)}
    if broken:  # what was stored under such an id before goes on to be known
        broken.difference_update(known_contents(game, broken))
    found: dict[int, RefusedError] = {}
    if not (reserved or deleted or unfit or broken):
        return found
    for index, result in results.items():
        if names := reserved.intersection(result.players):
            found[index] = ReservedIdError(say_reserved(min(names)))
        elif names := deleted.intersection(result.players):
            found[index] = DeletedPlayerError(min(names))
        elif names := unfit.intersection(result.players):
            found[index] = WrongPlayersError(say_unfit(min(names)))
        elif result.external_id in broken:
            words = _("The ids of matches have no control characters and no line breaks.")
            found[index] = WrongResultError(words)
    return found


def _suspended_in(
    game: Game,
    results: Mapping[int, PlayedMatch],
    merged: Mapping[str, MergedName],
    now: datetime,
) -> dict[int, Sanction]:
    """Which of these matches have a player who is suspended from results, and are not known yet. One query mostly."""
    names = {name for result in results.values() for name in result.players}
    held = suspended_by_name(game, names | {it.into_name for it in merged.values()}, now)
    if not held:
        return {}
    held |= {name: held[it.into_name] for name, it in merged.items() if it.into_name in held}
    found = {
        index: held[name]
        for index, result in results.items()
        for name in result.players
        if name in held
    }
    known = known_contents(game, [results[index].external_id for index in found])
    return {it: one for it, one in found.items() if results[it].external_id not in known}


def _make_known(game: Game, results: Mapping[int, PlayedMatch], now: datetime) -> None:
    """Add the players of new matches for whose ids a suspension from results is kept, so that it holds for them at
    once. What is sent once more makes nobody known.
    """
    names = {name for result in results.values() for name in result.players}
    if not (kept := ids_kept_from_results(game, names, now)):
        return
    naming = [it for it in results.values() if not kept.isdisjoint(it.players)]
    known = known_contents(game, [it.external_id for it in naming])
    new = {name for it in naming if it.external_id not in known for name in it.players}
    add_players(game.pk, new & kept)


@dataclass(slots=True)
class Content:
    """Ladder, players and results of a match: two records are of the same match where they agree. Times may differ."""

    ladder: int
    neutral: bool
    map: str
    participants: dict[str, ParticipantRow]
    guests: list[dict[str, Any]]


def content_of(result: PlayedMatch, ladder: Ladder) -> Content:
    """Return the content of a match as a game gives it."""
    scores: Sequence[float | None] = result.scores or [None] * len(result.teams)
    return Content(
        ladder.pk,
        result.neutral,
        result.map,
        {
            player: (
                team,
                result.ranks[team],
                result.player_scores.get(player, scores[team]),
                result.minutes.get(player),
                result.characters.get(player, ""),
                player in result.left,
            )
            for team, members in enumerate(result.teams)
            for player in members
        },
        rows_of(result.guests),
    )


def known_contents(game: Game, external_ids: Iterable[str]) -> dict[str, tuple[int, Content]]:
    """Ids and contents of matches that are stored, by the game's ids."""
    found: dict[str, tuple[int, Content]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN, {"game": game.pk, "external": list(external_ids)})
        for external, match, ladder, neutral, game_map, guests, player, *row in cursor.fetchall():
            empty = Content(ladder, neutral, game_map, {}, json.loads(guests))
            _match, content = found.setdefault(external, (match, empty))
            content.participants[player] = tuple(row)
    return found


def store(
    game: Game,
    results: Sequence[PlayedMatch],
    contents: Sequence[Content],
    rated: Sequence[bool],
    merged: Mapping[str, MergedName],
    now: datetime,
    server_key: int | None,
) -> dict[str, int]:
    """Insert the matches that are new, confirmed now, with their players; returns ids by the game's ids.

    A player who was `merged` stands in them as the one that counts, with a note of whom the game has named.
    """
    given: dict[str, Any] = {
        "game": game.pk,
        "now": now,
        "server_key": server_key,
        "ladders": [it.ladder for it in contents],
        "external": [it.external_id for it in results],
        "maps": [it.map for it in results],
        "played": [it.played_at for it in results],
        "ended": [it.ended_at for it in results],
        "neutral": [it.neutral for it in results],
        "rated": rated,
        "guests": [json.dumps(it.guests) for it in contents],
    }
    with connection.cursor() as cursor:
        cursor.execute(_MATCHES, given)
        fresh: dict[str, int] = dict(cursor.fetchall())
        new = [
            (fresh[it.external_id], it.played_at, content)
            for it, content in zip(results, contents, strict=True)
            if it.external_id in fresh
        ]
        if new:
            names = {name for _id, _at, it in new for name in it.participants}
            cursor.execute(_PLAYER_IDS, {"game": game.pk, "ids": list(names)})
            players: dict[str, int] = dict(cursor.fetchall())
            if missing := list(names - players.keys()):
                add_players(game.pk, missing)
                cursor.execute(_PLAYER_IDS, {"game": game.pk, "ids": missing})
                players |= dict(cursor.fetchall())
            rows = [
                (match, *_meant(players[name], merged.get(name), played_at), *row)
                for match, played_at, content in new
                for name, row in content.participants.items()
            ]
            columns = (
                "matches",
                "players",
                "reported_as",
                "teams",
                "ranks",
                "scores",
                "minutes",
                "characters",
                "left",
            )
            participants = dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))
            cursor.execute(_PARTICIPANTS, participants)
    return fresh


def _meant(player: int, merged: MergedName | None, played_at: datetime) -> tuple[int, int | None]:
    """Whose match it is, and under whom it came where that is another."""
    if merged is None or not merged.counts_at(played_at):
        return player, None
    return merged.into, player
