"""The pages of clans: what stands there, and what their buttons do, with and without JavaScript."""

import html

import pytest
from django.test import Client

from accounts.models import AuditEntry, User
from clans import lifecycle, membership
from clans.models import Application, Clan, Membership
from people import befriend
from tests.clans.making import founded, joined, members
from tests.matchmaking.hall import make_hall
from tests.matchmaking.visiting import HTMX, make_account, text_of

pytestmark = pytest.mark.django_db


def shown(client: Client, address: str) -> str:
    return html.unescape(text_of(client, address))


def test_a_clan_is_founded_changed_and_dissolved() -> None:
    hall = make_hall(2)
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    slug = hall.ladder.game.slug
    assert Client().get(f"/clans/new/{slug}/").status_code == 302
    assert "no clan yet" in shown(anna, "/clans/")
    form = {"name": "Wolves", "tag": "WLF", "note": "Evenings.", "access": "open", "most": 5}
    for wrong in ({"most": 100}, {"tag": "W F"}, {"name": "x"}):
        assert anna.post(f"/clans/new/{slug}/", {**form, **wrong}).status_code == 422
    answer = anna.post(f"/clans/new/{slug}/", form)
    clan = Clan.objects.get()
    assert answer.headers["Location"] == f"/clans/{clan.pk}/"
    for visitor in (anna, bernd, Client()):
        text = shown(visitor, f"/clans/{clan.pk}/")
        assert "Evenings." in text
        assert "[<bdi>WLF</bdi>]" in text
        assert ("What you can do" in text) == (visitor is anna)
    assert bernd.post(f"/clans/new/{slug}/", form).status_code == 422
    assert bernd.get(f"/clans/{clan.pk}/change/").status_code == 404
    change = {**form, "tag": "PCK", "note": ""}
    assert anna.post(f"/clans/{clan.pk}/change/", change).status_code == 302
    assert "[<bdi>PCK</bdi>]" in shown(Client(), f"/players/{hall.players[0].pk}/")
    to_clan = Client().get(f"/clans/of/{hall.players[0].pk}/")
    assert to_clan.headers["Location"] == f"/clans/{clan.pk}/"
    assert Client().get(f"/clans/of/{hall.players[1].pk}/").status_code == 404
    anna.post(f"/clans/{clan.pk}/dissolve/")
    assert "dissolved on" in shown(bernd, f"/clans/{clan.pk}/")
    assert "[<bdi>" not in shown(Client(), f"/clans/?game={slug}")


def test_clans_of_a_game_are_found_by_name_and_tag() -> None:
    hall = make_hall(2)
    founded(hall)
    founded(hall, 1, name="Grey Foxes", tag="FOX")
    slug = hall.ladder.game.slug
    for typed, names in (
        ("", {"Wolves", "Grey Foxes"}),
        ("wlf", {"Wolves"}),
        ("FOXES", {"Grey Foxes"}),
    ):
        text = shown(Client(), f"/clans/?game={slug}&q={typed}")
        assert {name for name in ("Wolves", "Grey Foxes") if name in text} == names
    assert "No clan is called so" in shown(Client(), f"/clans/?game={slug}&q=bear")
    assert Client().get("/clans/?q=%00%00wolves").status_code == 200


def test_buttons_go_all_the_way() -> None:
    hall = make_hall(4)
    anna, bernd, carla, dora = (
        make_account(hall, number, name)
        for number, name in enumerate(("anna", "bernd", "carla", "dora"))
    )
    one, two, three, four = hall.players
    clan = founded(hall)
    page = f"/clans/{clan.pk}/"
    befriend.befriend(player=one, other=two)
    befriend.befriend(player=two, other=one)
    assert '<option value="Bernd">' in shown(anna, page)
    anna.post(f"{page}invite/", {"name": "Bernd"})
    anna.post(f"{page}invite/", {"name": "Nobody"})
    assert "No player of the game has exactly this name." in shown(anna, page)
    assert anna.post(f"{page}invite/", {"name": "\0Nobody\0"}).status_code == 302
    assert "You're invited" in shown(bernd, "/clans/")
    bernd.post(f"{page}decline/")
    anna.post(f"{page}invite/", {"name": "Bernd"})
    anna.post(f"{page}withdraw/", {"player": two.pk})
    anna.post(f"{page}invite/", {"name": "Bernd"})
    bernd.post(f"{page}join/")
    assert members(clan) == [one.pk, two.pk]
    for _ in range(2):
        carla.post(f"{page}apply/")
        assert "You have applied" in shown(carla, page)
        assert "You have applied" in shown(carla, "/clans/")
        carla.post(f"{page}take-back/")
    assert not Application.objects.exists()
    carla.post(f"{page}apply/")
    dora.post(f"{page}apply/")
    assert "They want to join" not in shown(bernd, page)
    anna.post(f"{page}officer/", {"player": two.pk, "officer": "1"})
    assert "They want to join" in shown(bernd, page)
    bernd.post(f"{page}accept/", {"player": three.pk})
    bernd.post(f"{page}turn-down/", {"player": four.pk})
    assert members(clan) == [one.pk, two.pk, three.pk]
    anna.post(f"{page}officer/", {"player": two.pk, "officer": "0"})
    assert not Membership.objects.filter(is_officer=True).exists()
    anna.post(f"{page}leader/", {"player": two.pk})
    assert Clan.objects.get().leader == two
    bernd.post(f"{page}remove/", {"player": three.pk})
    bernd.post(f"{page}remove/", {"player": one.pk})
    assert members(clan) == [two.pk]
    bernd.post(f"{page}leave/")
    assert Clan.objects.get().is_over


def test_the_page_says_nothing_twice() -> None:
    hall = make_hall(2)
    anna = make_account(hall, 0, "anna")
    clan = founded(hall, access="open")
    text = text_of(anna, f"/clans/{clan.pk}/", headers=HTMX)
    assert text.lstrip().startswith("<div")
    again = html.unescape(text.partition('hx-get="')[2].partition('"')[0])
    assert anna.get(again, headers=HTMX).status_code == 204
    membership.join(clan_id=clan.pk, player=hall.players[1])
    assert anna.get(again, headers=HTMX).status_code == 200
    lifecycle.appoint(
        clan_id=clan.pk, player_id=hall.players[1].pk, by=hall.players[0], is_officer=True
    )
    assert "officer" in text_of(anna, f"/clans/{clan.pk}/", headers=HTMX)


def test_an_operator_finds_and_dissolves_clans() -> None:
    hall = make_hall(3)
    clan = founded(hall, access="open")
    joined(hall, clan, 2)
    founded(hall, 1, name="Foxes", tag="FOX")
    admin = Client()
    admin.force_login(User.objects.create_superuser("ada", "ada@example.org", "difference"))
    for term in ("wolv", "wlf", hall.players[2].name):
        text = text_of(admin, f"/admin/clans/clan/?q={term}")
        assert f"/admin/clans/clan/{clan.pk}/change/" in text
        assert "Foxes" not in text
    answer = admin.post(f"/admin/clans/clan/{clan.pk}/dissolve/", {"note": "Hateful name"})
    assert answer.status_code == 302
    assert [one.name for one in Clan.objects.filter(ended_at=None)] == ["Foxes"]
    assert AuditEntry.objects.filter(action="clan.dissolved", note="Hateful name").exists()
    assert "Dissolve the clan" not in text_of(admin, f"/admin/clans/clan/{clan.pk}/change/")
    assert admin.get(f"/admin/clans/clan/{clan.pk}/dissolve/").status_code == 404
