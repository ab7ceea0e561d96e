"""Groups at the same moment, by real processes that are killed, too: one owner who is in it, and no member too many."""

import random
import signal
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from foundation.refusals import RefusedError
from groups import draw, lifecycle, membership
from groups.models import DrawWish, Group, GroupRules, Membership
from ratings.models import Player
from tests.at_once import at_once
from tests.forms import often
from tests.groups.test_groups import code_of, made
from tests.matchmaking.hall import make_hall
from tests.processes import killed_behind, running

pytestmark = pytest.mark.django_db(transaction=True)


def check_groups() -> None:
    """What holds at any moment, between any two transactions."""
    for group in Group.objects.prefetch_related("members"):
        here = [one.player_id for one in group.members.all()]
        assert group.owner_id in here, "one owner, who is a member"
        assert len(here) == len(set(here)) <= group.most, "nobody twice, and none too many"


def test_so_many_join_as_there_are_places() -> None:
    for _ in range(often(2, 20)):
        hall = make_hall(12)
        group = made(hall, access="open", most=4)

        def joining(number: int, hall: Any = hall, group: Any = group) -> Callable[[], str]:
            return lambda: code_of(membership.join, group_id=group.pk, player=hall.players[number])

        codes = Counter(at_once([joining(number) for number in [*range(1, 12), 1]]))
        assert codes["group_full"] in (8, 9)
        assert Membership.objects.filter(group=group).count() == 4
        check_groups()


def test_the_owner_leaves_while_handing_over_and_others_go() -> None:
    for _ in range(often(3, 30)):
        hall = make_hall(4)
        group = made(hall, access="open")
        for player in hall.players[1:]:
            membership.join(group_id=group.pk, player=player)
        anna, bernd, carla, dora = hall.players
        given: dict[str, Any] = {"group_id": group.pk}
        at_once(
            [
                partial(code_of, membership.leave, **given, player=anna),
                partial(code_of, lifecycle.hand_over, **given, to=bernd.pk, by=anna),
                partial(code_of, membership.leave, **given, player=bernd),
                partial(code_of, membership.remove, **given, player_id=carla.pk, by=anna),
                partial(code_of, lifecycle.change, **given, by=anna, settings={"most": 2}),
            ]
        )
        check_groups()
        assert dora.pk in Membership.objects.values_list("player", flat=True)


def test_two_draws_at_once_draw_once() -> None:
    for _ in range(often(2, 20)):
        hall = make_hall(9)
        GroupRules.objects.create(game=hall.ladder.game, draw_size=3)
        for player in hall.players:
            draw.want(player=player)
        assert sum(at_once([draw.draw_due] * 4)) == 3
        assert Membership.objects.values("player").distinct().count() == 9, "each drawn once"
        assert not DrawWish.objects.exists()
        check_groups()
        Group.objects.all().delete()
        GroupRules.objects.all().delete()


def acting(seed: int, statements: int) -> None:
    """Do anything in groups, and be killed behind so many statements."""
    luck = random.Random(seed)
    with killed_behind(statements):
        while True:
            act(luck)


def act(luck: random.Random) -> None:
    """One thing by one player, whatever the rules say to it."""
    player, other = luck.sample(list(Player.objects.select_related("game")), 2)
    group = luck.choice([*Group.objects.select_related("owner"), None])
    pk, owner = (group.pk, group.owner) if group else (0, player)
    settings = {"name": "Evenings", "access": "open", "most": luck.randint(2, 4)}
    acts: list[Callable[[], object]] = [
        lambda: lifecycle.make(player=player, settings=settings),
        *[lambda: membership.join(group_id=pk, player=player)] * 4,
        lambda: membership.leave(group_id=pk, player=player),
        lambda: membership.leave(group_id=pk, player=owner),
        lambda: membership.remove(group_id=pk, player_id=other.pk, by=owner),
        lambda: lifecycle.hand_over(group_id=pk, to=other.pk, by=owner),
        lambda: lifecycle.change(group_id=pk, by=owner, settings=settings),
        lambda: membership.invite(group_id=pk, player_id=other.pk, by=owner),
        lambda: draw.want(player=player),
        draw.draw_due,
    ]
    GroupRules.objects.update(drawn_at=None)
    with suppress(RefusedError):
        luck.choice(acts)()


def test_promises_hold_whenever_a_process_is_killed() -> None:
    hall = make_hall(8)
    GroupRules.objects.create(game=hall.ladder.game, draw_size=3, most_groups=100)
    luck, seen = random.Random(1), 0
    for seed in range(often(10, 40)):
        with running(acting, seed, luck.randint(5, 200)) as process:
            assert process.wait() == -signal.SIGKILL
        check_groups()
        seen += Membership.objects.count()
    assert seen > 0
    act(random.Random(2))
    check_groups()
