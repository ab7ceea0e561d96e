"""Making challenges: of a named player, by a link, for an agreed time, and as a rematch."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError
from django.db.models import Q
from django.utils.translation import gettext as _

from challenges import limits
from challenges.checks import check_asking, check_ladder, check_pair, check_self
from challenges.held import notify, tell
from challenges.models import Challenge, ChallengeState, Side
from challenges.models.challenges import LONGEST_NOTE
from challenges.refusals import (
    ChallengeStandsError,
    NoRematchError,
    TooManyChallengesError,
    WrongChallengeError,
)
from challenges.settle import end_expired
from events.kinds import Kind
from foundation import clock
from foundation.postgresql.transactions import briefly
from matchmaking.models import Avoided
from ratings.models import Ladder, Match, MatchState, Participant, Player
from ratings.sanctions import check_may_write

__all__ = ["Wanted", "challenge", "open_link", "rematch", "rematch_until"]

# No signs that are taken for each other. Nobody guesses one: there are 4e17 codes.
_SIGNS, _LENGTH = "23456789ABCDEFGHJKMNPQRSTUVWXYZ", 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a challenge asks for.

    side        as whoever challenges wants it
    expires_in  how long it may be accepted, of an appointment until its time at most. None: 10 minutes, and of an
                appointment until its time
    at          the time of an appointment; None: at once
    """

    ladder: Ladder
    side: Side = Side.DRAWN
    rated: bool = True
    note: str = ""
    expires_in: timedelta | None = None
    at: datetime | None = None


def challenge(*, player: Player, other: Player, wanted: Wanted) -> Challenge:
    """Challenge a player, now or for a time.

    Raises ArchivedError, WrongChallengeError, ChallengesItselfError, SuspendedError, TooManyDisputesError,
    CannotChallengeError, TooManyChallengesError and ChallengeStandsError.
    """
    return _between_two(player, other, wanted)


def open_link(*, player: Player, wanted: Wanted) -> Challenge:
    """Make a challenge that the first who takes its link accepts.

    Raises ArchivedError, WrongChallengeError, SuspendedError, TooManyDisputesError and TooManyChallengesError.
    """
    if wanted.at is not None:
        words = _("An appointment is made with a named player. Leave the time out of a link.")
        raise WrongChallengeError(words, field="at")
    with briefly() as now:
        return _make(player, None, wanted, now)


def rematch(*, player: Player, match_id: int) -> tuple[Challenge, bool]:
    """Ask the other of a match for another one, sides swapped. Gives the challenge, and whether it is the other's.

    Raises NoRematchError, Match.DoesNotExist, and what `challenge` does.
    """
    match = Match.objects.select_related("ladder__game").get(pk=match_id)
    sides = list(match.participants.select_related("player__game").order_by("team"))
    own = next((one for one in sides if one.player_id == player.pk), None)
    until = rematch_until(match, sides)
    if own is None or until is None or clock.now() >= until:
        raise NoRematchError(match_id)
    other = next(one.player for one in sides if one.player_id != player.pk)
    of_other = Challenge.objects.filter(
        rematch_of=match, challenger=other, challenged=player, state=ChallengeState.OPEN
    )
    if (asked := of_other.first()) is not None:
        return asked, True
    # Who played the first side plays the other now.
    side = Side.OTHER if own.team == 0 else Side.MINE
    wanted = Wanted(
        ladder=match.ladder,
        side=Side.DRAWN if match.is_neutral else side,
        rated=match.rated,
        expires_in=limits.REMATCH_FOR,
    )
    try:
        return _between_two(player, other, wanted, match), False
    except ChallengeStandsError:
        # The other has asked in the same moment: it is as if this one had come a little later.
        if (asked := of_other.first()) is None:
            raise
        return asked, True


def rematch_until(match: Match, sides: Sequence[Participant]) -> datetime | None:
    """Until when the two of a match may ask for another; None where they never may. Reads nothing."""
    if len(sides) != 2 or match.state != MatchState.CONFIRMED or match.confirmed_at is None:
        return None
    return match.confirmed_at + limits.REMATCH_FOR


def _between_two(
    player: Player, other: Player, wanted: Wanted, rematch_of: Match | None = None
) -> Challenge:
    between = Q(challenger=player, challenged=other) | Q(challenger=other, challenged=player)
    while True:
        # What is over, and was not ended yet, is in nobody's way.
        end_expired(Challenge.objects.filter(between))
        try:
            with briefly() as now:
                return _make(player, other, wanted, now, rematch_of)
        except IntegrityError as error:
            # The other was faster, or another window. Where that has ended meanwhile, there is room for this one.
            if "challenge_one_open_between_two" not in str(error):
                raise
            standing = Challenge.objects.filter(
                between, ladder=wanted.ladder, state=ChallengeState.OPEN
            ).first()
            if standing is not None:
                raise ChallengeStandsError(standing.pk) from error


def _make(
    player: Player,
    other: Player | None,
    wanted: Wanted,
    now: datetime,
    rematch_of: Match | None = None,
) -> Challenge:
    check_ladder(wanted.ladder, player)
    expires_at = _expiry(wanted, now)
    note = _note(wanted.note)
    if note:
        check_may_write(player.pk)
    if other is not None:
        check_pair(player, other)
        check_asking(player, other)
    check_self(player, wanted.ladder, rated=wanted.rated)
    # Two at once wait for each other here, so that there are never more than may be.
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    own = Challenge.objects.filter(challenger=player, state=ChallengeState.OPEN)
    limit = settings.CHALLENGES_OPEN
    if own.filter(expires_at__gt=now).count() >= limit:
        raise TooManyChallengesError(limit)
    made = Challenge.objects.create(
        ladder=wanted.ladder,
        challenger=player,
        challenged=other,
        code=None if other is not None else _new_code(),
        side=wanted.side,
        rated=wanted.rated,
        note=note,
        at=wanted.at,
        rematch_of=rematch_of,
        created_at=now,
        expires_at=expires_at,
        challenger_seen_at=now,
    )
    tell([made], Kind.CHALLENGE_MADE)
    # Whoever avoids the player finds it on the page of challenges, and is not called.
    if other is not None and not Avoided.objects.filter(player=other, avoided=player).exists():
        kind = "challenge.made" if rematch_of is None else "challenge.rematch"
        notify(kind if wanted.at is None else "appointment.proposed", made, [other.pk])
    return made


def _expiry(wanted: Wanted, now: datetime) -> datetime:
    at, lasts = wanted.at, wanted.expires_in
    if lasts is not None and not limits.SHORTEST <= lasts <= limits.LONGEST:
        words = _("A challenge may be accepted for 1 minute at least, and for 7 days at most.")
        raise WrongChallengeError(words, field="expires_in")
    if at is None:
        return now + (lasts or limits.USUAL)
    if not now + limits.AHEAD_AT_LEAST <= at <= now + limits.AHEAD_AT_MOST:
        words = _("An appointment is 10 minutes ahead at least, and 60 days at most.")
        raise WrongChallengeError(words, field="at")
    return at if lasts is None else min(now + lasts, at)


def _note(text: str) -> str:
    note = " ".join(text.split())
    if len(note) > LONGEST_NOTE or not note.isprintable():
        words = _("A note has at most %(most)d characters that can be shown.")
        raise WrongChallengeError(words % {"most": LONGEST_NOTE}, field="note")
    return note


def _new_code() -> str:
    return "".join(secrets.choice(_SIGNS) for _ in range(_LENGTH))
