"""How who has too many disputes is told so: on the page of a queue, in the party, by the API, and in the admin."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from api.auth.issue import issue_token
from foundation import clock
from matchmaking.models import Ticket
from ratings.matches.start import start_match
from ratings.models import Match, Outcome
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.limited.quarrels import decide, quarrel, say
from tests.matchmaking.visiting import make_account, queue_page_of, stage_of, text_of, words_of

pytestmark = pytest.mark.django_db

WORDS = "You can't search for ranked matches now"


@pytest.fixture
def hall() -> Hall:
    return make_hall(8)


@pytest.fixture
def anna(hall: Hall) -> Client:
    return make_account(hall, 0, "anna")


@pytest.fixture
def disputes(hall: Hall) -> list[Match]:
    return [quarrel(hall, 0, other) for other in (1, 2, 3)]


def test_the_queue_says_why_and_links_the_matches(
    hall: Hall, anna: Client, disputes: list[Match]
) -> None:
    text = text_of(anna, queue_page_of(hall))
    notice = text[text.index('id="stage-barred"') :]
    assert re.findall(r'href="(/play/matches/\d+/)"', notice)[:3] == [
        reverse("play-match", args=[match.pk]) for match in disputes
    ]
    assert f"/play/in/{hall.queue.slug}/search/" not in text
    version = re.search(r"seen=([^\"&]+)", text)
    decide(disputes[0], winner=0)
    assert version is not None
    assert f"/play/in/{hall.queue.slug}/search/" in text_of(anna, queue_page_of(hall))
    assert version[1] not in text_of(anna, queue_page_of(hall))


def test_later_too_when_the_page_has_forgotten_the_match(
    hall: Hall, anna: Client, disputes: list[Match]
) -> None:
    with clock.at(clock.now() + timedelta(hours=2)):
        assert stage_of(anna, hall) == "idle"
        assert WORDS in words_of(anna, queue_page_of(hall))
        assert f"{queue_page_of(hall)}search/" not in text_of(anna, queue_page_of(hall))


def test_pressing_the_button_leads_there(hall: Hall, anna: Client, disputes: list[Match]) -> None:
    answer = anna.post(reverse("search-match", args=[hall.queue.slug]))
    assert answer["Location"] == queue_page_of(hall)
    assert not Ticket.objects.exists()
    assert words_of(anna, queue_page_of(hall)).count(WORDS) == 1


def test_the_others_of_a_party_are_told_who_it_is() -> None:
    hall = make_hall(12, team_size=2)
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    ids = [player.pk for player in hall.players]
    for number in (4, 6, 8):
        match = start_match(ladder=hall.ladder, teams=[[ids[1], ids[2]], ids[number : number + 2]])
        say(match, hall, 2, Outcome.NOT_PLAYED)
        for one in (1, number):
            say(match, hall, one, Outcome.WON)
    hall.gather(0, 1)
    text = words_of(anna, queue_page_of(hall))
    assert "Bernd from your party can't search for ranked matches now" in text
    assert WORDS in words_of(bernd, queue_page_of(hall))
    answer = anna.post(reverse("search-match", args=[hall.queue.slug]), follow=True)
    assert "Bernd from your party" in answer.content.decode()
    assert not Ticket.objects.exists()


def test_the_api_refuses_with_the_matches(hall: Hall, anna: Client, disputes: list[Match]) -> None:
    _held, token = issue_token(player=hall.players[0], name="mine", scopes=["play"])
    answer = Client().post(
        "/api/v1/tickets",
        {"queue": hall.queue.slug},
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )
    told = answer.json()
    assert (answer.status_code, told["code"]) == (409, "too_many_disputes")
    assert (told["matches"], told["limit"]) == ([match.pk for match in disputes], 3)


def test_admins_see_who_disputes_most(
    hall: Hall, disputes: list[Match], admin_client: Client
) -> None:
    quarrel(hall, 4, 5)
    decide(quarrel(hall, 6, 5), winner=1)
    address = reverse("admin:ratings_match_disputants")
    assert address in text_of(admin_client, reverse("admin:ratings_match_disputes"))
    text = text_of(admin_client, address)
    table = text[text.index('<div class="module wide-table">') :]
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)[1:]
    cells = [re.sub(r"<[^>]+>", " ", row).split() for row in rows]
    # Name, whether kept out, disputes that wait, that count, decided against
    assert cells[0][:2] == ["player", "0"]
    assert cells[0][-3:] == ["3", "3", "0"]
    assert "Kept" in cells[0]
    assert cells[1][:2] == ["player", "6"]
    assert cells[1][-3:] == ["0", "0", "1"]
    assert len(cells) == 7
    match_list = f"?state__exact=disputed&participants__player__id__exact={hall.players[0].pk}"
    assert match_list.replace("&", "&amp;") in rows[0]
    listed = text_of(admin_client, reverse("admin:ratings_match_changelist") + match_list)
    assert all(f">{match.pk}<" in listed for match in disputes)


def test_only_who_may_see_matches_sees_the_list(hall: Hall, anna: Client) -> None:
    address = reverse("admin:ratings_match_disputants")
    User.objects.filter(username="anna").update(is_staff=True)
    assert anna.get(address).status_code == 403
