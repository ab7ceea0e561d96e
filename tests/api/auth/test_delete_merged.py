"""Players of others who were merged into one who is deleted."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import AuditEntry, User
from api.site.delete_person import delete_account, delete_player
from ratings.merging.merge import merge
from ratings.merging.unmerge import unmerge
from ratings.models import (
    Participant,
    Player,
    PlayerMerge,
    RatingChange,
    Sanction,
    SanctionKind,
    SuspendedFrom,
)
from ratings.players.enrol import enrol
from ratings.players.site_ids import is_deleted
from ratings.sanctions import impose, in_force
from tests.ratings.arena import Arena, Played
from tests.ratings.replays import clean_arena, rate_all

pytestmark = pytest.mark.django_db
ALL = SuspendedFrom.ALL


@pytest.fixture
def arena() -> Arena:
    """Player 1, of Bea, is merged into player 3, of Dan, by mistake."""
    arena = clean_arena(4, [Played(0, 0, 1, 0.0), Played(1, 0, 3, 1.0), Played(2, 1, 2, 1.0)])
    rate_all()
    for number, name in ((1, "bea"), (3, "dan")):
        user = User.objects.create_user(name)
        Player.objects.filter(pk=arena.players[number].pk).update(user=user)
    before = own_ledger(arena)
    merge(player=player(arena, 1), into=player(arena, 3), by=None, note="x")
    rate_all()
    assert own_ledger(arena) != before
    return arena


def player(arena: Arena, number: int) -> Player:
    return Player.objects.get(pk=arena.players[number].pk)


def own_ledger(arena: Arena) -> list[Any]:
    changes = RatingChange.objects.filter(
        player=arena.players[1], track__state="live", match__isnull=False
    )
    return list(changes.values_list("match", "value_after").order_by("pk"))


def deleted(*who: str) -> str:
    out = StringIO()
    call_command("delete_person", *who, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize("what", ["--account", "--player"])
def test_count_for_themselves_again(arena: Arena, what: str) -> None:
    bea, dan = player(arena, 1), player(arena, 3)
    who = (what, "dan" if what == "--account" else str(dan.pk))
    said = deleted(*who, "--dry-run")
    assert (
        f"Would count for themselves again, as players of others, suspended as this one is:\n  {bea}\n"
        in said
    )
    assert player(arena, 1).merged_into_id == dan.pk
    impose(player=dan, kind=SanctionKind.SUSPENDED, reason="Aimbot.", by=None, suspended_from=ALL)
    impose(player=dan, kind=SanctionKind.WARNING, reason="Rude.", by=None)
    deleted(*who, "--note", "asked for")
    bea.refresh_from_db()
    told = in_force().filter(player=bea).values_list("kind", "suspended_from", "reason")
    assert list(told) == [("suspended", "all", "(removed)")]  # they were one person
    assert (bea.merged_into_id, bea.user) == (None, User.objects.get(username="bea"))
    assert Participant.objects.filter(player=bea).count() == 2
    again, is_new = enrol(game=bea.game, external_id=bea.external_id)
    assert (again, is_new, again.name) == (bea, False, bea.name)
    rate_all()
    assert len(own_ledger(arena)) == 2
    entry = AuditEntry.objects.filter(action__endswith=".person_deleted").get()
    assert entry.after == {"players": [dan.pk]}
    assert AuditEntry.objects.filter(action="player.unmerged").exists()


def test_whom_its_account_has_replaced_stays_behind(arena: Arena) -> None:
    """Which keeps nobody from being deleted; the audit log tells whom to unmerge."""
    bea, dan = player(arena, 1), player(arena, 3)
    Player.objects.filter(pk=arena.players[2].pk).update(user=User.objects.get(username="bea"))
    impose(player=dan, kind=SanctionKind.SUSPENDED, reason="Aimbot.", by=None, suspended_from=ALL)
    delete_account(User.objects.get(username="dan"), by=None)
    assert in_force().filter(player=bea).exists()
    assert player(arena, 1).merged_into_id == dan.pk
    entry = AuditEntry.objects.get(action="user.person_deleted")
    assert entry.after == {"players": [dan.pk], "left_merged": [bea.pk]}
    Player.objects.filter(pk=arena.players[2].pk).update(user=None)
    unmerge(player=player(arena, 1), by=None, note="x")
    assert player(arena, 1).user == User.objects.get(username="bea")
    assert not PlayerMerge.objects.filter(undone_at=None).exists()


def test_what_came_from_them_goes_on_under_the_deleted_id(arena: Arena) -> None:
    """Which is theirs as well: a suspension does not end by deleting the one of the two that it came to."""
    one, dan = player(arena, 0), player(arena, 3)
    Player.objects.filter(pk=one.pk).update(user=User.objects.create_user("ann"))
    impose(player=one, kind=SanctionKind.SUSPENDED, reason="Aimbot.", by=None, suspended_from=ALL)
    merge(player=one, into=dan, by=None, note="x", annul_shared=True)
    kept = {str(each): each.external_id for each in (one, dan)}
    delete_account(User.objects.get(username="dan"), by=None)
    assert list(in_force().filter(player=one).values_list("reason", flat=True)) == ["Aimbot."]
    again, _ = enrol(game=dan.game, external_id=kept[str(dan)])
    assert again.pk != dan.pk
    assert in_force().filter(player=again, suspended_from=ALL).exists()


def test_deleting_again_parts_nobody(arena: Arena) -> None:
    other, dan = player(arena, 0), player(arena, 3)
    unmerge(player=player(arena, 1), by=None, note="x")
    merge(player=dan, into=other, by=None, note="x", annul_shared=True)  # with its account
    impose(player=other, kind=SanctionKind.SUSPENDED, reason="x", by=None, suspended_from=ALL)
    assert delete_player(player(arena, 0), by=None) is None
    assert is_deleted(player(arena, 3))
    before = list(Sanction.objects.order_by("pk").values_list("pk", "player", "lifted_at"))
    assert delete_player(player(arena, 0), by=None) is not None
    assert player(arena, 3).merged_into_id == other.pk
    assert list(Sanction.objects.order_by("pk").values_list("pk", "player", "lifted_at")) == before
