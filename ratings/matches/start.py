"""Starting matches: who meets whom, from now on, until somebody says how it went or the deadline is over.

A player plays one match of a game at a time: the database holds that by a unique index, whatever runs at once.
"""

import json
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from events.announcement import Announcement
from events.kinds import Kind
from foundation import clock
from foundation.postgresql.prepared import prepared
from ratings.matches.refusals import (
    AlreadyPlayingError,
    MatchExistsError,
    WrongPlayersError,
    check_by_results,
)
from ratings.models import Ladder, Match, Participant, SuspendedFrom
from ratings.sanctions import SUSPENDED_NOW, SuspendedError, suspended

__all__ = [
    "SIDES_BY",
    "AlreadyPlayingError",
    "Terms",
    "begin_match",
    "start_match",
    "start_matches",
]

# In the further columns of a match: see `Terms`.
SIDES_BY = "sides_by"
LineUp = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What else is known of a match that begins.

    neutral     nobody plays the better side; else the first team does, where there is one
    rated       counts for ratings once it is confirmed
    characters  what players have chosen, by their ids
    reported_as  under which merged players some were named, by the ids of those who play
    partner     name of whom the game supplies as the second team of two: the first alone is given, and nothing is rated
    note        what the game tells of the match, shown on its page
    sides_by    how it was settled who plays the first side, where nobody reads it off an offer: "choice", or "lot"
    """

    external_id: str = ""
    map_name: str = ""
    neutral: bool = False
    rated: bool = True
    characters: Mapping[int, str] = field(default_factory=dict)
    reported_as: Mapping[int, int] = field(default_factory=dict)
    partner: str = ""
    note: str = ""
    sides_by: str = ""

    @property
    def extra(self) -> dict[str, str]:
        """What is kept with the match beside its columns."""
        told = {"note": self.note, SIDES_BY: self.sides_by}
        return {name: value for name, value in told.items() if value}


_STRANGER = """
SELECT id FROM unnest(%(players)s::bigint[]) AS wanted (id)
WHERE NOT EXISTS (SELECT FROM ratings_player AS player WHERE player.id = wanted.id AND player.game_id = %(game)s)
ORDER BY id LIMIT 1
"""
# The same, or who is suspended.
_STRANGER_OR_SUSPENDED = f"""
SELECT id FROM unnest(%(players)s::bigint[]) AS wanted (id)
WHERE NOT EXISTS (SELECT FROM ratings_player AS player WHERE player.id = wanted.id AND player.game_id = %(game)s)
   OR EXISTS (SELECT FROM ratings_sanction AS sanction
              WHERE sanction.player_id = wanted.id AND sanction.suspended_from IN ('searching', 'all')
                AND {SUSPENDED_NOW})
ORDER BY id LIMIT 1
"""  # noqa: S608 - constants
# Participants are written in one order everywhere: who waits for another's players then never waits in a circle.
_INSERT = """
WITH numbers AS MATERIALIZED (
    SELECT pg_get_serial_sequence('ratings_match', 'id')::regclass AS sequence
), given AS MATERIALIZED (
    SELECT nextval(sequence) AS id, name, map, is_neutral, rated, partner, extra, ordinality
    FROM numbers, unnest(%(names)s::text[], %(maps)s::text[], %(neutral)s::boolean[], %(rated)s::boolean[],
                         %(partners)s::text[], %(extras)s::jsonb[])
        WITH ORDINALITY AS row (name, map, is_neutral, rated, partner, extra, ordinality)
), matches AS (
    INSERT INTO ratings_match
        (id, ladder_id, game_id, external_id, state, map, is_neutral, rated, partner, played_at, due_at, extra)
    SELECT id, %(ladder)s, %(game)s, name, 'playing', map, is_neutral, rated, partner, now,
           now + %(open_for)s::interval, extra
    FROM given, (SELECT coalesce(%(at)s::timestamptz, now()) AS now) AS clock ORDER BY ordinality
), participants AS (
    INSERT INTO ratings_participant (match_id, player_id, reported_as_id, team, character, left_early, playing)
    SELECT given.id, participant.player, participant.reported_as, participant.team, participant.character, false, true
    FROM unnest(%(line_ups)s::bigint[], %(players)s::bigint[], %(reported_as)s::bigint[], %(teams)s::smallint[],
                %(characters)s::text[])
        AS participant (ordinality, player, reported_as, team, character)
    JOIN given USING (ordinality)
    ORDER BY participant.player
)
SELECT id FROM given ORDER BY ordinality
"""


# Of participants, as `_INSERT` is given them.
_COLUMNS = ("line_ups", "players", "reported_as", "teams", "characters")


def start_match(
    *,
    ladder: Ladder,
    teams: LineUp,
    external_id: str = "",
    map_name: str = "",
    neutral: bool = False,
    rated: bool = True,
    characters: Mapping[int, str] | None = None,
    reported_as: Mapping[int, int] | None = None,
) -> Match:
    """Begin a match now; `teams` holds the players' ids by team. Without `external_id` the match gets one of its own.

    The first team plays the better side where there is one, unless the match is `neutral`. One that is not
    `rated` is played, reported and confirmed as any other, and never changes a rating. `characters` holds what players
    have chosen, by their ids; `reported_as` under which merged players some were named.
    Raises WrongPlayersError, SuspendedError, AlreadyPlayingError and MatchExistsError; nothing has happened then.
    """
    terms = Terms(
        external_id=external_id,
        map_name=map_name,
        neutral=neutral,
        rated=rated,
        characters=characters or {},
        reported_as=reported_as or {},
    )
    return Match.objects.select_related("ladder").get(pk=begin_match(ladder, teams, terms))


def begin_match(ladder: Ladder, teams: LineUp, terms: Terms) -> int:
    """Do what `start_match` does, in fewer statements; returns the match's id."""
    try:
        with transaction.atomic():
            _check_players(
                ladder, [teams], _STRANGER_OR_SUSPENDED, supplied=int(bool(terms.partner))
            )
            if terms.external_id:
                _check_is_new(ladder, teams, terms)
            (pk,) = _insert(ladder, [teams], [terms])
            players = [player for team in teams for player in team]
            Announcement(
                Kind.MATCH_STARTED,
                [{"match": pk, "ladder": ladder.pk}],
                _topics(ladder, players),
                {"match": pk},
            ).write()
            return pk
    except IntegrityError as error:
        if "match_external_id_unique_in_game" in str(error):
            _check_is_new(ladder, teams, terms)
        if "participant_plays_once" not in str(error):
            raise
        everyone = [player for team in teams for player in team]
        playing = Participant.objects.filter(player__in=everyone, playing=True)
        busy = playing.values_list("player", "match").first()
        raise AlreadyPlayingError(*(busy or (0, 0))) from error


@transaction.atomic
def start_matches(
    *, ladder: Ladder, line_ups: Sequence[LineUp], terms: Sequence[Terms] | None = None
) -> list[int]:
    """Begin many matches now, in a handful of statements; returns their ids in the order given.

    `terms` holds what else is known of each; those without an id of the game get one of their own. A line-up with a
    player who plays already or is suspended, or who stands in a line-up before it, gets 0; the others go on. Raises
    WrongPlayersError for a line-up that does not fit the ladder.
    """
    _check_players(ladder, line_ups, _STRANGER)
    terms = terms or [Terms()] * len(line_ups)
    everyone = {player for teams in line_ups for team in teams for player in team}
    matches: list[int] | None = None
    while matches is None:
        playing = Participant.objects.filter(player__in=everyone, playing=True)
        taken = set(playing.values_list("player", flat=True))
        taken |= suspended(everyone, SuspendedFrom.SEARCHING).keys()
        begun: list[int] = []
        for index, teams in enumerate(line_ups):
            players = {player for team in teams for player in team}
            if not players & taken:
                taken |= players
                begun.append(index)
        free, theirs = [line_ups[index] for index in begun], [terms[index] for index in begun]
        try:
            with transaction.atomic():
                matches = _insert(ladder, free, theirs)
        except IntegrityError as error:  # somebody began to play after we looked: look again
            if "participant_plays_once" not in str(error):
                raise
    ids = [0] * len(line_ups)
    for match, index in zip(matches, begun, strict=True):
        ids[index] = match
    facts = [{"match": match, "ladder": ladder.pk} for match in matches]
    busy = [player for index in begun for team in line_ups[index] for player in team]
    Announcement(Kind.MATCH_STARTED, facts, _topics(ladder, busy), {}).write()
    return ids


def _check_players(
    ladder: Ladder, line_ups: Sequence[LineUp], whom: str, *, supplied: int = 0
) -> None:
    """Raise WrongPlayersError unless each has the ladder's teams, of known players of its game, each once; the last
    `supplied` of them are not players.

    `whom` is the statement that finds a player who is in the way; one who is suspended raises SuspendedError.
    """
    check_by_results(ladder)
    wanted: set[int] = set()
    for teams in line_ups:
        sizes = [len(team) for team in teams]
        if not ladder.shape.fits([*sizes, *[ladder.team_size] * supplied]):
            detail = _("A match of this ladder has %(shape)s; given were %(given)s.")
            values = {"shape": ladder.shape, "given": " + ".join(map(str, sizes)) or "0"}
            raise WrongPlayersError(detail % values)
        participants = Counter(player for team in teams for player in team)
        if len(participants) < sum(sizes):
            player, _times = participants.most_common(1)[0]
            detail = _("Player %(player)d is in the match twice.") % {"player": player}
            raise WrongPlayersError(detail, player=player)
        wanted |= participants.keys()
    with prepared() as cursor:
        given = {"game": ladder.game_id, "players": list(wanted), "at": clock.replaced()}
        cursor.execute(whom, given)
        row: tuple[int] | None = cursor.fetchone()
    if row is not None:
        for sanction in suspended(row, SuspendedFrom.SEARCHING).values():
            raise SuspendedError(sanction, is_own=False)
        detail = _("Player %(player)d does not belong to the game of this ladder.")
        raise WrongPlayersError(detail % {"player": row[0]}, player=row[0])


def _insert(ladder: Ladder, line_ups: Sequence[LineUp], terms: Sequence[Terms]) -> list[int]:
    """Insert matches and participants; returns the matches' ids in the order given. Raises IntegrityError."""
    participants = [
        (number, player, its.reported_as.get(player), team, its.characters.get(player, ""))
        for number, (teams, its) in enumerate(zip(line_ups, terms, strict=True), start=1)
        for team, members in enumerate(teams)
        for player in members
    ]
    given: dict[str, Any] = {
        "ladder": ladder.pk,
        "game": ladder.game_id,
        "names": [its.external_id or _name() for its in terms],
        "maps": [its.map_name for its in terms],
        "neutral": [its.neutral for its in terms],
        "rated": [its.rated and not its.partner for its in terms],
        "partners": [its.partner for its in terms],
        "extras": [json.dumps(its.extra) for its in terms],
        "at": clock.replaced(),
        "open_for": timedelta(minutes=ladder.abandon_minutes),
        **{name: [row[column] for row in participants] for column, name in enumerate(_COLUMNS)},
    }
    with prepared() as cursor:
        cursor.execute(_INSERT, given)
        return [pk for (pk,) in cursor.fetchall()]


def _name() -> str:
    """An id of our own, for the game did not give one."""
    return f"m-{secrets.token_urlsafe(15)}"


def _check_is_new(ladder: Ladder, teams: LineUp, terms: Terms) -> None:
    match = Match.objects.filter(game=ladder.game_id, external_id=terms.external_id).first()
    if match is None:
        return
    there = match.participants.values_list("player", "team")  # characters may be its result's
    asked = {(player, number) for number, team in enumerate(teams) for player in team}
    of_match = (match.ladder_id, match.map, match.is_neutral, match.rated, {*there})
    is_same = of_match == (ladder.pk, terms.map_name, terms.neutral, terms.rated, asked)
    raise MatchExistsError(terms.external_id, match.pk, is_same=is_same)


def _topics(ladder: Ladder, players: Sequence[int]) -> list[str]:
    return [*(f"player:{player}" for player in players), *ladder.topics]
