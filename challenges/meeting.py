"""Coming together: both say that they are there, then their match begins. Nobody is in two places then.

Searches end before the challenge's row is held: they have locks of their own, which come in another order. One that has
begun since is seen under the lock of its player, and ended before the next attempt. A process that ends in between
leaves a challenge for which both are there; the task starts its match.
"""

import secrets
from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from challenges import limits
from challenges.checks import check_elsewhere, check_ladder, check_pair, check_self
from challenges.held import end_held, hold, mark_over, notify, over_of, tell
from challenges.models import Challenge, ChallengeState, Side
from challenges.refusals import CannotChallengeError, NotInChallengeError, TooEarlyError
from events.kinds import Kind
from foundation import clock, timekeeping
from foundation.postgresql.transactions import briefly
from foundation.refusals import RefusedError
from matchmaking.conduct.charge import Charge, charge
from matchmaking.models import OffenceKind, Ticket, TicketMember, TicketState
from matchmaking.models.tickets import LIVE
from matchmaking.playing import playing_of
from matchmaking.tickets.lifecycle import cancel as cancel_search
from matchmaking.tickets.places import hold_players
from ratings.matches.start import AlreadyPlayingError, Terms, begin_match
from ratings.models import Player

__all__ = ["charge_missing", "end_missed", "note_seen", "opens_at", "say_here", "start_if_both"]


def opens_at(challenge: Challenge) -> datetime | None:
    """From when on the two of an appointment may say that they are there; None for a challenge of now."""
    return None if challenge.at is None else challenge.at - limits.CALLED_BEFORE


def say_here(*, challenge_id: int, player: Player) -> Challenge:
    """Note that one of the two is there; with the second the match begins.

    Raises NotInChallengeError, NotAcceptedError, ChallengeOverError, TooEarlyError, AlreadyPlayingError,
    SuspendedError, CannotChallengeError, Challenge.DoesNotExist, and what apps above refuse with.
    """
    with briefly() as now:
        challenge = hold(challenge_id)
        if player.pk not in challenge.players:
            raise NotInChallengeError(challenge_id)
        if challenge.state == ChallengeState.STARTED:
            return challenge
        refusal = _note_here(challenge, player, now)
    if refusal is not None:
        raise refusal
    return start_if_both(challenge_id, asked_by=player.pk)


def start_if_both(challenge_id: int, *, asked_by: int | None = None) -> Challenge:
    """Begin the match of an accepted challenge for which both are there, once; gives the challenge as it is then.

    What keeps one of them is told to whoever `asked_by`: the challenge stands until its time is over.
    """
    found = Challenge.objects.get(pk=challenge_id)
    if not _is_ready(found):
        return _whole(challenge_id)
    busy = playing_of(found.players)
    if busy:
        if asked_by is not None:
            player = asked_by if asked_by in busy else min(busy)
            _refuse_playing(asked_by, player, busy[player])
        return _whole(challenge_id)
    try:
        check_elsewhere(asked_by or 0, found.players)
        is_over = False
        while not is_over:
            # What the other is offered is not taken away by us: the challenge stands, and begins when that is over.
            if _offered(found.players) - {asked_by}:
                return _whole(challenge_id)
            _end_searches(found.players, asked_by)
            with briefly() as now:
                challenge = hold(challenge_id)
                is_over = not _is_ready(challenge) or _begin(challenge, now, asked_by)
    except RefusedError:
        if asked_by is not None:
            raise
    return _whole(challenge_id)


def note_seen(player_ids: list[int]) -> None:
    """Note that these players look: whoever challenges need not be asked whether they are there. Never waits."""
    now = clock.now()
    rows = Challenge.objects.select_for_update(skip_locked=True, no_key=True, of=("self",))
    seldom = now - limits.COUNTS_AS_HERE / 4
    with transaction.atomic():
        # Or noted by a clock that ran ahead.
        is_old = Q(challenger_seen_at__lte=seldom) | Q(
            challenger_seen_at__gt=now + timekeeping.AHEAD
        )
        due = rows.filter(is_old, challenger__in=player_ids, state=ChallengeState.OPEN)
        Challenge.objects.filter(pk__in=due.values("pk")).update(challenger_seen_at=now)


def _note_here(challenge: Challenge, player: Player, now: datetime) -> RefusedError | None:
    if challenge.state != ChallengeState.ACCEPTED or challenge.due_at is None:
        return over_of(challenge)
    began = challenge.answered_at or challenge.created_at
    if timekeeping.deadlines().is_over(began=began, ends=challenge.due_at):
        end_missed(challenge, now)
        return over_of(challenge)
    opens = opens_at(challenge)
    if opens is not None and now < opens:
        raise TooEarlyError(opens)
    # Whoever can't play now is not there: the other would wait for nothing.
    try:
        check_self(player, challenge.ladder, rated=challenge.rated)
    except RefusedError as error:
        return error
    name = "challenger" if player.pk == challenge.challenger_id else "challenged"
    if getattr(challenge, f"{name}_here_at") is None:
        setattr(challenge, f"{name}_here_at", now)
        challenge.save(update_fields=[f"{name}_here_at"])
        tell([challenge], Kind.CHALLENGE_HERE)
    return None


def end_missed(challenge: Challenge, now: datetime) -> None:
    """End a held challenge for which not both were there in time. It is held against whoever was missing, unless the
    site was away around its time, or the clock jumped over it: then nobody could say to be there.
    """
    end_held(challenge, ChallengeState.MISSED)
    notify("challenge.missed", challenge, challenge.players)
    opened, ended = opens_at(challenge) or challenge.created_at, challenge.due_at or now
    time = timekeeping.deadlines()
    could_come = not time.was_out(began=opened, ended=ended)
    if could_come and not time.was_jumped_over(began=opened, ended=ended):
        charge_missing(challenge, now)


def charge_missing(challenge: Challenge, now: datetime, *, unless: int | None = None) -> None:
    """Hold an appointment whose time has come against the one of its two who was not there while the other was;
    `unless` it is this player.
    """
    if challenge.at is None or now < challenge.at:
        return
    came = {
        challenge.challenger_id: challenge.challenger_here_at,
        challenge.challenged_id: challenge.challenged_here_at,
    }
    missing = [pk for pk, here_at in came.items() if here_at is None and pk is not None]
    if len(missing) == 1 and missing != [unless]:
        absent = Charge(
            player_id=missing[0], kind=OffenceKind.MISSED, at=now, challenge=challenge.pk
        )
        charge([absent], now)


def _is_ready(challenge: Challenge) -> bool:
    return (
        challenge.state == ChallengeState.ACCEPTED
        and challenge.challenger_here_at is not None
        and challenge.challenged_here_at is not None
    )


def _begin(challenge: Challenge, now: datetime, asked_by: int | None) -> bool:
    """Begin the match of a held challenge; False where one of the two searches again, which has to end first."""
    first, second = challenge.challenger, challenge.challenged
    if second is None:  # no accepted challenge is without: a constraint holds it
        return True
    hold_players(challenge.players)
    check_elsewhere(asked_by or 0, challenge.players)
    if _searches(challenge.players).exists():
        return False
    check_ladder(challenge.ladder, first)
    check_pair(first, second)
    for one in (first, second):
        try:
            check_self(one, challenge.ladder, rated=challenge.rated)
        except RefusedError as refusal:
            if one.pk == asked_by:
                raise
            raise CannotChallengeError(one.pk) from refusal
    sides = [[first.pk], [second.pk]]
    if challenge.side == Side.OTHER or (challenge.side == Side.DRAWN and secrets.randbelow(2)):
        sides.reverse()
    try:
        sides_by = "lot" if challenge.side == Side.DRAWN else "choice"
        terms = Terms(rated=challenge.rated, sides_by=sides_by)
        match = begin_match(challenge.ladder, sides, terms)
    except AlreadyPlayingError as refusal:
        _refuse_playing(
            asked_by, int(str(refusal.extra["player"])), int(str(refusal.extra["match"]))
        )
    else:
        challenge.match_id, challenge.state = match, ChallengeState.STARTED
        challenge.due_at, challenge.ended_at = None, max(now, challenge.created_at)
        challenge.save(update_fields=["match", "state", "due_at", "ended_at"])
        tell([challenge], Kind.CHALLENGE_STARTED)
        mark_over(challenge)
    return True


def _refuse_playing(asked_by: int | None, player: int, match: int) -> None:
    """Say who plays already: to that one with the match, to the other no more than that it is so."""
    if player == asked_by:
        raise AlreadyPlayingError(player, match)
    raise CannotChallengeError(player)


def _offered(players: list[int]) -> set[int]:
    """Those of them who are asked whether they accept a match elsewhere."""
    rows = TicketMember.objects.filter(
        player__in=players, live=True, ticket__state=TicketState.OFFERED
    )
    return set(rows.values_list("player", flat=True))


def _end_searches(players: list[int], asked_by: int | None) -> None:
    """Cancel what these search elsewhere. A match that has just begun of it is in the way of ours, and says so.
    Whoever has asked for ours declines what is offered just now.
    """
    for pk in _searches(players).order_by("pk").values_list("pk", flat=True):
        with suppress(RefusedError, Ticket.DoesNotExist):
            cancel_search(ticket_id=pk, declines=asked_by is not None, player=asked_by)


def _searches(players: list[int]) -> QuerySet[Ticket]:
    own = Ticket.objects.filter(members__player__in=players, members__live=True, state__in=LIVE)
    return own.distinct()


def _whole(challenge_id: int) -> Challenge:
    rows = Challenge.objects.select_related("ladder__game", "challenger__game", "challenged__game")
    return rows.get(pk=challenge_id)
