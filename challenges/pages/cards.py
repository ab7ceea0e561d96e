"""What pages say of challenges to one of the two: what there is to do, and for how long."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from challenges.meeting import opens_at
from challenges.models import LIVE, Challenge, ChallengeState, Side
from ratings.models import Player

__all__ = ["Card", "cards_of", "live_of", "past_of", "whole"]

_MOST_PAST = 20


@dataclass(frozen=True, slots=True)
class Card:
    """A challenge, as one of its players sees it.

    own    the player who sees it
    other  None while nobody has taken the link
    """

    challenge: Challenge
    own: Player
    other: Player | None
    now: datetime

    @property
    def is_received(self) -> bool:
        """Whether the other has made it."""
        return self.own.pk != self.challenge.challenger_id

    @property
    def is_open(self) -> bool:
        """Whether it waits for an answer still."""
        return self.challenge.state == ChallengeState.OPEN and self.challenge.expires_at > self.now

    @property
    def is_agreed(self) -> bool:
        """Whether both wait for its match."""
        return self.challenge.state == ChallengeState.ACCEPTED

    @property
    def may_answer(self) -> bool:
        """Whether it is the player's to accept or decline."""
        return self.is_open and self.is_received

    @property
    def is_here(self) -> bool:
        """Whether the player has said to be there."""
        one = self.challenge
        return (one.challenged_here_at if self.is_received else one.challenger_here_at) is not None

    @property
    def may_say_here(self) -> bool:
        """Whether it is time to say so."""
        opens = opens_at(self.challenge)
        return self.is_agreed and not self.is_here and (opens is None or opens <= self.now)

    @property
    def are_both_here(self) -> bool:
        """Whether both have said so; the match begins then, unless something keeps one of them."""
        one = self.challenge
        return one.challenger_here_at is not None and one.challenged_here_at is not None

    @property
    def stage(self) -> str:
        """What there is to do; a state where it is over."""
        if self.may_answer:
            return "asked"
        if self.may_say_here:
            return "called"
        if self.is_agreed:
            if self.are_both_here:  # one of them can't play just now
                return "both"
            return "waiting" if self.is_here else "agreed"
        return "sent" if self.is_open else self.challenge.state

    @property
    def clock(self) -> str:
        """What its clock counts to: the end of `answering`, the `appointment`, or the end of `coming`."""
        if not self.is_agreed:
            return "answering"
        at = self.challenge.at
        return "coming" if at is None or at <= self.now else "appointment"

    @property
    def seconds_left(self) -> float:
        """Until that."""
        one = self.challenge
        ends = {"answering": one.expires_at, "appointment": one.at, "coming": one.due_at}
        return max(0.0, ((ends[self.clock] or self.now) - self.now).total_seconds())

    @property
    def has_clock(self) -> bool:
        """Whether so little time is left that a clock says it."""
        return self.seconds_left < 3600

    @property
    def own_side(self) -> str:
        """Which side is the player's: `first`, `second`, or `drawn`."""
        if self.challenge.side == Side.DRAWN:
            return "drawn"
        is_challengers = self.challenge.side == Side.MINE
        return "first" if is_challengers != self.is_received else "second"

    @property
    def version(self) -> tuple[object, ...]:
        """Tells it from what it was."""
        return self.challenge.pk, self.stage, self.challenge.at, self.is_here, self.clock


def whole() -> QuerySet[Challenge]:
    """Challenges with what cards show."""
    return Challenge.objects.select_related("ladder__game", "challenger__game", "challenged__game")


def live_of(player_ids: Collection[int], now: datetime) -> list[Card]:
    """What these players have made and received, and of which something may come; the newest first. One query."""
    own = Q(challenger__in=player_ids) | Q(challenged__in=player_ids)
    rows = whole().filter(own, state__in=LIVE).order_by("-pk")
    in_time = (one for one in rows if one.state != ChallengeState.OPEN or one.expires_at > now)
    return cards_of(in_time, player_ids, now)


def past_of(player_ids: Collection[int], now: datetime) -> list[Card]:
    """What came of the latest others. One query."""
    own = Q(challenger__in=player_ids) | Q(challenged__in=player_ids)
    rows = whole().filter(own).exclude(state__in=LIVE).order_by("-pk")
    return cards_of(rows[:_MOST_PAST], player_ids, now)


def cards_of(
    challenges: Iterable[Challenge], player_ids: Collection[int], now: datetime
) -> list[Card]:
    """Cards for the account of these players."""
    found = []
    for one in challenges:
        both = (one.challenger, one.challenged)
        own = next((it for it in both if it is not None and it.pk in player_ids), None)
        if own is not None:
            found.append(Card(one, own, one.other_of(own.pk), now))
    return found
