"""What players and workers do in rooms, by challenges, in rounds, and to each other: one call of the product each."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from hypothesis import strategies as st

from challenges import answer, make, meeting, settle
from challenges.make import Wanted
from challenges.models import LIVE, Challenge, ChallengeState
from foundation.refusals import RefusedError
from matchmaking.conduct import note_report
from matchmaking.models import Offer, Round, RoundState, RoundTime
from matchmaking.offers import answer as offers
from matchmaking.rounds import hold
from matchmaking.rounds.join import join_round, leave_round
from matchmaking.tickets import lifecycle as tickets
from moderation.models import ReportKind
from moderation.report import report_player
from people import blocks
from ratings.matches import report
from ratings.matches.decide import confirm_by_server
from ratings.matches.result import Result
from ratings.models import OPEN, Match, MatchState, Player
from rooms import coming, lifecycle, start, tend
from rooms.held import room_of
from rooms.models import Room, RoomMember
from tests.matchmaking.machine.deeds import DEEDS, Deed, ticket_of
from tests.matchmaking.machine.world import PLAYERS, World
from tests.together.world import PAIRS, Gathering

__all__ = ["ACTS", "OWN", "Act", "acts", "known"]

_TEAMS = ("seated", "balanced", "draft", "draft")
_MAPS = ("game", "vote", "veto")
_STARTS = ("host", "full", "ready")
_NAMES = ("River", "Canyon", "Lake")


@dataclass(frozen=True)
class Act(Deed):
    """A deed of this world: `queue` chooses among the newest rooms and challenges, too."""

    def call(self) -> Callable[[Deed, World], None]:
        return ACTS[self.what]


def known(world: World) -> Gathering:
    """The world as this machine made it."""
    assert isinstance(world, Gathering)
    return world


def _room(deed: Deed) -> Room | None:
    live = list(Room.objects.filter(ended_at=None).select_related("host").order_by("-pk")[:3])
    return live[deed.queue % len(live)] if live else None


def _host(deed: Deed, world: World, room: Room) -> Player:
    """Mostly the host, sometimes anybody."""
    return room.host if deed.taste else deed.player(world)


def _open_room(deed: Deed, world: World) -> None:
    queue = deed.place(world)
    has_maps = deed.queue % len(world.queues) == PAIRS
    settings = {
        "name": "Room",
        "team_choice": _TEAMS[deed.taste % 4],
        "map_choice": _MAPS[(deed.other // 3 + deed.who) % 3] if has_maps else "game",
        "start_rule": _STARTS[deed.other % 3],
    }
    room = lifecycle.open_room(player=deed.player(world), ladder=queue.ladder, settings=settings)
    known(world).sat.add((room.pk, deed.player(world).pk))


def _join_room(deed: Deed, world: World) -> None:
    if (room := _room(deed)) is not None:
        seat = deed.taste or None
        coming.join(room_id=room.pk, player=deed.player(world), seat=seat)
        known(world).sat.add((room.pk, deed.player(world).pk))


def _watch_room(deed: Deed, world: World) -> None:
    if (room := _room(deed)) is not None:
        coming.watch(room_id=room.pk, player=deed.player(world))


def _leave_room(deed: Deed, world: World) -> None:
    if (room := _room(deed)) is not None:
        lifecycle.leave(room_id=room.pk, player=deed.player(world))


def _remove(deed: Deed, world: World) -> None:
    if (room := _room(deed)) is not None:
        other = deed.second(world)
        lifecycle.remove(room_id=room.pk, by=_host(deed, world, room), player=other.pk)
        known(world).removed.add((room.pk, other.pk))


def _hand_over(deed: Deed, world: World) -> None:
    if (room := _room(deed)) is not None:
        by = _host(deed, world, room)
        lifecycle.hand_over(room_id=room.pk, by=by, to=deed.second(world).pk)


def _close(deed: Deed, world: World) -> None:
    if (room := _room(deed)) is not None:
        lifecycle.close_room(room_id=room.pk, by=deed.player(world))


def _change(deed: Deed, world: World) -> None:
    if (room := _room(deed)) is not None:
        settings = {"name": room.name, "start_rule": _STARTS[deed.other % 3]}
        by = _host(deed, world, room)
        lifecycle.change_settings(room_id=room.pk, by=by, settings=settings)


def _sit(deed: Deed, world: World) -> None:
    if (room := _room(deed)) is not None:
        lifecycle.sit_at(room_id=room.pk, player=deed.player(world), seat=deed.taste)


def _all_ready(deed: Deed, world: World) -> None:
    """Each in turn; with the last one the match may begin."""
    if (room := _room(deed)) is not None:
        here = RoomMember.objects.filter(room=room, live=True, seat__isnull=False)
        for one in here.select_related("player").order_by("seat"):
            lifecycle.set_ready(room_id=room.pk, player=one.player, is_ready=True)


def _vote(deed: Deed, world: World) -> None:
    if (room := _room(deed)) is not None:
        name = _NAMES[deed.taste % 3]
        lifecycle.vote_for(room_id=room.pk, player=deed.player(world), map_name=name)


def _start(deed: Deed, world: World) -> None:
    if (room := _room(deed)) is not None:
        start.start(room_id=room.pk, by=_host(deed, world, room))


def _take_turn(deed: Deed, world: World) -> None:
    """Whoever's turn it is picks, or strikes out; sometimes somebody else tries to."""
    room = _room(deed)
    if room is None:
        return
    seated = list(RoomMember.objects.filter(room=room, live=True, seat__isnull=False))
    turn = start.whose_turn(room, sorted(seated, key=lambda one: one.seat or 0))
    by = next((one for one in world.players if one.pk == turn), deed.player(world))
    if deed.taste == 0:
        by = deed.player(world)
    if room.state == "starting":
        left = [name for name in _NAMES if name not in room.struck]
        name = left[deed.other % len(left)]
        start.strike(room_id=room.pk, by=by, map_name=name)
    else:
        free = [one.player_id for one in seated if one.team is None]
        wanted = free[deed.other % len(free)] if free else deed.second(world).pk
        start.pick(room_id=room.pk, by=by, player=wanted)


def _look(deed: Deed, world: World) -> None:
    tend.beat(deed.player(world).pk)
    meeting.note_seen([deed.player(world).pk])


def _challenge(deed: Deed, world: World) -> None:
    wanted = Wanted(ladder=world.queues[deed.queue % 2].ladder, rated=bool(deed.taste))
    make.challenge(player=deed.player(world), other=deed.second(world), wanted=wanted)


def _appointment(deed: Deed, world: World) -> None:
    at = world.now + timedelta(minutes=11 + deed.taste)
    wanted = Wanted(ladder=world.queues[deed.queue % 2].ladder, at=at)
    make.challenge(player=deed.player(world), other=deed.second(world), wanted=wanted)


def _link(deed: Deed, world: World) -> None:
    wanted = Wanted(ladder=world.queues[deed.queue % 2].ladder, rated=False)
    make.open_link(player=deed.player(world), wanted=wanted)


def _rematch(deed: Deed, world: World) -> None:
    own = Match.objects.filter(participants__player=deed.player(world), state=MatchState.CONFIRMED)
    if (match := own.order_by("-pk").first()) is not None:
        make.rematch(player=deed.player(world), match_id=match.pk)


def _found(deed: Deed, *states: str) -> Challenge | None:
    found = list(Challenge.objects.filter(state__in=states).order_by("-pk")[:3])
    return found[deed.queue % len(found)] if found else None


def _of_two(deed: Deed, world: World, player: int | None) -> Player:
    """Mostly this player, sometimes anybody."""
    meant = next((one for one in world.players if one.pk == player), None)
    return meant if meant is not None and deed.taste else deed.player(world)


def _note_begun(world: World, challenge: Challenge) -> None:
    if challenge.match_id is not None:
        known(world).begun.add((challenge.pk, challenge.match_id))


def _accept_challenge(deed: Deed, world: World) -> None:
    if (found := _found(deed, ChallengeState.OPEN)) is not None:
        player = _of_two(deed, world, found.challenged_id)
        if found.code is not None:
            _note_begun(world, answer.take(code=found.code, player=player))
        else:
            _note_begun(world, answer.accept(challenge_id=found.pk, player=player))


def _decline_challenge(deed: Deed, world: World) -> None:
    if (found := _found(deed, *LIVE)) is not None:
        player = _of_two(deed, world, found.challenged_id)
        answer.decline(challenge_id=found.pk, player=player)


def _withdraw(deed: Deed, world: World) -> None:
    if (found := _found(deed, *LIVE)) is not None:
        player = _of_two(deed, world, found.challenger_id)
        answer.withdraw(challenge_id=found.pk, player=player)


def _cancel(deed: Deed, world: World) -> None:
    if (found := _found(deed, *LIVE)) is not None:
        player = _of_two(deed, world, found.challenger_id)
        answer.cancel(challenge_id=found.pk, player=player)


def _here(deed: Deed, world: World) -> None:
    if (found := _found(deed, ChallengeState.ACCEPTED)) is not None:
        two = (found.challenger_id, found.challenged_id)
        player = _of_two(deed, world, two[deed.other % 2])
        _note_begun(world, meeting.say_here(challenge_id=found.pk, player=player))


def _plan_round(deed: Deed, world: World) -> None:
    """A round of a queue in some minutes, where none is to come so soon."""
    soon = Round.objects.filter(queue=deed.place(world), state=RoundState.ANNOUNCED)
    if not soon.filter(starts_at__lte=world.now + timedelta(hours=1)).exists():
        at = (world.now + timedelta(minutes=2 + deed.taste)).replace(second=0, microsecond=0)
        RoundTime.objects.create(queue=deed.place(world), at=at.time(), zone="UTC")
        hold.announce_rounds()


def _next_round(deed: Deed, world: World) -> Round | None:
    announced = Round.objects.filter(state=RoundState.ANNOUNCED, starts_at__gt=world.now)
    return announced.order_by("starts_at", "pk").first()


def _join_round(deed: Deed, world: World) -> None:
    if (found := _next_round(deed, world)) is not None:
        join_round(round_id=found.pk, player=deed.player(world))


def _leave_round(deed: Deed, world: World) -> None:
    if (found := _next_round(deed, world)) is not None:
        leave_round(round_id=found.pk, player=deed.player(world))


def _hold_rounds(_deed: Deed, _world: World) -> None:
    hold.announce_rounds()
    hold.remind()
    hold.hold_due_rounds()


def _decline_offer(deed: Deed, world: World) -> None:
    """By the player alone, who is charged for it."""
    player = deed.player(world).pk
    if (ticket := ticket_of(deed.player(world))) is not None:
        offer: Offer = offers.decline(ticket_id=ticket, player=player)
        world.cancelled.add(ticket)
        if offer.tickets.filter(ticket=ticket, declined_at__isnull=False).exists():
            known(world).declined.add((offer.pk, ticket))


def _block(deed: Deed, world: World) -> None:
    if deed.who != deed.other:
        blocks.block(player=deed.player(world), other=deed.second(world))


def _unblock(deed: Deed, world: World) -> None:
    blocks.unblock(player=deed.player(world), other_id=deed.second(world).pk)


def _report_player(deed: Deed, world: World) -> None:
    report_player(
        reporter=deed.player(world),
        reported=deed.second(world),
        kind=ReportKind.OTHER,
        text="Insults.",
    )


def _count_report(deed: Deed, world: World) -> None:
    note_report(deed.second(world), deed.player(world), None)


def _leave_match(deed: Deed, world: World) -> None:
    own = Match.objects.filter(participants__player=deed.player(world), participants__playing=True)
    if (match := own.first()) is not None:
        report.leave(match_id=match.pk, player_id=deed.player(world).pk)


def _leave_everything(deed: Deed, world: World) -> None:
    """End what one searches, plays and sits in, in no way that is held against anybody."""
    player = deed.player(world)
    if (ticket := ticket_of(player)) is not None:
        with suppress(RefusedError):
            tickets.cancel(ticket_id=ticket)
    for match in Match.objects.filter(state__in=OPEN, participants__player=player):
        teams = set(match.participants.values_list("team", flat=True))
        confirm_by_server(match_id=match.pk, result=Result(ranks=tuple(range(len(teams)))))
    if (room := room_of(player.pk)) is not None:
        lifecycle.leave(room_id=room.pk, player=player)


def _tend(_deed: Deed, _world: World) -> None:
    tend.tend_rooms()


def _settle_challenges(_deed: Deed, _world: World) -> None:
    with suppress(Challenge.DoesNotExist):
        settle.settle()


OWN: Mapping[str, Callable[[Deed, World], None]] = {
    "open a room": _open_room,
    "join a room": _join_room,
    "watch a room": _watch_room,
    "leave the room": _leave_room,
    "remove from the room": _remove,
    "hand the room over": _hand_over,
    "close the room": _close,
    "change the room": _change,
    "sit elsewhere": _sit,
    "all say ready": _all_ready,
    "vote": _vote,
    "start the room": _start,
    "pick or strike out": _take_turn,
    "look": _look,
    "challenge": _challenge,
    "propose an appointment": _appointment,
    "make a link": _link,
    "ask for a rematch": _rematch,
    "accept a challenge": _accept_challenge,
    "decline a challenge": _decline_challenge,
    "withdraw a challenge": _withdraw,
    "call a challenge off": _cancel,
    "say one is there": _here,
    "plan a round": _plan_round,
    "join a round": _join_round,
    "leave a round": _leave_round,
    "hold rounds": _hold_rounds,
    "decline an offer": _decline_offer,
    "block": _block,
    "unblock": _unblock,
    "report a player": _report_player,
    "count a report": _count_report,
    "leave the match": _leave_match,
    "leave everything": _leave_everything,
    "tend rooms": _tend,
    "settle challenges": _settle_challenges,
}
ACTS: Mapping[str, Callable[[Deed, World], None]] = {**DEEDS, **OWN}
# What begins something, or ends it, and so meets what others do.
_OFTEN = (
    "join a room",
    "join a room",
    "start the room",
    "pick or strike out",
    "accept a challenge",
    "accept a challenge",
    "say one is there",
    "settle challenges",
    "tend rooms",
    "hold rounds",
    "search",
    "sweep",
    "accept",
    "offend",
    "count a report",
)


def acts(*, often: bool = False) -> st.SearchStrategy[Act]:
    """Anything that only this world knows; with `often`, mostly what meets something else."""
    numbers, few = st.integers(0, PLAYERS - 1), st.integers(0, 3)
    kinds = st.sampled_from(_OFTEN if often else tuple(OWN))
    return st.builds(Act, what=kinds, who=numbers, other=numbers, queue=few, taste=few)
