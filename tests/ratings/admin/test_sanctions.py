"""Operators impose sanctions from a player's page, see them there, and lift them; whoever may not is refused."""

import pytest
from django.urls import reverse

from accounts.models import AuditEntry
from ratings.models import Sanction, SanctionKind
from ratings.sanctions import impose, in_force
from tests.ratings.admin_cast import World, make_world, operator, staff, told
from tests.worlds import shared

pytestmark = pytest.mark.django_db

FORM = {
    "kind": "suspended",
    "suspended_from": "searching",
    "days": "0.5",
    "reason": "Left 9 of 10 matches.",
    "note": "Reported by three.",
}


@shared
def world() -> World:
    return make_world(matches=1)


def imposing(world: World) -> str:
    return reverse("admin:ratings_sanction_impose", args=[world.anna.pk])


def lifting(sanction: Sanction) -> str:
    return reverse("admin:ratings_sanction_lift", args=[sanction.pk])


def test_imposed_seen_and_lifted(world: World) -> None:
    client = operator()
    page = reverse("admin:ratings_player_change", args=[world.anna.pk])
    assert imposing(world) in client.get(page).content.decode()
    form = client.get(imposing(world)).content.decode()
    assert "not told where to appeal" in form
    assert "what the others report still counts and is rated" in form
    assert "nor be rated" not in form
    assert told(client, imposing(world), FORM) == "The sanction on Anna is in force."
    (sanction,) = in_force()
    assert sanction.until is not None
    assert (sanction.until - sanction.imposed_at).total_seconds() == pytest.approx(43_200, abs=60)
    assert "Left 9 of 10 matches." in client.get(page).content.decode()
    shown = client.get(reverse("admin:ratings_sanction_change", args=[sanction.pk]))
    assert lifting(sanction) in shown.content.decode()
    assert told(client, lifting(sanction), {"note": "Sorry."}) == "The sanction on Anna is lifted."
    assert not in_force().exists()
    assert told(client, lifting(sanction), {"note": "Again."}).startswith("This sanction is over")
    notes = AuditEntry.objects.filter(action__startswith="player.sanction").order_by("pk")
    assert list(notes.values_list("note", flat=True)) == ["Reported by three.", "Sorry."]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"suspended_from": ""}, "Say what the player is suspended from."),
        ({"days": "0"}, "Days must be"),
        ({"days": "99999"}, "Days must be"),
        ({"reason": ""}, "This field is required."),
        ({"reason": "x" * 1001}, "at most 1000 characters"),
        ({"note": " "}, "Say why"),
        ({"kind": "banished"}, "Select a valid choice"),
        ({"kind": "warning", "suspended_from": "all"}, "Only a suspension says this."),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_done(
    world: World, wrong: dict[str, str], words: str
) -> None:
    answer = operator().post(imposing(world), {**FORM, **wrong})
    assert words in answer.content.decode()
    assert not Sanction.objects.exists()


def test_a_warning_needs_no_end_and_suspends_from_nothing(world: World) -> None:
    told(operator(), imposing(world), {**FORM, "kind": "warning", "suspended_from": "", "days": ""})
    (sanction,) = Sanction.objects.all()
    assert (sanction.suspended_from, sanction.until) == ("", None)


def test_each_takes_its_own_permission(world: World) -> None:
    sanction = impose(player=world.anna, kind=SanctionKind.WARNING, reason="Mind.", by=None)
    viewer = staff("view_sanction", "view_player")
    listed = viewer.get(reverse("admin:ratings_sanction_changelist"))
    assert listed.status_code == 200
    page = viewer.get(reverse("admin:ratings_sanction_change", args=[sanction.pk]))
    assert lifting(sanction) not in page.content.decode()
    for client, may_impose, may_lift in (
        (viewer, False, False),
        (staff("add_sanction"), True, False),
        (staff("change_sanction", "view_sanction", "view_player"), False, True),
    ):
        assert client.get(imposing(world)).status_code == (200 if may_impose else 403)
        assert client.post(imposing(world), {}).status_code == (200 if may_impose else 403)
        assert client.get(lifting(sanction)).status_code == (200 if may_lift else 403)
        assert client.post(lifting(sanction), {}).status_code == (200 if may_lift else 403)


def test_whoever_may_not_see_sanctions_does_not_see_them_at_the_player(world: World) -> None:
    impose(player=world.anna, kind=SanctionKind.NOTE, reason="Secret thought.", by=None)
    page = staff("view_player").get(reverse("admin:ratings_player_change", args=[world.anna.pk]))
    assert "Secret thought." not in page.content.decode()


def test_lists_tell_now_from_over(world: World) -> None:
    for reason in ("one", "two"):
        sanction = impose(player=world.anna, kind=SanctionKind.WARNING, reason=reason, by=None)
    client = operator()
    told(client, lifting(sanction), {"note": "x"})
    address = reverse("admin:ratings_sanction_changelist")
    counts = [len(client.get(address, {"now": now}).context["cl"].result_list) for now in "10"]
    assert counts == [1, 1]


@pytest.mark.parametrize(
    ("listed", "asked"),
    [
        ("ratings_sanction", "now=maybe"),
        ("ratings_game", "archived=yes"),
        ("ratings_player", "alike=x"),
        ("ratings_importedfile", "taken_back=2"),
        ("ratings_ratingchange", "track=99999999"),
        ("accounts_user", "alike=x"),
        ("matchmaking_ticket", "live=2"),
    ],
)
def test_a_choice_that_a_filter_does_not_have_is_told(
    world: World, listed: str, asked: str
) -> None:
    address = reverse(f"admin:{listed}_changelist")
    answer = operator().get(f"{address}?{asked}", follow=True)
    assert answer.redirect_chain == [(f"{address}?e=1", 302)]
    assert "a filter that does not exist" in answer.content.decode()


def test_a_locked_name_and_former_names_are_shown(world: World) -> None:
    client = operator()
    page = reverse("admin:ratings_player_change", args=[world.anna.pk])
    form = client.get(page).context["adminform"].form
    sent = {"external_id": "anna", "name": "Anne", "name_locked": "on", "user": ""}
    client.post(page, {**sent, "opened_as": form.opened_as})
    world.anna.refresh_from_db()
    assert (world.anna.name, world.anna.name_locked) == ("Anne", True)
    shown = client.get(page).content.decode()
    assert "Former names" in shown
    assert "Anna" in shown
