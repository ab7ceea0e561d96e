"""Operators merge from a player's page with a preview, take it back, and give players to other accounts."""

from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, User
from ratings.models import (
    Match,
    MatchState,
    Player,
    PlayerMerge,
    SanctionKind,
    SuspendedFrom,
    TrackState,
)
from ratings.sanctions import impose, in_force
from tests.ratings.arena import Arena, Played
from tests.ratings.replays import clean_arena, rate_all

pytestmark = pytest.mark.django_db


def rated() -> Arena:
    """Player 3 is player 1: they met once, and both met player 0."""
    arena = clean_arena(
        4,
        [Played(0, 0, 3, 1.0), Played(1, 0, 1, 0.0), Played(2, 1, 3, 1.0), Played(3, 2, 3, 0.0)],
    )
    rate_all()
    return arena


def staff(*codenames: str) -> Client:
    clerk = User.objects.create_user(f"carl-{'-'.join(codenames)}", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    client = Client()
    client.force_login(clerk)
    return client


def page(name: str, player: Player) -> str:
    return reverse(f"admin:ratings_player_{name}", args=[player.pk])


def told(client: Client, address: str, sent: dict[str, Any]) -> str:
    answer = client.post(address, sent, follow=True)
    return " ".join(str(message) for message in answer.context["messages"])


def test_the_page_shows_what_follows_does_it_and_takes_it_back() -> None:
    arena = rated()
    one, two = arena.players[1], arena.players[3]
    client = Client()
    client.force_login(User.objects.create_superuser("olga"))
    assert page("merge", two) in client.get(page("change", two)).content.decode()
    wrong = client.get(f"{page('merge', two)}?into=nobody").content.decode()
    assert "The game has no player with this number or id." in wrong
    itself = client.get(f"{page('merge', two)}?into={two.pk}").content.decode()
    assert "nobody is merged into oneself" in itself
    asked = f"{page('merge', two)}?into={one.external_id}&since="
    shown = client.get(asked)
    preview, text = shown.context["preview"], shown.content.decode()
    assert preview.matches == 2
    assert [it.match.ladder_seq for it in preview.shared] == [3]
    assert "against each other" in text
    assert {it.player.pk: it.after for it in preview.own}[two.pk] is None
    # What stands in the way is asked for beside what was typed.
    again = client.post(asked, {"note": "Same.", "seen": preview.matches}).content.decode()
    assert "They stand in the way: tick this" in again
    assert "Same.</textarea>" in again
    sent = {"note": "Same.", "seen": preview.matches, "annul_shared": "on"}
    assert "counts as player 1 now" in told(client, asked, sent)
    two.refresh_from_db()
    assert two.merged_into == one
    for player in (one, two):
        assert page("unmerge", two) in client.get(page("change", player)).content.decode()
    # Their pages say what is, not what was before.
    rate_all()
    assert list(client.get(page("change", two)).context["ratings"]) == []
    of_one = client.get(page("change", one)).context["ratings"]
    assert {it.track.state for it in of_one} == {TrackState.LIVE}
    assert [it.track.generation for it in of_one] == [2, 2]
    assert "goes back" in client.get(page("unmerge", two)).content.decode().replace("go ", "goes ")
    assert "counts for itself again" in told(client, page("unmerge", two), {"note": "Brothers."})
    assert Match.objects.filter(state=MatchState.ANNULLED).count() == 0
    actions = AuditEntry.objects.filter(target_id=str(two.pk)).values_list("action", flat=True)
    assert set(actions) == {"player.merged", "player.unmerged"}
    assert "nothing to take back" in client.get(page("unmerge", two)).content.decode()


def test_who_may_not_is_refused() -> None:
    arena = rated()
    one, two = arena.players[1], arena.players[3]
    looker, merger = staff("view_player"), staff("view_player", "merge_player")
    for name in ("merge", "unmerge", "move"):
        assert looker.get(page(name, two)).status_code == 403
    assert merger.get(page("move", two)).status_code == 403
    assert page("merge", two) not in looker.get(page("change", two)).content.decode()
    asked = f"{page('merge', two)}?into={one.pk}&since="
    # Annulling takes the right to change matches, and an account that comes along the right to move players.
    answer = merger.post(asked, {"note": "x", "seen": 2, "annul_shared": "on"})
    assert "you need the right to change matches" in answer.content.decode()
    assert answer.context["is_impossible"]
    Player.objects.filter(pk=two.pk).update(user=User.objects.create_user("bea"))
    assert "you need the right" in merger.get(asked).content.decode()
    merger.post(f"{asked}2026-03-04", {"note": "x", "seen": 1})
    assert not PlayerMerge.objects.exists()
    # What only those read who may look at sanctions.
    impose(player=two, kind=SanctionKind.NOTE, reason="Aimbot, we think.", by=None)
    assert "Aimbot" not in merger.get(asked).content.decode()
    seer = staff("view_player", "merge_player", "view_sanction")
    assert "Aimbot" in seer.get(asked).content.decode()


def test_who_may_not_impose_sanctions_carries_none_over() -> None:
    arena = rated()
    one, two = arena.players[1], arena.players[2]
    suspension = impose(
        player=two,
        kind=SanctionKind.SUSPENDED,
        suspended_from=SuspendedFrom.ALL,
        reason="x",
        by=None,
    )
    asked = f"{page('merge', two)}?into={one.pk}&since="
    merger = staff("view_player", "merge_player")
    shown = merger.get(asked)
    assert "you need the right to impose sanctions" in shown.content.decode()
    assert 'name="note"' not in shown.content.decode()
    merger.post(asked, {"note": "x", "seen": 1})
    assert not in_force().filter(player=one).exists()
    imposer = staff("view_player", "merge_player", "add_sanction")
    assert "counts as" in told(imposer, asked, {"note": "x", "seen": 1})
    assert in_force().get(player=one).carried_from == suspension


def test_a_player_moves_to_another_account() -> None:
    arena = rated()
    player, other = arena.players[0], arena.players[1]
    bea, carl, cleo = (User.objects.create_user(name) for name in ("bea", "carl", "cleo"))
    Player.objects.filter(pk=player.pk).update(user=bea)
    Player.objects.filter(pk=other.pk).update(user=cleo)
    client = Client()
    client.force_login(User.objects.create_superuser("olga"))
    for account, words in [
        ("nobody", "There is no open account"),
        ("bea", "has this player already"),
        ("cleo", "An account has one player in a game"),
    ]:
        sent = {"account": account, "note": "x"}
        assert words in client.post(page("move", player), sent).content.decode()
    assert "is the player of carl now" in told(
        client, page("move", player), {"account": str(carl.pk), "note": "Bought it."}
    )
    player.refresh_from_db()
    assert player.user == carl
    entry = AuditEntry.objects.get(action="player.moved")
    assert (entry.before, entry.after, entry.note) == (
        {"user": bea.pk},
        {"user": carl.pk},
        "Bought it.",
    )


def command(*arguments: str) -> str:
    out = StringIO()
    call_command("merge", *arguments, "--note", "same", stdout=out)
    return out.getvalue()


def test_the_command_says_first_and_then_does_it() -> None:
    arena = rated()
    one, two = (str(arena.players[number].pk) for number in (1, 3))
    dry = command(two, one, "--dry-run")
    assert "clean: 2 change hands, 4 from the first of them on" in dry
    assert "against each other" in dry
    assert not PlayerMerge.objects.exists()
    with pytest.raises(CommandError, match="Both took part"):
        command(two, one)
    assert "counts as player" in command(two, one, "--annul-shared", "--wait")
    assert "counts for itself again" in command(two, "--undo")


@pytest.mark.parametrize(
    "wrong", [["1"], ["99999999", "1"], ["1", "--undo", "--dry-run"], ["1", "2", "--since", "x"]]
)
def test_the_command_refuses_what_it_cannot_do(wrong: list[str]) -> None:
    with pytest.raises(CommandError):
        command(*wrong)
