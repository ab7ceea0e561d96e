"""Being away from a running match, and back: a crash costs nothing where the player is back in time.

The server's word beats the player's: whom it has told to be away only it can tell to be back.
"""

from datetime import datetime, timedelta

from foundation.transactions import briefly
from matchmaking.conduct.refusals import NotAwayError, TooLateBackError
from matchmaking.conduct.rules import rules_of
from matchmaking.models import Absence, Teller
from ratings.matches.end import hold_match
from ratings.models import OPEN, Match, Participant, Report

__all__ = ["absence_of", "away", "back"]


def away(*, match_id: int, player_id: int, by: Teller) -> Absence:
    """Note that a player has lost the connection; the time to come back begins. The same again changes nothing,
    but that a server's word takes the place of the player's.

    Raises NotAwayError where the match does not run, or the player is out of it; Match.DoesNotExist.
    """
    with briefly():
        match, now = _hold(match_id, player_id)
        found = absence_of(match_id, player_id)
        if found is not None:
            if by == Teller.SERVER and found.told_by == Teller.PLAYER:
                found.told_by = Teller.SERVER
                found.save(update_fields=["told_by"])
            return found
        seconds = rules_of(match.game_id).rejoin_seconds
        return Absence.objects.create(
            match=match,
            player_id=player_id,
            told_by=by,
            away_at=now,
            until=now + timedelta(seconds=seconds),
        )


def back(*, match_id: int, player_id: int, by: Teller) -> Absence:
    """Note that a player is back. Nothing is left of having been away.

    Raises NotAwayError, TooLateBackError, and Match.DoesNotExist.
    """
    with briefly():
        _match, now = _hold(match_id, player_id)
        found = absence_of(match_id, player_id)
        if found is None:
            raise NotAwayError
        if by == Teller.PLAYER and found.told_by == Teller.SERVER:
            raise TooLateBackError(is_servers=True)
        if found.until < now or found.judged_at is not None:
            raise TooLateBackError(is_servers=False)
        found.back_at = now
        found.save(update_fields=["back_at"])
    return found


def absence_of(match_id: int, player_id: int) -> Absence | None:
    """The absence of a player from a match that has not ended by coming back; None: there is none."""
    return Absence.objects.filter(match=match_id, player=player_id, back_at=None).first()


def _hold(match_id: int, player_id: int) -> tuple[Match, datetime]:
    """Hold a match that runs, in which the player still plays."""
    held = hold_match(match_id)
    is_in = Participant.objects.filter(match=match_id, player=player_id).exists()
    # Whoever has said how it ended has played it to its end, or has said to have left.
    has_said = Report.objects.filter(match=match_id, player=player_id).exists()
    if held.match.state not in OPEN or not is_in or has_said:
        raise NotAwayError
    return held.match, held.now
