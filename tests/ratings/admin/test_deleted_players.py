"""Nobody who was deleted comes back by what operators do; a merge of before is still taken back."""

from collections.abc import Callable

import pytest
from django.urls import reverse

from accounts.models import User
from api.site.delete_person import delete_player
from foundation.refusals import RefusedError
from ratings.merging.merge import merge
from ratings.merging.unmerge import unmerge
from ratings.models import Player, PlayerMerge, Sanction, SanctionKind
from ratings.players.accounts import move_player
from ratings.players.site_ids import is_deleted
from ratings.sanctions import impose
from tests.ratings.admin_cast import World, add_player, make_world, operator, told
from tests.shown import as_shown
from tests.worlds import shared

pytestmark = pytest.mark.django_db

WORDS = "was deleted for good"


@shared
def world() -> World:
    """Anna is deleted."""
    world = make_world(matches=1)
    delete_player(world.anna, by=None)
    world.anna.refresh_from_db()
    return world


def page(name: str, player: Player) -> str:
    return reverse(f"admin:ratings_{name}", args=[player.pk])


@pytest.mark.parametrize(
    "deed",
    [
        lambda anna, boris: move_player(
            player=anna, to=User.objects.create_user("dan"), by=None, note="x"
        ),
        lambda anna, boris: merge(player=anna, into=boris, by=None, note="x"),
        lambda anna, boris: merge(player=boris, into=anna, by=None, note="x"),
        lambda anna, boris: impose(
            player=anna, kind=SanctionKind.WARNING, reason="Mind.", by=None, note="x"
        ),
    ],
    ids=["move", "merge", "merge into", "impose"],
)
def test_nothing_is_done_to_them(world: World, deed: Callable[[Player, Player], object]) -> None:
    with pytest.raises(RefusedError, match=WORDS):
        deed(world.anna, world.boris)
    assert not PlayerMerge.objects.exists()
    assert not Sanction.objects.exists()


def test_the_pages_say_so_before_their_forms(world: World) -> None:
    client = operator()
    shown = as_shown(client.get(page("player_change", world.anna)).content.decode())
    assert WORDS in shown
    for name in ("player_move", "player_merge", "sanction_impose"):
        assert page(name, world.anna) not in shown
        form = as_shown(client.get(page(name, world.anna)).content.decode())
        assert WORDS in form
        assert 'name="note"' not in form
    assert page("player_annul", world.anna) in shown
    into = f"{page('player_merge', world.boris)}?into={world.anna.pk}"
    assert WORDS in as_shown(client.get(into).content.decode())
    sent = {"kind": "warning", "days": "", "reason": "Mind.", "note": "x"}
    assert WORDS in told(client, page("sanction_impose", world.anna), sent)
    User.objects.create_user("dan")
    client.post(page("player_move", world.anna), {"account": "dan", "note": "x"})
    world.anna.refresh_from_db()
    assert is_deleted(world.anna)


def test_nobody_renames_them(world: World) -> None:
    client = operator()
    answer = client.get(page("player_change", world.anna)).content.decode()
    assert 'name="name"' not in answer
    sent = {"external_id": "anna", "name": "Anna", "user": ""}
    assert client.post(page("player_change", world.anna), sent).status_code == 403
    world.anna.refresh_from_db()
    assert is_deleted(world.anna)


def test_a_merge_of_before_is_taken_back_and_brings_nobody_back() -> None:
    world = make_world(matches=1)
    dan = User.objects.create_user("dan")
    old = add_player(world.game, "Old")
    move_player(player=old, to=dan, by=None, note="x")
    old.refresh_from_db()
    merge(player=old, into=world.boris, by=None, note="x")
    world.boris.refresh_from_db()
    assert world.boris.user == dan
    delete_player(world.boris, by=None)
    old.refresh_from_db()
    assert is_deleted(old)
    unmerge(player=old, by=None, note="x")
    old.refresh_from_db()
    assert old.merged_into is None
    assert is_deleted(old)


def test_an_account_that_came_along_does_not_keep_the_other_player() -> None:
    world = make_world(matches=1)
    dan = User.objects.create_user("dan")
    old = add_player(world.game, "Old")
    move_player(player=old, to=dan, by=None, note="x")
    old.refresh_from_db()
    merge(player=old, into=world.boris, by=None, note="x")
    delete_player(old, by=None)
    world.boris.refresh_from_db()
    assert world.boris.user == dan
    unparted = page("player_unmerge", old)
    assert "has neither player then" in as_shown(operator().get(unparted).content.decode())
    old.refresh_from_db()
    unmerge(player=old, by=None, note="x")
    world.boris.refresh_from_db()
    assert world.boris.user is None
