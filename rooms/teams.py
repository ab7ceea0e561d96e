"""Who plays with whom: as seated, balanced by the engine of queues, or picked; and which team plays which side.

On normal ladders nothing tells a rating: captains, their order and sides are drawn by lot there, and teams are not
balanced: among three of known strength, as often as a host likes, the fourth's would show.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from matchmaking.models import PartyMember
from matchmaking.pairing.maps_and_sides.lots import draw_lots
from matchmaking.pairing.maps_and_sides.sides import assign_sides
from matchmaking.pairing.matches import ProposedMatches
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.teams.division import Divider
from matchmaking.pairing.tickets import Members, Tickets, strengths
from matchmaking.sweep.pairing_context import PairingContext
from ratings.systems.arrays import Floats
from rooms.filters.travellers import read_travellers, scales_of
from rooms.held import HeldRoom
from rooms.models import RoomMember, TeamChoice
from rooms.places import Place

__all__ = ["APART", "Sided", "balanced", "by_strength", "draft_order", "line_up"]

APART = 1_000_003  # keeps the lots of rooms apart


@dataclass(frozen=True, slots=True)
class Sided:
    """Teams in the order of their sides, as players' ids; `neutral`: nobody plays the better side."""

    teams: list[list[int]]
    neutral: bool


def line_up(held: HeldRoom, place: Place, map_name: str) -> Sided:
    """The teams of a room that is full, on this map, empty for none; sides by the engine's rule."""
    room, seated = held.room, held.seated
    plan = _plan(place, map_name)
    players = [one.player_id for one in seated]
    rating, deviation = _strengths(place, players)
    if room.team_choice == TeamChoice.BALANCED and room.team_size > 1 and place.shows_ratings:
        groups = balanced(plan, _tickets(seated, rating, deviation, plan, _parties(players)))
        team_of = {pk: number for number, team in enumerate(groups) for pk in team}
    elif room.team_choice == TeamChoice.DRAFT and room.team_size > 1:
        team_of = {one.player_id: one.team or 0 for one in seated}
    else:
        team_of = {one.player_id: (one.seat or 0) // room.team_size for one in seated}
    tickets = _tickets(seated, rating, deviation, plan, {})
    return _sided(plan, tickets, [team_of[pk] for pk in players], room.pk)


def balanced(plan: Plan, tickets: Tickets) -> list[list[int]]:
    """The most even teams of these tickets, as players' ids; parties stay together where they can."""
    (division,) = Divider(tickets, plan).divide([range(len(tickets))])
    if (
        division is None
    ):  # parties that fit into no teams: everybody alone, and every role is anybody's
        alone = _alone(tickets)
        settings = replace(plan.settings, teams=replace(plan.settings.teams, roles=""))
        (division,) = Divider(alone, replace(plan, settings=settings)).divide([range(len(alone))])
        tickets = alone
    teams: list[list[int]] = [[] for _ in range(plan.team_count)]
    starts = tickets.members.starts
    for ticket, team in sorted((division or {}).items()):
        teams[team] += tickets.members.player[starts[ticket] : starts[ticket + 1]].tolist()
    return teams


def by_strength(held: HeldRoom, place: Place) -> list[int]:
    """Players of a room, the strongest first; on normal ladders in an order that a lot draws."""
    players = [one.player_id for one in held.seated]
    if not place.shows_ratings:
        lots = draw_lots(np.array(players, dtype=np.int64) + held.room.pk * APART)
        return [players[at] for at in np.argsort(lots).tolist()]
    rating, _deviation = _strengths(place, players)
    return sorted(players, key=lambda pk: (-rating[players.index(pk)], pk))


def draft_order(captains: Sequence[int], picks: int) -> list[int]:
    """Whose turn each pick is: there and back again, so that whoever picks first picks twice in the middle.

    captains  the weakest first
    """
    order: list[int] = []
    forward = True
    while len(order) < picks:
        order += captains if forward else captains[::-1]
        forward = not forward
    return order[:picks]


def _plan(place: Place, map_name: str) -> Plan:
    """How the ladder's queue makes matches, on one map."""
    plan = PairingContext.of(place.queue).plan
    own = [one for one in plan.settings.game_maps if one.name == map_name]
    text = ""
    if own:
        worth = own[0].advantage
        text = own[0].name if worth is None else f"{own[0].name} {worth:+.3f}"
    settings = replace(plan.settings, maps=replace(plan.settings.maps, names=text))
    return replace(plan, settings=settings)


def _strengths(place: Place, players: Sequence[int]) -> tuple[Floats, Floats]:
    scale = scales_of([place], with_hidden=True)[place.ladder.pk]
    found = read_travellers(place, scale, players)
    return (
        np.array([found[pk].rating for pk in players]),
        np.array([found[pk].deviation for pk in players]),
    )


def _parties(players: Sequence[int]) -> dict[int, int]:
    """The live party of each of these that is in one. One query."""
    rows = PartyMember.objects.filter(player__in=players, live=True)
    return dict(rows.values_list("player", "party"))


def _tickets(
    seated: Sequence[RoomMember],
    rating: Floats,
    deviation: Floats,
    plan: Plan,
    parties: dict[int, int],
) -> Tickets:
    """One ticket each, or of a party that came together."""
    groups: dict[tuple[int, int], list[int]] = {}
    for at, one in enumerate(seated):
        party = parties.get(one.player_id)
        key = (0, party) if party is not None else (1, one.player_id)
        groups.setdefault(key, []).append(at)
    rows, ticket = [], []
    for number, (key, places) in enumerate(groups.items()):
        if len(places) > plan.team_size and key[0] == 0:
            return _tickets(seated, rating, deviation, plan, {})
        rows += places
        ticket += [number] * len(places)
    order = np.array(rows, dtype=np.int64)
    members = Members(
        ticket=np.array(ticket, dtype=np.int64),
        player=np.array([seated[at].player_id for at in rows], dtype=np.int64),
        rating=rating[order],
        deviation=deviation[order],
        roles=np.zeros(len(rows), dtype=np.int64),
    )
    return _of_members(members, plan.settings.teams.party_bonus)


def _alone(tickets: Tickets) -> Tickets:
    its = tickets.members
    return _of_members(Members.alone(its.player, its.rating, its.deviation), 0.0)


def _of_members(members: Members, bonus: float) -> Tickets:
    value, spread = strengths(members, bonus)
    first = members.starts[:-1]
    return Tickets(
        id=members.player[first],
        player=members.player[first],
        rating=value,
        deviation=spread,
        waited=np.zeros(len(first)),
        members=members,
    )


def _sided(plan: Plan, tickets: Tickets, team_of: Sequence[int], room: int) -> Sided:
    """The engine's sides: of two teams the weaker plays the better one, else a lot decides."""
    # By the room, too: the same players in the same teams do not always play the same side.
    tickets = replace(tickets, id=tickets.id + room * APART)
    rows = np.lexsort((np.arange(len(team_of)), np.array(team_of)))
    number = len(plan.settings.game_maps) - 1  # the only map, or none
    proposed = ProposedMatches(
        match=np.zeros(len(rows), dtype=np.int64),
        ticket=rows,
        team=np.array(team_of, dtype=np.int64)[rows],
        gap=np.zeros(1),
        cost=np.zeros(1),
        chance=np.full(1, np.nan),
        map=np.full(1, number, dtype=np.int64),
        left=np.array([], dtype=np.int64),
    )
    sided = assign_sides(proposed, tickets, plan)
    teams: list[list[int]] = [[] for _ in range(plan.team_count)]
    for at, team in zip(sided.ticket.tolist(), sided.team.tolist(), strict=True):
        teams[team].append(int(tickets.player[at]))
    advantage = [one.advantage for one in plan.settings.game_maps]
    neutral = plan.team_count != 2 or (bool(advantage) and advantage[0] == 0)
    return Sided(teams, neutral)
