"""What becomes of groups when a person is deleted or merged, and what its own data tells."""

import pytest

from accounts.models import User
from api.site.delete_person import delete_player
from api.site.own_data import own_data
from groups import draw, lifecycle, membership, suggest
from groups.models import DrawWish, Group, Invitation, Membership, Removal, SuggestionWish
from notifications.models import Notice
from ratings.merging.merge import merge
from tests.groups.test_groups import code_of, made, members
from tests.matchmaking.hall import make_hall
from tests.matchmaking.visiting import make_account

pytestmark = pytest.mark.django_db


def test_whoever_is_deleted_leaves_groups_to_others() -> None:
    hall = make_hall(4)
    anna, bernd, carla, dora = hall.players
    anna.call("Zebedee")
    anna.save()
    alone = made(hall)
    shared = made(hall, access="open", name="Zebedee and friends", note="Be kind.")
    membership.join(group_id=shared.pk, player=bernd)
    other = made(hall, 1, access="open")
    membership.join(group_id=other.pk, player=anna)
    membership.invite(group_id=shared.pk, player_id=carla.pk, by=anna)
    membership.invite(group_id=made(hall, 3).pk, player_id=anna.pk, by=dora)
    membership.join(group_id=other.pk, player=dora)
    membership.remove(group_id=other.pk, player_id=dora.pk, by=bernd)
    suggest.choose(player=anna, wanted=True)
    draw.want(player=anna)
    for player in (anna, dora):
        delete_player(player, by=None)
    assert not Group.objects.filter(pk=alone.pk).exists()
    shared.refresh_from_db()
    assert (shared.owner, shared.name, shared.note) == (bernd, "(removed)", "")
    assert members(other) == [bernd.pk]
    for model in (Invitation, Removal, SuggestionWish, DrawWish):
        assert not model.objects.exists(), model
    assert set(Membership.objects.values_list("player", flat=True)) == {bernd.pk}


def test_a_merged_players_groups_are_those_of_whom_it_counts_for() -> None:
    hall = make_hall(4)
    anna, bernd, old, carla = hall.players
    owned = made(hall, 2, access="open")
    both = made(hall, 1, access="open")
    thrown = made(hall, 3, access="open")
    for player in (old, anna):
        membership.join(group_id=both.pk, player=player)
    lifecycle.hand_over(group_id=both.pk, to=old.pk, by=bernd)
    membership.join(group_id=thrown.pk, player=old)
    membership.remove(group_id=thrown.pk, player_id=old.pk, by=carla)
    draw.want(player=old)
    # The one that counts for both is asked into a group of the other's, by the other, and by somebody else.
    membership.invite(group_id=owned.pk, player_id=anna.pk, by=old)
    membership.invite(group_id=made(hall, 3).pk, player_id=anna.pk, by=carla)
    assert Notice.objects.filter(kind="group.invited", player=anna).count() == 2
    merge(player=old, into=anna, by=None, note="the same person")
    owned.refresh_from_db()
    both.refresh_from_db()
    assert (owned.owner, members(owned)) == (anna, [anna.pk])
    assert old.pk not in members(both)
    assert both.owner_id in members(both)
    assert not DrawWish.objects.exists()
    assert Invitation.objects.get().by == carla
    assert Notice.objects.filter(kind="group.invited", player=anna).count() == 1
    assert code_of(lifecycle.make, player=old, settings={"name": "Late"}) == "unknown_player"
    assert not membership.may_join(thrown, members(thrown), anna)


def test_own_data_tells_of_own_groups_and_of_nobody_elses_acts() -> None:
    hall = make_hall(3)
    make_account(hall, 0, "anna")
    anna, bernd, carla = hall.players
    group = made(hall, access="open")
    membership.show(group_id=group.pk, player=anna, shows=True)
    membership.invite(group_id=group.pk, player_id=bernd.pk, by=anna)
    other = made(hall, 2, access="open")
    membership.join(group_id=other.pk, player=anna)
    membership.remove(group_id=other.pk, player_id=anna.pk, by=carla)
    draw.want(player=anna, language="de")
    suggest.choose(player=anna, wanted=True)
    (told,) = own_data(User.objects.get(username="anna"))["players"]
    (row,) = told["groups"]
    assert (row["group"], row["name"], row["shows"]) == (group.pk, "Evenings", True)
    assert [one["player"] for one in told["has_invited_to_groups"]] == [bernd.pk]
    assert [one["language"] for one in told["wants_random_group"]] == ["de"]
    assert len(told["wants_suggestions"]) == 1
