"""What players say of a match. Teams that agree confirm it, teams that differ dispute it, silence has a deadline.

Whoever has lost and says so is believed at once. In a dispute everyone may think again: as soon as the reports agree,
it is over. Who is suspended from results says nothing: the others' word, or the deadline, decides; where nobody else is
asked, that word decides at once.

Whatever comes at the same moment (two reports, a report and the deadline, a report and the server's word) takes turns
at the match's row; each sees what the one before it has left.
"""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from events.announcement import ANNOUNCED
from events.kinds import Kind
from foundation.postgresql.prepared import prepared
from ratings.matches.end import (
    ENDED,
    Ending,
    Held,
    HeldParticipant,
    announcement_of,
    end_by,
    hold_match,
)
from ratings.matches.refusals import (
    MatchDecidedError,
    NotInMatchError,
    WrongResultError,
    check_by_results,
)
from ratings.matches.result import Result, outcome_of, place_of
from ratings.matches.silenced import reported_by_servers
from ratings.matches.verdict import Said, judge, with_partner
from ratings.models import OPEN, Match, MatchState, Outcome, SuspendedFrom
from ratings.sanctions import SuspendedError, suspended

__all__ = ["leave", "report"]

_TAKES_REPORTS = [*OPEN, MatchState.DISPUTED]
# A word, with what comes of it and what is told of that in one go, for the match is held meanwhile.
_SAID = """
said AS (
    INSERT INTO ratings_report (match_id, player_id, outcome, left_early, place, at)
    VALUES (%(match)s, %(player)s, %(outcome)s, %(left_early)s, %(place)s, %(now)s)
    ON CONFLICT (match_id, player_id)
    DO UPDATE SET outcome = excluded.outcome, left_early = excluded.left_early, place = excluded.place,
                  at = excluded.at
)
"""
# The match goes on, without the player.
_SAY = f"""
WITH {_SAID}, moved AS (
    UPDATE ratings_match SET state = %(state)s, due_at = %(due)s, ended_at = %(ended)s
    WHERE id = %(match)s AND (state, due_at) IS DISTINCT FROM (%(state)s, %(due)s)
), freed AS (
    UPDATE ratings_participant SET playing = false, left_early = %(left_early)s
    WHERE match_id = %(match)s AND player_id = %(player)s
), {ANNOUNCED}
"""  # noqa: S608
_SAY_AND_END = f"WITH {_SAID}, {ENDED}, {ANNOUNCED}"


def report(
    *,
    match_id: int,
    player_id: int,
    outcome: Outcome | None = None,
    place: int | None = None,
    left_early: bool = False,
) -> Match:
    """Take a player's word on a match; returns the match as it is then.

    The word is an outcome. In a match of more than two teams it is the place that the own team took, from 1, with the
    outcome *drawn* if it was shared; only having won, not having played and having left early are told without one.

    The player is free to play elsewhere. The same word again is answered as before; until the match is decided another
    one takes its place, in a dispute too. One report a team is enough: when every team has spoken, or one of two has
    given itself up as beaten, the match is confirmed, or aborted if all say it was not played. Words that differ
    dispute it. Raises NotInMatchError, SuspendedError, WrongResultError, MatchDecidedError and Match.DoesNotExist.
    """
    with transaction.atomic():
        held = hold_match(match_id)
        own = next(
            (
                participant
                for participant in held.participants
                if participant.player_id == player_id
            ),
            None,
        )
        if own is None:
            raise NotInMatchError(player_id)
        if own.is_suspended:
            for sanction in suspended([player_id], SuspendedFrom.RESULTS).values():
                raise SuspendedError(sanction)
        said = _word(held, own.said.team, outcome, place, left_early)
        match = held.match
        check_by_results(match.ladder)
        if match.state in _TAKES_REPORTS:
            if said != own.said:
                _take(held, own, said)
            return match
        # To say what is decided already adds nothing; anything else comes too late.
        noted_as_left = match.participants.filter(player=player_id, left_early=True)
        if said.left_early and not noted_as_left.exists():
            raise MatchDecidedError(match.state, ["left_early"])
        if match.state == MatchState.ABORTED and said.outcome == Outcome.NOT_PLAYED:
            return match
        if match.state == MatchState.CONFIRMED:
            ranks, team = held.ranks, said.team
            is_shared = ranks.count(ranks[team]) > 1
            if place_of(ranks, team) == said.place and is_shared == (said.outcome == Outcome.DRAWN):
                return match
            if said.place is None and outcome_of(ranks, team) == said.outcome:
                return match
        raise MatchDecidedError(match.state)


def leave(*, match_id: int, player_id: int) -> Match:
    """Give a match up: reported as lost, and noted as left early. Raises what `report` raises."""
    return report(match_id=match_id, player_id=player_id, outcome=Outcome.LOST, left_early=True)


def _word(
    held: Held, team: int, outcome: Outcome | None, place: int | None, left_early: bool
) -> Said:
    """The word as it is kept: it is all that a match of so many teams needs. Raises WrongResultError."""
    count = len(held.teams) + bool(held.match.partner)
    if place is None:
        if outcome is None:
            raise WrongResultError(_("Give the outcome of the match, or the place your side took."))
        if count > 2 and outcome == Outcome.WON:
            return Said(team, outcome, left_early, 1)
        if count > 2 and outcome != Outcome.NOT_PLAYED and not left_early:
            text = _("A match of %(count)d sides needs your place, from 1 to %(count)d.")
            raise WrongResultError(text % {"count": count})
        return Said(team, outcome, left_early)
    if count == 2:
        raise WrongResultError(_("A match of two sides is won, drawn or lost, without a place."))
    if outcome not in {None, Outcome.DRAWN}:
        raise WrongResultError(
            _("With a place only “drawn” can be given: it means that the place was shared.")
        )
    if not 1 <= place <= count:
        text = _("There is no place %(place)s in this match: give one from 1 to %(count)d.")
        raise WrongResultError(text % {"place": place, "count": count})
    return Said(team, outcome or (Outcome.WON if place == 1 else Outcome.LOST), left_early, place)


def _waits_for_nobody(held: Held, own: HeldParticipant) -> bool:
    """Whether everybody else who has not spoken is suspended from results for as long as the word would wait, and no
    server's word is to come.
    """
    match = held.match
    due = match.due_at
    if match.state == MatchState.PLAYING:
        due = held.now + timedelta(minutes=match.ladder.report_minutes)
    others = (one for one in held.participants if one is not own and not one.said.outcome)
    return all(one.is_silent_until(due) for one in others) and not reported_by_servers(
        held.match.ladder
    )


def _take(held: Held, own: HeldParticipant, said: Said) -> None:
    """Write the word down; the match ends if every team has spoken now, else it has its deadline.

    A dispute lasts until the reports agree: it does not become an open match again, which silence would decide.
    """
    match, ladder, before = held.match, held.match.ladder, held.match.state
    time_to_report = timedelta(minutes=ladder.report_minutes)
    said_now = (said if one is own else one.said for one in held.participants)
    words = with_partner(said_now, match.partner)
    verdict = judge(words)
    if verdict.state == MatchState.REPORTED and before in OPEN and _waits_for_nobody(held, own):
        verdict = judge(words, is_final=True)
    if verdict.state == MatchState.REPORTED and before == MatchState.PLAYING:
        match.state = MatchState.REPORTED
        match.due_at = held.now + time_to_report
        match.ended_at = max(held.now, match.played_at)
    elif verdict.state in OPEN and before == MatchState.REPORTED and own.said.outcome:
        # After a correction the others have the whole time to answer again; up to a limit, for no match stays open.
        longest = timedelta(minutes=ladder.abandon_minutes) + 2 * time_to_report
        due = held.now + time_to_report
        match.due_at = max(match.due_at or due, min(due, match.played_at + longest))
    given: dict[str, Any] = {
        "match": match.pk,
        "player": own.player_id,
        "outcome": str(said.outcome),
        "left_early": said.left_early,
        "place": said.place,
        "now": held.now,
    }
    if verdict.state not in {*OPEN, before}:
        result = Result(ranks=verdict.ranks) if verdict.ranks else None
        left = {own.player_id: said.left_early}
        ending = Ending(match, held.players, verdict.state, result, left)
        end_by(_SAY_AND_END, [ending], held.now, given)
        return
    given |= {"state": str(match.state), "due": match.due_at, "ended": match.ended_at}
    is_news = match.state != before
    told = announcement_of([match], Kind.MATCH_REPORTED, held.players, publish=is_news)
    with prepared() as cursor:
        cursor.execute(_SAY, {**given, **told.given})
        told.written(cursor.fetchone())
