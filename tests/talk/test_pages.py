"""Talk on the pages: with scripts and without, for those who take part, and harmless whatever is written."""

import pytest
from django.test import Client

from matchmaking.models import Party
from talk.models import Line, Muted, TalkRules
from tests.matchmaking.hall import Hall
from tests.matchmaking.squads import gather, make_team_hall
from tests.matchmaking.visiting import HTMX, make_account, queue_page_of, text_of, words_of

pytestmark = pytest.mark.django_db
HOSTILE = (
    "<script>alert(1)</script> \u202egpj.exe <img src=x onerror=alert(1)> {{ 7*7 }} ' \" &amp;"
)


@pytest.fixture
def hall() -> Hall:
    found = make_team_hall(4)
    TalkRules.objects.create(game=found.ladder.game)
    return found


@pytest.fixture
def party(hall: Hall) -> Party:
    return gather(hall, 0, 1)


@pytest.fixture
def anna(hall: Hall) -> Client:
    return make_account(hall, 0, "anna")


@pytest.fixture
def berta(hall: Hall) -> Client:
    return make_account(hall, 1, "berta")


def place_of(party: Party) -> str:
    return f"/talk/party/{party.pk}/"


def test_two_write_to_each_other_without_scripts(anna: Client, berta: Client, party: Party) -> None:
    address = place_of(party)
    assert "Nobody has said anything yet." in words_of(anna, address)
    answer = anna.post(address, {"text": "  Hello   there "})
    assert (answer.status_code, answer["Location"]) == (302, address)
    words = words_of(berta, address)
    assert "Hello there" in words
    assert "It is kept for 30 days." in words


def test_hostile_text_is_text(anna: Client, berta: Client, party: Party) -> None:
    anna.post(place_of(party), {"text": HOSTILE})
    page = text_of(berta, place_of(party))
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; gpj.exe &lt;img" in page
    assert "{{ 7*7 }}" in page
    assert "\u202e" not in page


def test_htmx_is_answered_with_the_lines_and_that_it_was_said(anna: Client, party: Party) -> None:
    address = place_of(party)
    answer = anna.post(address, {"text": "Hello"}, headers=HTMX)
    text = answer.content.decode()
    assert answer["HX-Trigger"] == '{"said": {}}' or answer["HX-Trigger"] == "said"
    assert text.count("Hello") == 1
    assert '<form class="talk-form"' not in text
    refused = anna.post(address, {"text": "\u200b"}, headers=HTMX)
    assert "HX-Trigger" not in refused
    assert "Write something" in refused.content.decode()


def test_lines_ask_for_news_of_themselves(anna: Client, party: Party) -> None:
    address = place_of(party)
    first = text_of(anna, address, headers=HTMX)
    assert '<form class="talk-form"' in first  # what the frame beside the party asks for
    again = first.split('hx-get="')[1].split('"')[0].replace("&amp;", "&")
    assert anna.get(again, headers=HTMX).status_code == 204
    anna.post(address, {"text": "Hello"})
    news = anna.get(again, headers=HTMX)
    assert news.status_code == 200
    assert "Hello" in news.content.decode()
    assert '<form class="talk-form"' not in news.content.decode()


def test_strangers_and_visitors_find_nothing(hall: Hall, party: Party) -> None:
    carla = make_account(hall, 2, "carla")
    assert carla.get(place_of(party)).status_code == 404
    assert carla.post(place_of(party), {"text": "Hello"}).status_code == 404
    assert Client().get(place_of(party)).status_code == 302
    assert Client().post(place_of(party), {"text": "Hello"}).status_code == 302
    assert not Line.objects.exists()


def test_where_it_is_off_no_page_speaks_of_it(hall: Hall, anna: Client, party: Party) -> None:
    assert place_of(party) in text_of(anna, queue_page_of(hall))
    TalkRules.objects.update(is_on=False)
    assert place_of(party) not in text_of(anna, queue_page_of(hall))
    assert anna.get(place_of(party)).status_code == 404


def test_somebody_is_muted_beside_a_line_and_heard_again(
    hall: Hall, anna: Client, berta: Client, party: Party
) -> None:
    berta.post(place_of(party), {"text": "noise"})
    other = hall.players[1].pk
    assert f'action="/talk/muted/{other}/"' in text_of(anna, place_of(party))
    answer = anna.post(f"/talk/muted/{other}/", {"back": place_of(party)}, follow=True)
    page = answer.content.decode()
    assert "You don&#x27;t read Berta any more." in page
    assert "noise" not in page
    assert "Berta" in words_of(anna, "/talk/muted/")
    away = anna.post(f"/talk/muted/{other}/stop/", {"back": "https://elsewhere.example/"})
    assert away["Location"] == "/talk/muted/"
    assert not Muted.objects.exists()
    assert "noise" in words_of(anna, place_of(party))
