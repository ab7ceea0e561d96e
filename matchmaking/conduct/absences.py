"""Being away from a running match, and back: a crash costs nothing where the player is back in time.

The server's word beats the player's: whom it has told to be away only it can tell to be back.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet

from events.kinds import Kind
from events.live import Message, broadcast_all
from foundation import timekeeping
from foundation.postgresql.transactions import briefly
from matchmaking.conduct.refusals import (
    NotAwayError,
    ServerTellsBackError,
    TooLateBackError,
)
from matchmaking.conduct.rules import rules_of
from matchmaking.models import Absence, Teller
from ratings.matches.end import Held, hold_match
from ratings.matches.refusals import NotInMatchError, check_by_results
from ratings.models import OPEN, Match, Participant, Report

__all__ = ["absence_of", "absences_from", "away", "back", "fair_until", "tell_gone"]


def away(*, match_id: int, player_id: int, by: Teller) -> Absence:
    """Note that a player has lost the connection; the time to come back begins. The same again changes nothing,
    but that a server's word takes the place of the player's.

    Raises NotAwayError where the match does not run, or the player has said how it ended; NotInMatchError,
    RatedByEventsError, Match.DoesNotExist.
    """
    with briefly():
        held = _hold(match_id, player_id)
        found = absence_of(match_id, player_id)
        if found is not None:
            if by == Teller.SERVER and found.told_by == Teller.PLAYER:
                found.told_by = Teller.SERVER
                found.save(update_fields=["told_by"])
                _tell(Kind.MATCH_AWAY, held, player_id)
            return found
        seconds = rules_of(held.match.game_id).rejoin_seconds
        made = Absence.objects.create(
            match=held.match,
            player_id=player_id,
            told_by=by,
            away_at=held.now,
            until=held.now + timedelta(seconds=seconds),
        )
        _tell(Kind.MATCH_AWAY, held, player_id)
    return made


def back(*, match_id: int, player_id: int, by: Teller) -> Absence:
    """Note that a player is back. Nothing is left of having been away. The same again changes nothing.

    Raises NotAwayError, ServerTellsBackError, TooLateBackError, NotInMatchError,
    RatedByEventsError, and Match.DoesNotExist.
    """
    with briefly():
        held = _hold(match_id, player_id)
        found = Absence.objects.filter(match=match_id, player=player_id).first()  # the latest
        if found is None:
            raise NotAwayError
        if found.back_at is not None:
            return found
        if by == Teller.PLAYER and found.told_by == Teller.SERVER:
            raise ServerTellsBackError
        if found.judged_at is not None or _is_too_late(found, held.now):
            raise TooLateBackError
        found.back_at = held.now
        found.until = max(found.until, held.now)  # of a clock that has jumped since
        found.save(update_fields=["back_at", "until"])
        _tell(Kind.MATCH_BACK, held, player_id)
    return found


def _is_too_late(absence: Absence, now: datetime) -> bool:
    """Whether the time to come back is over; it is written into the absence where it is longer than was said."""
    if absence.until >= now:
        return False
    time = timekeeping.deadlines()
    absence.until = fair_until(absence, time)
    return time.is_over(began=absence.away_at, ends=absence.until)


def fair_until(absence: Absence, time: timekeeping.Deadlines) -> datetime:
    """Until when somebody may come back: later than was said, where the site could not be told just then."""
    if absence.back_at is not None or absence.judged_at is not None:
        return absence.until
    return time.fair_end(began=absence.away_at, ends=absence.until)


def absence_of(match_id: int, player_id: int) -> Absence | None:
    """The absence of a player from a match that has not ended by coming back; None: there is none."""
    return Absence.objects.filter(match=match_id, player=player_id, back_at=None).first()


def absences_from(match_id: int) -> QuerySet[Absence]:
    """The same of all players of a match who have not said since how it ended, the first who dropped first."""
    said = Report.objects.filter(match=match_id, player=OuterRef("player"))
    away = Absence.objects.filter(match=match_id, back_at=None)
    return away.exclude(Exists(said)).order_by("pk")


def tell_gone(absences: Sequence[Absence]) -> None:
    """Tell that the time to come back is over, of matches that still run and players who have not said since how they
    ended. Four queries.
    """
    runs = Match.objects.filter(pk__in={one.match_id for one in absences}, state__in=OPEN)
    games = dict(runs.values_list("pk", "game"))
    players = defaultdict(list)
    rows = Participant.objects.filter(match__in=games).order_by("pk")
    for match, player in rows.values_list("match", "player"):
        players[match].append(player)
    said = set(Report.objects.filter(match__in=games).values_list("match", "player"))
    broadcast_all(
        _message(Kind.MATCH_GONE, one.match_id, one.player_id, players[one.match_id], game)
        for one in absences
        if (game := games.get(one.match_id)) is not None
        and (one.match_id, one.player_id) not in said
    )


def _hold(match_id: int, player_id: int) -> Held:
    """Hold a match that runs, in which the player still plays."""
    held = hold_match(match_id)
    check_by_results(held.match.ladder)  # there players come and go
    if player_id not in held.players:
        raise NotInMatchError(player_id)
    # Whoever has said how it ended has played it to its end, or has said to have left.
    has_said = Report.objects.filter(match=match_id, player=player_id).exists()
    if held.match.state not in OPEN or has_said:
        raise NotAwayError
    return held


def _tell(kind: Kind, held: Held, player_id: int) -> None:
    broadcast_all([_message(kind, held.match.pk, player_id, held.players, held.match.game_id)])


def _message(kind: Kind, match: int, player: int, players: Iterable[int], game: int) -> Message:
    """To whoever plays in the match, and to servers: nobody else learns of it."""
    topics = (*(f"player:{pk}" for pk in players), f"game:{game}")
    return Message(topics, kind, {"match": match, "player": player})
