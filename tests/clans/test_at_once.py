"""Clans at the same moment, by real processes that are killed, too: one leader who is in it, one clan a player, and
time and tags that agree with who is in it.
"""

import random
import signal
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from clans import invitations, lifecycle, membership
from clans.models import Clan, Membership, Span
from foundation.refusals import RefusedError
from ratings.models import Player
from tests.at_once import at_once
from tests.clans.making import code_of, founded, joined
from tests.forms import often
from tests.matchmaking.hall import make_hall
from tests.processes import killed_behind, running

pytestmark = pytest.mark.django_db(transaction=True)


def check_clans() -> None:
    """What holds at any moment, between any two transactions."""
    tags = dict.fromkeys(Player.objects.values_list("pk", flat=True), "")
    for clan in Clan.objects.prefetch_related("members"):
        here = [one.player_id for one in clan.members.all()]
        assert (clan.leader_id in here) != clan.is_over, (
            "one leader, who is a member, until it ends"
        )
        assert len(here) == len(set(here)) <= clan.most, "nobody twice, and none too many"
        tags.update(dict.fromkeys(here, clan.tag))
    assert dict(Player.objects.values_list("pk", "clan_tag")) == tags, "tags of members alone"
    present = Span.objects.filter(until=None).values_list("clan", "player", "pk")
    rows = Membership.objects.values_list("clan", "player", "span")
    assert sorted(present) == sorted(rows), "time goes on for members alone"


def test_so_many_join_as_there_are_places() -> None:
    for _ in range(often(2, 20)):
        hall = make_hall(12)
        clan = founded(hall, access="open", most=4)

        def joining(number: int, hall: Any = hall, clan: Any = clan) -> Callable[[], str]:
            return lambda: code_of(membership.join, clan_id=clan.pk, player=hall.players[number])

        codes = Counter(at_once([joining(number) for number in [*range(1, 12), 1]]))
        assert codes["clan_full"] in (8, 9)
        assert Membership.objects.filter(clan=clan).count() == 4
        check_clans()


def test_a_player_who_is_wanted_by_many_comes_into_one() -> None:
    for _ in range(often(2, 20)):
        hall = make_hall(5)
        wanted, *leaders = hall.players
        clans = [
            founded(hall, number, name=f"Clan {number}", tag=f"C{number}X", access="apply")
            for number in range(1, 5)
        ]
        for clan in clans:
            membership.apply(clan_id=clan.pk, player=wanted)
        calls = [
            partial(code_of, membership.accept, clan_id=clan.pk, player_id=wanted.pk, by=leader)
            for clan, leader in zip(clans, leaders, strict=True)
        ]
        assert Counter(at_once(calls))[""] == 1
        assert Membership.objects.filter(player=wanted).count() == 1
        check_clans()


def test_no_two_found_the_same_clan() -> None:
    hall = make_hall(6)
    settings = {"name": "Wolves", "tag": "WLF"}
    calls = [
        partial(code_of, lifecycle.found, player=player, settings=settings)
        for player in hall.players
    ]
    assert Counter(at_once(calls)) == {"": 1, "clan_text_taken": 5}
    check_clans()


def test_the_leader_leaves_while_handing_over_and_others_go() -> None:
    for _ in range(often(3, 30)):
        hall = make_hall(5)
        clan = founded(hall, access="open")
        joined(hall, clan, 1, 2, 3)
        anna, bernd, carla, _dora, emil = hall.players
        given: dict[str, Any] = {"clan_id": clan.pk}
        at_once(
            [
                partial(code_of, membership.leave, **given, player=anna),
                partial(code_of, lifecycle.hand_over, **given, to=bernd.pk, by=anna),
                partial(code_of, membership.leave, **given, player=bernd),
                partial(code_of, membership.remove, **given, player_id=carla.pk, by=anna),
                partial(code_of, lifecycle.change, **given, by=anna, settings={"tag": "PCK"}),
                partial(code_of, lifecycle.dissolve, **given, by=anna),
                partial(code_of, membership.join, **given, player=emil),
            ]
        )
        check_clans()


def acting(seed: int, statements: int) -> None:
    """Do anything in clans, and be killed behind so many statements."""
    luck = random.Random(seed)
    with killed_behind(statements):
        while True:
            act(luck)


def act(luck: random.Random) -> None:
    """One thing by one player, whatever the rules say to it."""
    player, other = luck.sample(list(Player.objects.select_related("game")), 2)
    clan = luck.choice([*Clan.objects.filter(ended_at=None).select_related("leader"), None])
    pk, leader = (clan.pk, clan.leader or player) if clan else (0, player)
    tag = f"C{luck.randint(10, 99)}"
    settings = {"name": f"Clan {tag}", "tag": tag, "access": "open", "most": luck.randint(2, 4)}
    acts: list[Callable[[], object]] = [
        lambda: lifecycle.found(player=player, settings=settings),
        *[lambda: membership.join(clan_id=pk, player=player)] * 4,
        lambda: membership.leave(clan_id=pk, player=player),
        lambda: membership.leave(clan_id=pk, player=leader),
        lambda: membership.remove(clan_id=pk, player_id=other.pk, by=leader),
        lambda: lifecycle.hand_over(clan_id=pk, to=other.pk, by=leader),
        lambda: lifecycle.change(clan_id=pk, by=leader, settings=settings),
        lambda: lifecycle.dissolve(clan_id=pk, by=leader),
        lambda: invitations.invite(clan_id=pk, player_id=other.pk, by=leader),
    ]
    with suppress(RefusedError):
        luck.choice(acts)()


def test_promises_hold_whenever_a_process_is_killed() -> None:
    make_hall(8)
    luck, seen = random.Random(1), 0
    for seed in range(often(10, 40)):
        with running(acting, seed, luck.randint(5, 200)) as process:
            assert process.wait() == -signal.SIGKILL
        check_clans()
        seen += Membership.objects.count()
    assert seen > 0
    act(random.Random(2))
    check_clans()
