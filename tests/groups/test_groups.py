"""Making groups, coming in, and leaving: who may, and what the database holds whatever the code does."""

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.models import User
from foundation import clock
from foundation.refusals import RefusedError
from groups import lifecycle, membership
from groups.models import Group, GroupRules, Invitation, Membership, Removal
from groups.read import group_seen, groups_listed, visible_to
from notifications.models import Notice
from people import blocks
from people.wishes import choose
from ratings.models import Player
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db


def made(hall: Hall, owner: int = 0, **settings: Any) -> Group:
    return lifecycle.make(player=hall.players[owner], settings={"name": "Evenings", **settings})


def members(group: Group) -> list[int]:
    return list(
        Membership.objects.filter(group=group).order_by("pk").values_list("player", flat=True)
    )


def code_of(function: Any, **given: Any) -> str:
    """The code of the refusal; empty where all is well."""
    try:
        function(**given)
    except RefusedError as refusal:
        return refusal.code
    return ""


def test_whoever_makes_a_group_owns_it_and_is_in_it() -> None:
    hall = make_hall(1)
    group = made(hall)
    assert (group.owner, members(group)) == (hall.players[0], [hall.players[0].pk])
    assert group.access == "invited"
    assert group.most == GroupRules().most_members


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"name": " "}, "wrong_group_text"),
        ({"name": "x"}, "wrong_group_text"),
        ({"name": "the darn ones"}, "wrong_group_text"),
        ({"note": "Darn it"}, "wrong_group_text"),
        ({"most": 1}, "wrong_group_size"),
        ({"most": 31}, "wrong_group_size"),
    ],
)
def test_what_a_group_cannot_be(settings: dict[str, Any], code: str) -> None:
    hall = make_hall(1)
    hall.ladder.game.refused_words = "darn"
    hall.ladder.game.save()
    own = Player.objects.select_related("game").get(pk=hall.players[0].pk)
    given = {"name": "Evenings", **settings}
    assert code_of(lifecycle.make, player=own, settings=given) == code
    assert not Group.objects.exists()


def test_the_operator_limits_groups() -> None:
    hall = make_hall(2)
    rules = GroupRules.objects.create(game=hall.ladder.game, most_groups=1, most_members=2)
    one = made(hall, access="open")
    assert code_of(made, hall=hall) == "too_many_groups"
    made(hall, 1)
    other = hall.players[1]
    assert code_of(membership.join, group_id=one.pk, player=other) == "too_many_groups"
    rules.is_open = False
    rules.save()
    assert code_of(made, hall=hall, owner=1) == "groups_off"


def test_who_may_come() -> None:
    hall = make_hall(5)
    anna, bernd, carla, dora, emil = hall.players
    group = made(hall, access="open", most=4)
    membership.join(group_id=group.pk, player=bernd)
    membership.join(group_id=group.pk, player=bernd)
    assert members(group) == [anna.pk, bernd.pk]
    lifecycle.change(group_id=group.pk, by=anna, settings={"access": "invited"})
    assert code_of(membership.join, group_id=group.pk, player=carla) == "group_not_open"
    membership.invite(group_id=group.pk, player_id=carla.pk, by=anna)
    assert Notice.objects.get(kind="group.invited").player == carla
    membership.join(group_id=group.pk, player=carla)
    assert not Invitation.objects.exists()
    assert not Notice.objects.filter(kind="group.invited").exists()
    membership.invite(group_id=group.pk, player_id=dora.pk, by=anna)
    lifecycle.change(group_id=group.pk, by=anna, settings={"access": "closed"})
    assert code_of(membership.join, group_id=group.pk, player=dora) == "group_not_open"
    lifecycle.change(group_id=group.pk, by=anna, settings={"access": "open"})
    membership.join(group_id=group.pk, player=dora)
    assert code_of(membership.join, group_id=group.pk, player=emil) == "group_full"


def test_who_invites() -> None:
    hall = make_hall(5)
    anna, bernd, carla, dora, emil = hall.players
    group = made(hall, access="open")
    membership.join(group_id=group.pk, player=bernd)
    asked = {"group_id": group.pk}
    assert code_of(membership.invite, **asked, player_id=dora.pk, by=carla) == "not_in_group"
    assert code_of(membership.invite, **asked, player_id=carla.pk, by=bernd) == ""
    assert code_of(membership.invite, **asked, player_id=bernd.pk, by=anna) == "player_not_open"
    choose(player=dora, chosen={"challenge": "nobody"})
    assert code_of(membership.invite, **asked, player_id=dora.pk, by=anna) == "player_not_open"
    # That another member and somebody block each other is not for the one who invites to learn.
    blocks.block(player=emil, other=bernd)
    assert code_of(membership.invite, **asked, player_id=emil.pk, by=anna) == ""
    lifecycle.change(group_id=group.pk, by=anna, settings={"access": "invited"})
    assert code_of(membership.invite, **asked, player_id=dora.pk, by=bernd) == "not_group_owner"
    assert code_of(membership.withdraw, **asked, player_id=carla.pk, by=dora) == "not_group_owner"
    assert code_of(membership.withdraw, **asked, player_id=carla.pk, by=bernd) == ""
    assert code_of(membership.decline, **asked, player=carla) == "not_invited"


def test_blocks_removals_and_closed_groups_are_one_reason() -> None:
    hall = make_hall(4)
    anna, bernd, carla, dora = hall.players
    group = made(hall, access="open")
    membership.join(group_id=group.pk, player=bernd)
    blocks.block(player=carla, other=bernd)
    membership.join(group_id=group.pk, player=dora)
    membership.remove(group_id=group.pk, player_id=dora.pk, by=anna)
    told = set()
    for other in (carla, dora):
        with pytest.raises(RefusedError) as refusal:
            membership.join(group_id=group.pk, player=other)
        told.add((refusal.value.code, str(refusal.value), str(refusal.value.extra)))
    lifecycle.change(group_id=group.pk, by=anna, settings={"access": "closed"})
    with pytest.raises(RefusedError) as refusal:
        membership.join(group_id=group.pk, player=make_stranger(hall))
    told.add((refusal.value.code, str(refusal.value), str(refusal.value.extra)))
    assert len(told) == 1


def test_nobody_learns_of_a_block_by_others() -> None:
    hall = make_hall(4)
    anna, bernd, carla, _dora = hall.players
    group = made(hall, access="open")
    membership.join(group_id=group.pk, player=bernd)
    blocks.block(player=bernd, other=carla)
    assert membership.may_join(group, [anna.pk, bernd.pk], carla)
    membership.invite(group_id=group.pk, player_id=carla.pk, by=anna)
    membership.join(group_id=group.pk, player=carla)
    choose(player=bernd, chosen={"see": "everyone"})
    assert bernd.pk not in group_seen(group, carla).doing


def make_stranger(hall: Hall) -> Player:
    stranger = Player(game=hall.ladder.game, external_id="stranger")
    stranger.call("Stranger")
    stranger.save()
    return stranger


def test_whoever_was_removed_comes_back_by_the_owner_alone() -> None:
    hall = make_hall(3)
    anna, bernd, carla = hall.players
    group = made(hall, access="open")
    for one in (bernd, carla):
        membership.join(group_id=group.pk, player=one)
    assert (
        code_of(membership.remove, group_id=group.pk, player_id=anna.pk, by=anna) == "removes_owner"
    )
    assert (
        code_of(membership.remove, group_id=group.pk, player_id=carla.pk, by=bernd)
        == "not_group_owner"
    )
    membership.remove(group_id=group.pk, player_id=carla.pk, by=anna)
    assert Notice.objects.get(kind="group.removed").player == carla
    asked = {"group_id": group.pk, "player_id": carla.pk}
    assert code_of(membership.invite, **asked, by=bernd) == "player_not_open"
    assert code_of(membership.invite, **asked, by=anna) == ""
    membership.join(group_id=group.pk, player=carla)
    assert not Removal.objects.exists()


def test_whoever_was_removed_comes_back_as_no_other_of_its_players() -> None:
    """A group of all games is open to players of another one, too, whom the same account plays."""
    hall, other = make_hall(2), make_hall(1)
    (carla, _dora), (second,) = hall.players, other.players
    user = User.objects.create_user("carla")
    Player.objects.filter(pk__in=[carla.pk, second.pk]).update(user=user)
    owner = hall.players[1]
    settings = {"name": "Everywhere", "access": "open"}
    group = lifecycle.make(player=owner, settings=settings, for_all_games=True)
    carla.refresh_from_db()
    second.refresh_from_db()
    membership.join(group_id=group.pk, player=carla)
    # Asked before: that does not outlast the removal.
    Invitation.objects.create(group=group, player=second, by=owner, at=clock.now())
    membership.remove(group_id=group.pk, player_id=carla.pk, by=owner)
    assert not Invitation.objects.exists()
    for one in (carla, second):
        assert code_of(membership.join, group_id=group.pk, player=one) == "group_not_open"
    membership.invite(group_id=group.pk, player_id=carla.pk, by=owner)
    membership.join(group_id=group.pk, player=carla)
    assert code_of(membership.join, group_id=group.pk, player=second) == ""
    assert not Removal.objects.exists()


def test_after_the_owner_the_longest_member_owns_it_and_with_the_last_it_ends() -> None:
    hall = make_hall(3)
    anna, bernd, carla = hall.players
    group = made(hall, access="open")
    for one in (bernd, carla):
        membership.join(group_id=group.pk, player=one)
    membership.leave(group_id=group.pk, player=anna)
    group.refresh_from_db()
    assert group.owner == bernd
    lifecycle.hand_over(group_id=group.pk, to=carla.pk, by=bernd)
    group.refresh_from_db()
    assert group.owner == carla
    membership.leave(group_id=group.pk, player=bernd)
    membership.leave(group_id=group.pk, player=carla)
    assert not Group.objects.exists()
    assert code_of(membership.leave, group_id=group.pk, player=carla) == "unknown_group"


def test_a_group_shrinks_to_its_members_at_most() -> None:
    hall = make_hall(4)
    anna, *others = hall.players
    group = made(hall, access="open", most=6)
    for one in others:
        membership.join(group_id=group.pk, player=one)
    membership.leave(group_id=group.pk, player=others[0])
    change: dict[str, Any] = {"group_id": group.pk, "by": anna}
    assert code_of(lifecycle.change, **change, settings={"most": 2}) == "wrong_group_size"
    lifecycle.change(**change, settings={"most": 3})
    rows = Membership.objects.filter(group=group)
    assert sorted(rows.values_list("place", "most")) == [(0, 3), (1, 3), (2, 3)]
    assert code_of(membership.join, group_id=group.pk, player=others[0]) == "group_full"


def test_a_group_dissolves_for_all() -> None:
    hall = make_hall(2)
    anna, bernd = hall.players
    group = made(hall, access="open")
    membership.join(group_id=group.pk, player=bernd)
    assert code_of(lifecycle.dissolve, group_id=group.pk, by=bernd) == "not_group_owner"
    lifecycle.dissolve(group_id=group.pk, by=anna)
    assert not Group.objects.exists()
    assert not Membership.objects.exists()


def at_once(act: Any) -> None:
    """Do it, and let all constraints be checked as at a commit."""
    with transaction.atomic(), connection.cursor() as cursor:
        act()
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def test_the_database_holds_owner_size_and_once() -> None:
    hall = make_hall(3)
    anna, bernd, carla = hall.players
    group = made(hall, access="open", most=2)
    membership.join(group_id=group.pk, player=bernd)
    wrong: list[Any] = [
        lambda: Membership.objects.create(group=group, player=bernd, place=1, most=2),
        lambda: Membership.objects.create(group=group, player=carla, place=1, most=2),
        lambda: Membership.objects.create(group=group, player=carla, place=2, most=2),
        lambda: Membership.objects.create(group=group, player=carla, place=2, most=3),
        lambda: Membership.objects.filter(player=anna).delete(),
        lambda: Group.objects.update(owner=carla),
    ]
    for act in wrong:
        with pytest.raises(IntegrityError):
            at_once(act)


def test_lists_and_who_looks_in() -> None:
    hall = make_hall(3)
    anna, bernd, carla = hall.players
    shut, free = made(hall), made(hall, access="open", name="Mornings")
    membership.invite(group_id=shut.pk, player_id=bernd.pk, by=anna)

    def listed(player: Player, which: str, **more: Any) -> list[int]:
        return [one.group.pk for one in groups_listed(player, which, **more)[0]]

    assert listed(anna, "own") == [free.pk, shut.pk]
    assert listed(anna, "open") == []
    assert listed(bernd, "invited") == [shut.pk]
    assert listed(carla, "open", text="morn") == [free.pk]
    assert listed(carla, "open", text="even") == []
    assert groups_listed(anna, "own", most=1)[1] == free.pk
    assert listed(anna, "own", before=free.pk) == [shut.pk]
    assert set(visible_to(bernd)) == {shut, free}
    assert set(visible_to(carla)) == {free}
    assert group_seen(shut, bernd).may_join
    assert not group_seen(shut, carla).may_join


def test_members_see_what_others_show_the_group() -> None:
    hall = make_hall(4, team_size=1)
    anna, bernd, carla, dora = hall.players
    group = made(hall, access="open")
    for one in (bernd, carla, dora):
        membership.join(group_id=group.pk, player=one)
    hall.join(1)
    hall.join(2)
    assert group_seen(group, anna).doing == {anna.pk: []}
    membership.show(group_id=group.pk, player=bernd, shows=True)
    membership.show(group_id=group.pk, player=carla, shows=True)
    choose(player=carla, chosen={"see": "nobody"})
    seen = group_seen(group, anna).doing
    assert [one.at for one in seen[bernd.pk]] == ["searching"]
    assert carla.pk not in seen
    blocks.block(player=bernd, other=anna)
    assert bernd.pk not in group_seen(group, anna).doing
    assert bernd.pk in group_seen(group, dora).doing
    stranger = make_stranger(hall)
    choose(player=bernd, chosen={"see": "everyone"})
    assert group_seen(group, stranger).doing == {}
