"""Whose player an operator has merged, renamed, or moved, reads of it where sanctions are told, for a while."""

import html
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from foundation import clock
from matchmaking.parties.lifecycle import open_party
from ratings.merging.merge import merge
from ratings.merging.unmerge import unmerge
from ratings.models import Game, Player
from ratings.players.accounts import move_player
from ratings.players.enrol import enrol
from ratings.players.operators_changes import TOLD_FOR
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.squads import make_team_hall
from tests.matchmaking.visiting import HTMX, accounts, queue_page_of, text_of, words_of

pytestmark = pytest.mark.django_db

PAGES = ("/", "/play/")


@pytest.fixture
def hall() -> Hall:
    return make_hall()


def told(client: Client, page: str) -> list[str]:
    """What the page says of operators, without signs of direction."""
    return re.findall(r"An admin has [^.]+\.", re.sub(r"\s+([.,)])", r"\1", words_of(client, page)))


def rename(player: int, name: str, **more: str) -> None:
    operator = Client()
    operator.force_login(User.objects.create_superuser("olga"))
    page = reverse("admin:ratings_player_change", args=[player])
    sent = operator.get(page).context["adminform"].form.initial
    kept = {key: value for key, value in sent.items() if value and key != "game"}
    assert operator.post(page, {**kept, "name": name, **more}).status_code == 302


@pytest.mark.parametrize("page", PAGES)
def test_both_accounts_of_a_merge_read_of_it_and_of_its_end(hall: Hall, page: str) -> None:
    anna, berta, carla = accounts(hall, "anna", "berta", "carla")
    one, two = hall.players[:2]
    merge(player=two, into=one, by=None, note="x")
    (of_anna,), (of_berta,) = told(anna, page), told(berta, page)
    assert "merged the player Berta into yours" in of_anna
    assert "merged your player Berta into Anna" in of_berta
    assert "Berta into Anna, a player of another account" in of_berta
    assert "If you think that is a mistake" not in words_of(berta, page)
    Game.objects.update(appeals_to="https://example.org/appeal")
    assert 'please ask: <a href="https://example.org/appeal"' in text_of(berta, page)
    assert "please ask" not in words_of(anna, page)
    two.refresh_from_db()
    unmerge(player=two, by=None, note="x")
    for client in (anna, berta):
        (said,) = told(client, page)
        assert "undone the merge of Berta into Anna" in said
    assert told(carla, page) == told(Client(), page) == []


def test_whoever_has_a_merged_player_alone_is_greeted_all_the_same(hall: Hall) -> None:
    anna, berta = accounts(hall, "anna", "berta")
    merge(player=hall.players[1], into=hall.players[0], by=None, note="x")
    for name, client in (("anna", anna), ("berta", berta)):
        assert f"Hello, {name}" in words_of(client, "/")
    assert "Hello" not in words_of(Client(), "/")


@pytest.mark.parametrize("page", PAGES)
def test_whose_account_came_along_reads_as_whom_it_plays(hall: Hall, page: str) -> None:
    (anna,) = accounts(hall, "anna")
    merge(player=hall.players[0], into=hall.players[3], by=None, note="x")
    (said,) = told(anna, page)
    assert f"merged your player Anna into {hall.players[3].name}" in said
    assert f"you play as {hall.players[3].name}" in words_of(anna, page)


@pytest.mark.parametrize("page", PAGES)
def test_a_name_that_an_operator_gave_is_told_and_no_other(hall: Hall, page: str) -> None:
    anna, berta = accounts(hall, "anna", "berta")
    enrol(game=hall.ladder.game, external_id=hall.players[1].external_id, name="Bertha")
    rename(hall.players[0].pk, "Anne")
    (said,) = told(anna, page)
    assert "renamed your player Anna to Anne" in said
    assert told(berta, page) == []


def test_a_lock_alone_is_no_other_name(hall: Hall) -> None:
    (anna,) = accounts(hall, "anna")
    rename(hall.players[0].pk, "Anna", name_locked="on")
    assert told(anna, "/") == []


def test_it_is_told_for_a_while(hall: Hall) -> None:
    anna, berta = accounts(hall, "anna", "berta")
    merge(player=hall.players[1], into=hall.players[0], by=None, note="x")
    rename(hall.players[0].pk, "Anne")
    with clock.at(clock.now() + TOLD_FOR - timedelta(minutes=1)):
        assert (len(told(anna, "/")), len(told(berta, "/"))) == (2, 1)
    with clock.at(clock.now() + TOLD_FOR + timedelta(minutes=1)):
        assert told(anna, "/") == told(berta, "/") == []


def test_whoever_is_told_nothing_waits_for_no_query(hall: Hall) -> None:
    anna, berta = accounts(hall, "anna", "berta")
    merge(player=hall.players[2], into=hall.players[1], by=None, note="x")
    for page in PAGES:
        for told_of, client in ((0, anna), (1, berta)):
            client.get(page)
            with CaptureQueriesContext(connection) as asked:
                client.get(page)
            read = [
                one["sql"]
                for one in asked
                if one["sql"].lstrip().startswith("SELECT CASE WHEN merge")
            ]
            assert len(read) == told_of, (page, read)


def test_open_pages_learn_of_it(hall: Hall) -> None:
    (anna,) = accounts(hall, "anna")
    ways = {"/play/": r'id="queues" hx-get="([^"]+)"', "/": r'id="home-own"[^>]+hx-get="([^"]+)"'}
    asked = {}
    for page, way in ways.items():
        found = re.search(way, text_of(anna, page))
        assert found is not None
        asked[page] = html.unescape(found[1])
        assert anna.get(asked[page], headers=HTMX).status_code == 204, page
    rename(hall.players[0].pk, "Anne")
    for page, again in asked.items():
        assert "An admin has renamed" in anna.get(again, headers=HTMX).content.decode(), page


def move(player: Player, to: str) -> None:
    move_player(player=player, to=User.objects.get(username=to), by=None, note="x")


@pytest.mark.parametrize("page", PAGES)
def test_both_accounts_of_a_move_read_of_it(hall: Hall, page: str) -> None:
    anna, berta = accounts(hall, "anna", "berta")
    carl, dora = (User.objects.create_user(name) for name in ("carl", "dora"))
    of_carl, of_dora = Client(), Client()
    of_carl.force_login(carl)
    of_dora.force_login(dora)
    player = hall.players[0]
    move(player, "carl")
    (lost,), (got,) = told(anna, page), told(of_carl, page)
    assert "moved your player Anna to another account (Go)" in lost
    assert "moved the player Anna to your account (Go)" in got
    assert "It is your player now." in words_of(of_carl, page)
    assert "please ask" not in words_of(anna, page)
    Game.objects.update(appeals_to="https://example.org/appeal")
    assert 'please ask: <a href="https://example.org/appeal"' in text_of(anna, page)
    assert "please ask" not in words_of(of_carl, page)
    assert told(berta, page) == []
    move(player, "dora")
    (lost,), (got,) = told(of_carl, page), told(of_dora, page)
    assert "your player Anna to another account" in lost
    assert "to your account" in got
    with clock.at(clock.now() + TOLD_FOR + timedelta(minutes=1)):
        assert told(anna, page) == told(of_carl, page) == told(of_dora, page) == []


LENT = "Your player Berta was merged into Anna, a player of another account."


@pytest.mark.parametrize("address", ["", "https://example.org/appeal"])
def test_whose_player_is_lent_is_asked_for_no_name_but_told(hall: Hall, address: str) -> None:
    _anna, berta = accounts(hall, "anna", "berta")
    two, page = hall.players[1], queue_page_of(hall)
    Game.objects.update(appeals_to=address)
    merge(player=two, into=hall.players[0], by=None, note="x")
    for after in (timedelta(), TOLD_FOR + timedelta(days=9)):
        with clock.at(clock.now() + after):
            said = plain(words_of(berta, page))
            assert LENT in said
            assert "Use this name" not in said
            assert (f'ask: <a href="{address}"' in text_of(berta, page)) == bool(address)
            assert ("ask an admin of this site" in said) != bool(address)
            assert "Find a match" not in words_of(berta, "/play/")
    refused = berta.post(f"{page}player/", {"name": "Bea"}, follow=True)
    text = plain(html.unescape(refused.content.decode()))
    assert text.count(LENT) == 2  # the message, and the page
    assert Player.objects.filter(name="Bea").count() == 0
    two.refresh_from_db()
    again = re.search(r'id="stage"[^>]+hx-get="([^"]+)"', text_of(berta, page))
    assert again is not None
    unmerge(player=two, by=None, note="x")
    assert "Find a match" in berta.get(html.unescape(again[1]), headers=HTMX).content.decode()
    assert "Find a match" in words_of(berta, "/play/")


def test_an_invitation_asks_them_for_no_name_either() -> None:
    hall = make_team_hall()
    _anna, berta = accounts(hall, "anna", "berta")
    page = f"/play/party/{open_party(player=hall.players[2]).code}/"
    merge(player=hall.players[1], into=hall.players[0], by=None, note="x")
    said = plain(words_of(berta, page))
    assert LENT in said
    assert "Use this name" not in said


def plain(text: str) -> str:
    """Without signs of direction."""
    return re.sub("[\u2066-\u2069]", "", text)
