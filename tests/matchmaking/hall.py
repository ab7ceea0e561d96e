"""A queue, its players by number, and a clock that the test moves."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from foundation import clock
from matchmaking.models import (
    Offer,
    OfferTicket,
    PartnerState,
    Party,
    Queue,
    Ticket,
    TicketMember,
    TicketState,
)
from matchmaking.offers import answer as offers
from matchmaking.parties import lifecycle as parties
from matchmaking.sweep import run as sweep
from matchmaking.sweep.run import SweepReport
from matchmaking.tickets import lifecycle
from ratings.matches.start import start_match
from ratings.models import (
    Game,
    Ladder,
    Match,
    Mode,
    Player,
    Rating,
    RatingTrack,
)
from ratings.tracks.parameters import create_track
from tests.ratings.plain import NOON, PLAIN

__all__ = ["NOON", "Hall", "make_hall"]


@dataclass
class Hall:
    """One queue. `seconds` have passed since NOON; a player's ticket is found by the player's number."""

    queue: Queue
    ladder: Ladder
    track: RatingTrack
    players: Sequence[Player]
    seconds: float = 0.0
    tickets: dict[int, int] = field(default_factory=dict)

    @property
    def now(self) -> datetime:
        return NOON + timedelta(seconds=self.seconds)

    def wait(self, seconds: float) -> None:
        """Let time pass; nobody gives a sign of life by it."""
        self.seconds += seconds

    @contextmanager
    def at_now(self) -> Iterator[None]:
        with clock.at(self.now):
            yield

    def join(self, *numbers: int, **asked: Any) -> list[Ticket]:
        """Let these players search, each alone."""
        with self.at_now():
            found = [
                lifecycle.join(queue=self.queue, player=self.players[n], **asked) for n in numbers
            ]
        self.tickets.update({n: ticket.pk for n, ticket in zip(numbers, found, strict=True)})
        return found

    def gather(self, leader: int, *others: int) -> Party:
        """Let players form a party."""
        with self.at_now():
            party = parties.open_party(player=self.players[leader])
            for number in others:
                parties.join_party(player=self.players[number], code=party.code)
        return party

    def join_together(self, leader: int, *others: int, **asked: Any) -> Ticket:
        """Let players form a party and search."""
        party = self.gather(leader, *others)
        (ticket,) = self.join(leader, party=party, **asked)
        self.tickets.update(dict.fromkeys(others, ticket.pk))
        return ticket

    def teams(self, offer: Offer) -> list[set[int]]:
        """Who is offered to play in which team, by number."""
        numbers = {player.pk: number for number, player in enumerate(self.players)}
        found: dict[int, set[int]] = {}
        rows = offer.tickets.values_list("team", "ticket__members__player")
        for team, player in rows:
            found.setdefault(team, set()).add(numbers[player])
        return [found[team] for team in sorted(found)]

    def beat(self, *numbers: int) -> None:
        with self.at_now():
            for number in numbers:
                lifecycle.beat(self.tickets[number])

    def cancel(self, number: int) -> Ticket:
        with self.at_now():
            return lifecycle.cancel(ticket_id=self.tickets[number])

    def accept(self, number: int, offer_id: int | None = None) -> Offer:
        with self.at_now():
            return offers.accept(ticket_id=self.tickets[number], offer_id=offer_id)

    def decline(self, number: int, offer_id: int | None = None) -> Offer:
        with self.at_now():
            return offers.decline(ticket_id=self.tickets[number], offer_id=offer_id)

    def sweep(self) -> SweepReport:
        with self.at_now():
            return sweep.run_queue(self.queue.pk)

    def ticket(self, number: int) -> Ticket:
        return Ticket.objects.get(pk=self.tickets[number])

    def states(self, *numbers: int) -> list[str]:
        """States of the newest tickets of these players."""
        return [self.ticket(number).state for number in numbers]

    def pairs(self) -> set[frozenset[int]]:
        """Who is offered whom, or was and accepted, by number."""
        numbers = {player.pk: number for number, player in enumerate(self.players)}
        by_offer: dict[int, set[int]] = {}
        rows = OfferTicket.objects.filter(live=True, offer__queue=self.queue)
        for offer, player in rows.values_list("offer", "ticket__members__player"):
            by_offer.setdefault(offer, set()).add(numbers[player])
        return {frozenset(pair) for pair in by_offer.values()}

    def rate(self, values: dict[int, float], track: RatingTrack | None = None, **more: Any) -> None:
        """Give players ratings, as a run would."""
        Rating.objects.bulk_create(
            Rating(
                track=track or self.track,
                player=self.players[number],
                value=value,
                **{**PLAIN, "revision": 1, **more},
            )
            for number, value in values.items()
        )

    def put_into_match(self, *numbers: int, against: int | Sequence[int]) -> Match:
        """Let two players, or two teams, play a match that was arranged elsewhere."""
        others = [against] if isinstance(against, int) else against
        teams = [[self.players[one].pk for one in team] for team in (numbers, others)]
        with self.at_now():
            return start_match(ladder=self.ladder, teams=teams)

    def check(self) -> None:
        """What holds at any moment, between any two transactions."""
        live = Ticket.objects.filter(state__in=(TicketState.WAITING, TicketState.OFFERED))
        members = TicketMember.objects.filter(live=True)
        assert set(live.values_list("pk", flat=True)) == set(
            members.values_list("ticket", flat=True)
        )
        for offer in Offer.objects.prefetch_related("tickets__ticket__members"):
            _check_offer(offer)
        lone = Ticket.objects.filter(state__in=(TicketState.OFFERED, TicketState.MATCHED))
        lone = lone.exclude(partner_requests__state=PartnerState.ACCEPTED)
        assert not lone.exclude(offers__live=True).exists()
        assert not Ticket.objects.filter(state=TicketState.WAITING, offers__live=True).exists()


def _check_offer(offer: Offer) -> None:
    seats = list(offer.tickets.all())
    expected = {
        "pending": {"offered"},
        "accepted": {"matched"},
    }.get(offer.state)
    assert [seat.live for seat in seats] == [expected is not None] * len(seats)
    if expected:
        assert {seat.ticket.state for seat in seats} == expected
    if offer.state == "accepted":
        players = {member.player_id for seat in seats for member in seat.ticket.members.all()}
        assert offer.match is not None
        took_part = offer.match.participants.values_list("player", flat=True)
        assert sorted(took_part) == sorted(players)


def make_hall(
    players: int = 4,
    *,
    mode: str = Mode.RANKED,
    system: str = "",
    team_count: int = 2,
    team_size: int = 1,
    **queue: Any,
) -> Hall:
    """A game with a ladder, a queue of the default settings, and players without ratings.

    The track that is shown is one of Elo, or of TrueSkill where more than two players meet.
    """
    number = Game.objects.count()
    game = Game.objects.create(slug=f"go-{number}", name="Go")
    ladder = Ladder.objects.create(
        game=game,
        slug=game.slug,
        name="Go",
        mode=mode,
        team_count=team_count,
        team_size=team_size,
    )
    shown = mode == Mode.RANKED
    with clock.at(NOON):
        track = create_track(
            ladder=ladder,
            system=system or ("elo" if (team_count, team_size) == (2, 1) else "trueskill"),
            parameters={},
            period_days=None,
            shown=shown,
        )
    made = Queue.objects.create(ladder=ladder, slug=game.slug, name="Go", **queue)
    names = [f"player {n}" for n in range(players)]
    people = Player.objects.bulk_create(
        Player(game=game, external_id=name, name=name, skeleton=name) for name in names
    )
    return Hall(made, ladder, track, people)
