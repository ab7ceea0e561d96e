"""What players, operators and workers do: one call of the product each. What the rules refuse is part of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hypothesis import strategies as st

from foundation.postgresql.transactions import briefly
from foundation.refusals import RefusedError
from matchmaking import avoid_list
from matchmaking.conduct import absences, confirm_bad_manners, leaving, take_back
from matchmaking.models import Offence, Party, Queue, Teller, Ticket, TicketMember, TicketState
from matchmaking.offers import answer as offers
from matchmaking.parties import lifecycle as parties
from matchmaking.parties.membership import party_of
from matchmaking.playing import current_match
from matchmaking.refusals import AlreadyMatchedError
from matchmaking.sweep import run as sweep
from matchmaking.tickets import lifecycle
from ratings.matches import report
from ratings.matches.deadlines import settle_due
from ratings.models import Match, Outcome, Player
from ratings.tasks import rate_due_tracks
from tests.matchmaking.machine.disturbing import ended_by_server
from tests.matchmaking.machine.world import PLAYERS, World

__all__ = ["DEEDS", "PARTIES", "SWEEP", "Deed", "deeds", "ticket_of"]

SWEEP = "sweep"
_LANGUAGES = ((), ("de",), ("en",), ("de", "en"))


@dataclass(frozen=True)
class Deed:
    """`what` is done, by player `who`, perhaps with `other`, in queue number `queue`; `taste` chooses further."""

    what: str
    who: int = 0
    other: int = 0
    queue: int = 0
    taste: int = 0

    def do(self, world: World) -> str:
        """Do it now; returns why it was refused, or nothing. What nobody expects is noted, and goes on its way."""
        with world.at_now():
            try:
                self.call()(self, world)
            except RefusedError as refusal:
                return refusal.code
            except Exception as error:
                if not ended_by_server(error):
                    world.note(f"{self}: {type(error).__name__}: {error}")
                raise
        return ""

    def call(self) -> Callable[["Deed", World], None]:
        return DEEDS[self.what]

    def player(self, world: World) -> Player:
        return world.players[self.who]

    def second(self, world: World) -> Player:
        return world.players[self.other]

    def place(self, world: World) -> Queue:
        return world.queues[self.queue % len(world.queues)]


def ticket_of(player: Player) -> int | None:
    """The newest ticket of a player."""
    tickets = TicketMember.objects.filter(player=player).order_by("-pk")
    return tickets.values_list("ticket", flat=True).first()


def _search(deed: Deed, world: World) -> None:
    preferences = {"languages": _LANGUAGES[deed.taste % len(_LANGUAGES)]}
    _note(
        lifecycle.join(queue=deed.place(world), player=deed.player(world), preferences=preferences),
        world,
    )


def _search_together(deed: Deed, world: World) -> None:
    if (party := party_of(deed.player(world).pk)) is not None:
        leader = next(one for one in world.players if one.pk == party.leader_id)
        asking = deed.player(world) if deed.taste % 4 == 0 else leader
        _note(lifecycle.join(queue=deed.place(world), player=asking, party=party), world)


def _note(ticket: Ticket, world: World) -> None:
    world.began[ticket.pk] = ticket.waiting_since


def _leave(deed: Deed, world: World) -> None:
    if (ticket := ticket_of(deed.player(world))) is not None:
        try:
            ended = lifecycle.cancel(ticket_id=ticket, declines=True, player=deed.player(world).pk)
            if ended.state == TicketState.CANCELLED:
                world.cancelled.add(ticket)
        except AlreadyMatchedError:
            world.matched.add(ticket)
            raise


def _accept(deed: Deed, world: World) -> None:
    ticket = ticket_of(deed.player(world))
    if ticket is not None and offers.accept(ticket_id=ticket).match_id is not None:
        world.matched.add(ticket)


def _decline(deed: Deed, world: World) -> None:
    if (ticket := ticket_of(deed.player(world))) is not None:
        offers.decline(ticket_id=ticket)
        world.cancelled.add(ticket)


def _beat(deed: Deed, world: World) -> None:
    if (ticket := ticket_of(deed.player(world))) is not None:
        lifecycle.beat(ticket)


def _sweep(deed: Deed, world: World) -> None:
    sweep.run_queue(deed.place(world).pk)


def _open(deed: Deed, world: World) -> None:
    parties.open_party(player=deed.player(world))


def _enter(deed: Deed, world: World) -> None:
    if (party := party_of(deed.second(world).pk)) is not None:
        parties.join_party(player=deed.player(world), code=party.code)


def _go(deed: Deed, world: World) -> None:
    if (party := _party(deed, world)) is not None:
        parties.leave_party(party_id=party.pk, player=deed.player(world), declines=True)


def _remove(deed: Deed, world: World) -> None:
    if (party := _party(deed, world)) is not None:
        member, by = deed.second(world).pk, deed.player(world).pk
        parties.remove_member(party_id=party.pk, member=member, by=by)


def _hand_over(deed: Deed, world: World) -> None:
    if (party := _party(deed, world)) is not None:
        to, by = deed.second(world).pk, deed.player(world).pk
        parties.hand_over(party_id=party.pk, to=to, by=by)


def _dissolve(deed: Deed, world: World) -> None:
    if (party := _party(deed, world)) is not None:
        parties.dissolve(party_id=party.pk, by=world.operator, note="")


def _party(deed: Deed, world: World) -> Party | None:
    return party_of(deed.player(world).pk)


def _avoid(deed: Deed, world: World) -> None:
    avoid_list.avoid(player=deed.player(world), other=deed.second(world))


def _report(deed: Deed, world: World) -> None:
    if (match := current_match(deed.player(world).pk)) is not None:
        outcome = list(Outcome)[deed.taste % len(Outcome)]
        report.report(match_id=match.pk, player_id=deed.player(world).pk, outcome=outcome)


def _offend(deed: Deed, world: World) -> None:
    points = (0.3, 0.8, 1.2, 3.0)[deed.taste % 4]
    confirm_bad_manners(deed.player(world), None, None, "Insults.", points)


def _take_back(deed: Deed, world: World) -> None:
    own = Offence.objects.filter(player=deed.player(world)).order_by("-pk")
    if (offence := own.first()) is not None:
        take_back(offence, None, "Not so.")


def _go_away(deed: Deed, world: World) -> None:
    if (match := current_match(deed.player(world).pk)) is not None:
        teller = list(Teller)[deed.taste % 2]
        act = absences.away if deed.taste < 2 else absences.back
        act(match_id=match.pk, player_id=deed.player(world).pk, by=teller)


def _judge(deed: Deed, world: World) -> None:
    leaving.judge_absences()
    with briefly() as now:
        leaving.judge(list(Match.objects.order_by("pk").values_list("pk", flat=True)), now)


def _settle(deed: Deed, world: World) -> None:
    settle_due()


def _rate(deed: Deed, world: World) -> None:
    rate_due_tracks()


DEEDS: Mapping[str, Callable[[Deed, World], None]] = {
    "search": _search,
    "search together": _search_together,
    "leave": _leave,
    "accept": _accept,
    "decline": _decline,
    "beat": _beat,
    SWEEP: _sweep,
    "open a party": _open,
    "enter a party": _enter,
    "leave the party": _go,
    "remove from the party": _remove,
    "hand the party over": _hand_over,
    "dissolve the party": _dissolve,
    "avoid": _avoid,
    "report": _report,
    "offend": _offend,
    "take back": _take_back,
    "go away, or come back": _go_away,
    "judge": _judge,
    "settle": _settle,
    "rate": _rate,
}
PARTIES = tuple(what for what in DEEDS if "party" in what)
# What is killed or met by another on its way: mostly what writes much.
_OFTEN = (SWEEP, SWEEP, SWEEP, "accept", "accept", "leave", "search together")


def deeds(*, often: bool = False) -> st.SearchStrategy[Deed]:
    """Anything; with `often`, what writes much more often than the rest."""
    numbers, few = st.integers(0, PLAYERS - 1), st.integers(0, 3)
    kinds = st.sampled_from([*DEEDS, *(_OFTEN * 2 if often else ())])
    return st.builds(Deed, what=kinds, who=numbers, other=numbers, queue=few, taste=few)
