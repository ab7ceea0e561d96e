"""Random groups: who comes together, who does not, what they are told, and when such a group ends."""

from datetime import timedelta
from typing import Any

import pytest

from api.site.delete_person import delete_player
from foundation import clock
from groups import draw, lifecycle, membership
from groups.models import DrawWish, Group, GroupRules, Invitation, Membership
from groups.refusals import DrawsOffError, NotRandomError, PlayerGoneError
from groups.tasks import draw_groups
from matchmaking import avoid_list
from notifications.models import Notice
from people import blocks
from ratings.models import Player, SanctionKind, SuspendedFrom
from ratings.sanctions import impose
from tests.groups.test_groups import made, members
from tests.matchmaking.hall import NOON, Hall, make_hall

pytestmark = pytest.mark.django_db


def rules(hall: Hall, **chosen: Any) -> GroupRules:
    return GroupRules.objects.create(game=hall.ladder.game, **{"draw_size": 3, **chosen})


def want(hall: Hall, *numbers: int, **wish: Any) -> None:
    for number in numbers:
        with clock.at(NOON + timedelta(seconds=number)):
            draw.want(player=hall.players[number], **wish)


def drawn(hall: Hall, hours: float = 1) -> list[set[int]]:
    """Draw so long after noon; who is together, by number."""
    with clock.at(NOON + timedelta(hours=hours)):
        draw.draw_due()
    numbers = {player.pk: number for number, player in enumerate(hall.players)}
    groups = Group.objects.filter(is_drawn=True).order_by("pk")
    return [{numbers[pk] for pk in members(group)} for group in groups]


def test_those_who_wait_longest_come_together_and_all_are_told() -> None:
    hall = make_hall(8)
    rules(hall)
    want(hall, *range(8))
    assert drawn(hall) == [{0, 1, 2}, {3, 4, 5}]
    group = Group.objects.order_by("pk").first()
    assert group is not None
    assert (group.owner, group.access, group.name) == (hall.players[0], "closed", "")
    assert group.title == f"Random group {group.pk}"
    assert Notice.objects.filter(kind="group.drawn").count() == 6
    left = {one.pk for one in hall.players[6:]}
    assert set(DrawWish.objects.values_list("pk", flat=True)) == left
    assert (
        set(Notice.objects.filter(kind="group.not_drawn").values_list("player", flat=True)) == left
    )


def test_draws_keep_their_distance() -> None:
    hall = make_hall(6)
    rules(hall, draw_hours=24)
    want(hall, 0, 1, 2)
    assert len(drawn(hall, 1)) == 1
    want(hall, 3, 4, 5)
    assert len(drawn(hall, 24.9)) == 1
    assert len(drawn(hall, 25)) == 2
    assert len(drawn(hall, 60)) == 2


def test_queue_and_language_are_wished() -> None:
    hall = make_hall(9)
    rules(hall)
    want(hall, 0, 3, queue=hall.queue, language="de")
    want(hall, 1, 4, 7, language="en")
    want(hall, 2, queue=hall.queue)
    assert drawn(hall) == [{0, 2, 3}, {1, 4, 7}]


@pytest.mark.parametrize("how", ["blocks", "avoids"])
@pytest.mark.parametrize("two", [(0, 1), (1, 0)])
def test_nobody_is_put_together_with_whom_they_keep_away_from(
    how: str, two: tuple[int, int]
) -> None:
    hall = make_hall(4)
    rules(hall)
    want(hall, *range(4))
    one, other = (hall.players[number] for number in two)
    if how == "blocks":
        blocks.block(player=one, other=other)
    else:
        avoid_list.avoid(player=one, other=other)
    assert drawn(hall) == [{0, 2, 3}]


def test_why_no_group_came_is_not_told() -> None:
    """Too few, a block, another language: one notice, the same to the last sign."""
    told = set()
    for kind in ("few", "block", "language"):
        hall = make_hall(3)
        rules(hall)
        want(hall, 0, 1)
        if kind != "few":
            want(hall, 2, language="fi" if kind == "language" else "")
        if kind == "block":
            blocks.block(player=hall.players[2], other=hall.players[0])
        if kind == "language":
            want(hall, 0, language="de")
        assert drawn(hall) == []
        notice = Notice.objects.get(kind="group.not_drawn", player=hall.players[0])
        told.add(str(notice.data))
        Group.objects.all().delete()
    assert len(told) == 1


def test_nobody_is_drawn_who_may_not_be() -> None:
    hall = make_hall(4)
    rules(hall, most_groups=1)
    made(hall, 0)
    want(hall, *range(4))
    assert drawn(hall) == [{1, 2, 3}]
    GroupRules.objects.update(draws=False)
    with pytest.raises(DrawsOffError):
        draw.want(player=hall.players[0])
    assert drawn(hall, 100) == [{1, 2, 3}]


def test_a_game_out_of_use_draws_nothing() -> None:
    hall = make_hall(3)
    rules(hall)
    want(hall, *range(3))
    game = hall.ladder.game
    game.archived_at = NOON
    game.save()
    assert drawn(hall) == []


def test_a_random_group_ends_unless_most_of_its_members_keep_it() -> None:
    hall = make_hall(6)
    rules(hall, draw_days=2)
    want(hall, *range(6))
    drawn(hall)
    one, other = Group.objects.order_by("pk")
    with clock.at(NOON + timedelta(days=1)):
        lifecycle.keep(group_id=one.pk, player=hall.players[0], wants=True)
        one.refresh_from_db()
        assert one.ends_at is not None
        lifecycle.keep(group_id=one.pk, player=hall.players[1], wants=True)
        assert Group.objects.get(pk=one.pk).ends_at is None
        with pytest.raises(NotRandomError):
            lifecycle.keep(group_id=one.pk, player=hall.players[2], wants=True)
        lifecycle.keep(group_id=other.pk, player=hall.players[3], wants=True)
        draw_groups()
        assert Group.objects.count() == 2
    with clock.at(NOON + timedelta(days=2, hours=1)):
        draw_groups()
    assert Group.objects.get() == one
    # Kept, it is like any other: its owner names and opens it.
    settings = {"name": "Keepers", "access": "open", "most": 5}
    lifecycle.change(group_id=one.pk, by=hall.players[0], settings=settings)
    membership.join(group_id=one.pk, player=hall.players[4])
    assert Membership.objects.filter(group=one).count() == 4


def test_a_random_group_stays_when_those_who_want_it_are_most_of_who_is_left() -> None:
    hall = make_hall(3)
    rules(hall)
    want(hall, *range(3))
    drawn(hall)
    group = Group.objects.get()
    anna, bernd, carla = hall.players
    lifecycle.keep(group_id=group.pk, player=anna, wants=True)
    membership.leave(group_id=group.pk, player=bernd)
    group.refresh_from_db()
    assert group.ends_at is not None, "one of two is not more than half"
    lifecycle.keep(group_id=group.pk, player=carla, wants=True)
    group.refresh_from_db()
    assert group.ends_at is None


@pytest.mark.parametrize(("leaving", "stays"), [((3,), True), ((2, 3), True), ((0, 1, 2), False)])
def test_who_leaves_a_random_group_no_longer_counts(leaving: tuple[int, ...], stays: bool) -> None:
    hall = make_hall(4)
    rules(hall, draw_size=4)
    want(hall, *range(4))
    drawn(hall)
    group = Group.objects.get()
    for number in (0, 1):
        lifecycle.keep(group_id=group.pk, player=hall.players[number], wants=True)
    for number in leaving:
        membership.leave(group_id=group.pk, player=hall.players[number])
    group.refresh_from_db()
    assert (group.ends_at is None) is stays


def test_nobody_wants_any_more_who_is_suspended_merged_or_deleted() -> None:
    hall = make_hall(6)
    rules(hall)
    want(hall, *range(6))
    kind, what = SanctionKind.SUSPENDED, SuspendedFrom.PARTIES
    impose(player=hall.players[0], kind=kind, suspended_from=what, reason="x", by=None)
    Player.objects.filter(pk=hall.players[1].pk).update(merged_into=hall.players[5])
    delete_player(hall.players[2], by=None)
    assert drawn(hall) == [{3, 4, 5}]
    for number in (1, 2):
        with pytest.raises(PlayerGoneError):
            draw.want(player=hall.players[number])
    assert draw.stop_wanting(player=hall.players[0])
    assert not draw.stop_wanting(player=hall.players[0])


def test_old_invitations_are_forgotten() -> None:
    hall = make_hall(2)
    with clock.at(NOON):
        group = made(hall)
        membership.invite(group_id=group.pk, player_id=hall.players[1].pk, by=hall.players[0])
    for days, left in ((30, 1), (31, 0)):
        with clock.at(NOON + timedelta(days=days)):
            draw_groups()
        assert Invitation.objects.count() == left
        assert Notice.objects.filter(kind="group.invited").count() == left
