"""Starting matches: who meets whom, from now on, until somebody says how it went or the deadline is over.

A player plays one match of a game at a time: the database holds that by a unique index, whatever runs at once.
"""

import secrets
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from events.live import tell
from events.outbox import publish, publish_many
from foundation import clock
from ratings.models import Ladder, Match, MatchState, Participant, Player
from ratings.play_refusals import AlreadyPlayingError, MatchExistsError, WrongPlayersError

__all__ = [
    "AlreadyPlayingError",
    "MatchExistsError",
    "WrongPlayersError",
    "check_line_up",
    "start_match",
    "start_matches",
]

LineUp = Sequence[Sequence[int]]


@transaction.atomic
def start_match(
    *, ladder: Ladder, teams: LineUp, external_id: str = "", map_name: str = ""
) -> Match:
    """Begin a match now; `teams` holds the players' ids by team. Without `external_id` the match gets one of its own.

    Raises WrongPlayersError, AlreadyPlayingError and MatchExistsError; nothing has happened then.
    """
    check_line_up(ladder, teams)
    match = _row(ladder, clock.now(), external_id, map_name)
    if external_id:
        _check_is_new(ladder, external_id)
    try:
        with transaction.atomic():
            match.save(force_insert=True)
            _sit_down(_seats(match, teams))
    except IntegrityError as error:
        raise _refusal(error, ladder, teams, external_id) from error
    publish("match.started", match=match.pk, ladder=ladder.pk)
    _tell(ladder, [player for team in teams for player in team], match=match.pk)
    return match


@transaction.atomic
def start_matches(*, ladder: Ladder, line_ups: Sequence[LineUp]) -> list[int]:
    """Begin many matches now, in a handful of statements; returns their ids in the order given.

    A line-up with a player who plays already, or who stands in a line-up before it, gets 0; the others go on. Raises
    WrongPlayersError for a line-up that does not fit the ladder.
    """
    _check_players(ladder, line_ups)
    begun = _free_of(line_ups)
    now = clock.now()
    while True:
        try:
            with transaction.atomic():
                matches = Match.objects.bulk_create(_row(ladder, now, "", "") for _ in begun)
                pairs = zip(matches, begun, strict=True)
                _sit_down(seat for match, place in pairs for seat in _seats(match, line_ups[place]))
            break
        except IntegrityError as error:  # somebody began to play after we looked: look again
            if "participant_plays_once" not in str(error):
                raise
            begun = _free_of(line_ups)
    ids = [0] * len(line_ups)
    for match, place in zip(matches, begun, strict=True):
        ids[place] = match.pk
    publish_many("match.started", [{"match": it.pk, "ladder": ladder.pk} for it in matches])
    _tell(ladder, [player for place in begun for team in line_ups[place] for player in team])
    return ids


def check_line_up(ladder: Ladder, teams: LineUp) -> None:
    """Raise WrongPlayersError unless these are the ladder's teams, of known players of its game, each once."""
    _check_players(ladder, [teams])


def due_after(ladder: Ladder, now: datetime) -> datetime:
    """When a match that begins now is abandoned if nobody reports it."""
    return now + timedelta(minutes=ladder.abandon_minutes)


def _check_players(ladder: Ladder, line_ups: Sequence[LineUp]) -> None:
    wanted: set[int] = set()
    for teams in line_ups:
        _check_shape(ladder, teams)
        wanted.update(player for team in teams for player in team)
    known = Player.objects.filter(game=ladder.game_id, pk__in=wanted)
    missing = wanted - set(known.values_list("pk", flat=True))
    if missing:
        detail = _("Player %(player)d does not belong to the game of this ladder.")
        raise WrongPlayersError(detail % {"player": min(missing)}, player=min(missing))


def _check_shape(ladder: Ladder, teams: LineUp) -> None:
    sizes = [len(team) for team in teams]
    if sizes != [ladder.team_size] * ladder.team_count:
        detail = _("A match of this ladder has %(teams)d teams of %(size)d; given were %(given)s.")
        values = {
            "teams": ladder.team_count,
            "size": ladder.team_size,
            "given": " + ".join(map(str, sizes)) or "0",
        }
        raise WrongPlayersError(detail % values)
    player, times = Counter(player for team in teams for player in team).most_common(1)[0]
    if times > 1:
        detail = _("Player %(player)d is in the match twice.") % {"player": player}
        raise WrongPlayersError(detail, player=player)


def _free_of(line_ups: Sequence[LineUp]) -> list[int]:
    """Places of the line-ups in which nobody plays already, the earlier one where two share a player."""
    everyone = {player for teams in line_ups for team in teams for player in team}
    playing = Participant.objects.filter(player__in=everyone, playing=True)
    taken = set(playing.values_list("player", flat=True))
    free = []
    for place, teams in enumerate(line_ups):
        players = {player for team in teams for player in team}
        if not players & taken:
            taken |= players
            free.append(place)
    return free


def _row(ladder: Ladder, now: datetime, external_id: str, map_name: str) -> Match:
    return Match(
        ladder=ladder,
        game_id=ladder.game_id,
        external_id=external_id or f"m-{secrets.token_urlsafe(15)}",
        state=MatchState.PLAYING,
        map=map_name,
        played_at=now,
        due_at=due_after(ladder, now),
    )


def _seats(match: Match, teams: LineUp) -> list[Participant]:
    return [
        Participant(match=match, player_id=player, team=number, playing=True)
        for number, team in enumerate(teams)
        for player in team
    ]


def _sit_down(seats: Iterable[Participant]) -> None:
    """In one order everywhere: who waits for another's players then never waits in a circle."""
    Participant.objects.bulk_create(sorted(seats, key=lambda seat: seat.player_id))


def _check_is_new(ladder: Ladder, external_id: str) -> None:
    known = Match.objects.filter(game=ladder.game_id, external_id=external_id)
    if (match := known.values_list("pk", flat=True).first()) is not None:
        raise MatchExistsError(external_id, match)


def _refusal(error: IntegrityError, ladder: Ladder, teams: LineUp, external_id: str) -> Exception:
    """Say in words which rule of the database it was."""
    if "match_external_id_unique_in_game" in str(error):
        _check_is_new(ladder, external_id)
    players = [player for team in teams for player in team]
    playing = Participant.objects.filter(player__in=players, playing=True)
    if "participant_plays_once" in str(error):
        return AlreadyPlayingError(*(playing.values_list("player", "match").first() or (0, 0)))
    return error


def _tell(ladder: Ladder, players: Sequence[int], **ids: int) -> None:
    topics = [*(f"player:{player}" for player in players), f"ladder:{ladder.pk}", "site"]
    tell(topics, "match.started", **ids)
