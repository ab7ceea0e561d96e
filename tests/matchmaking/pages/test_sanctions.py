"""What a player sees of sanctions: why, until when, where to appeal, and no button that would be refused."""

import html
import re
from datetime import datetime, timedelta

import pytest
from django.test import Client

from foundation import clock
from matchmaking.parties.lifecycle import open_party
from ratings.models import Game, Outcome, SanctionKind, SuspendedFrom
from ratings.sanctions import impose, lift
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.squads import make_team_hall
from tests.matchmaking.visiting import HTMX, accounts, meet, queue_page_of, say, text_of, words_of

pytestmark = pytest.mark.django_db


def test_a_suspended_player_reads_why_and_cannot_press_search() -> None:
    hall = make_hall()
    game = hall.ladder.game
    game.appeals_to = "https://example.org/appeal"
    game.save()
    anna, berta = accounts(hall, "anna", "berta")
    assert "/search/" in text_of(anna, queue_page_of(hall)) or "Find a match" in words_of(
        anna, queue_page_of(hall)
    )
    sanction = impose(
        player=hall.players[0],
        kind=SanctionKind.SUSPENDED,
        suspended_from=SuspendedFrom.SEARCHING,
        reason="Left <b>nine</b> matches.",
        by=None,
    )
    page = text_of(anna, queue_page_of(hall))
    assert "Left &lt;b&gt;nine&lt;/b&gt; matches." in page
    assert 'href="https://example.org/appeal"' in page
    words = words_of(anna, queue_page_of(hall))
    assert (
        f"In {game.name}, you are suspended from searching for matches until an admin lifts it."
        in words
    )
    assert "You can't search for matches now" in words
    for asked in ("Find a match", "Ready, Anna"):
        assert asked not in words
    assert "suspended" not in words_of(berta, queue_page_of(hall))
    lift(sanction_id=sanction.pk, by=None)
    assert "Find a match" in words_of(anna, queue_page_of(hall))


def test_after_a_match_too() -> None:
    hall = make_hall()
    anna, _berta = accounts(hall, "anna", "berta")
    match = meet(hall)
    for number, outcome in ((0, Outcome.WON), (1, Outcome.LOST)):
        say(match, hall, number, outcome)
    impose(player=hall.players[0], kind=SanctionKind.WARNING, reason="Mind your words.", by=None)
    words = words_of(anna, queue_page_of(hall))
    assert ", an admin has warned you." in words
    assert "Mind your words." in words
    assert "Find another match" in words


def suspend(hall: Hall, number: int, what: SuspendedFrom, until: datetime | None = None) -> None:
    impose(
        player=hall.players[number],
        kind=SanctionKind.SUSPENDED,
        suspended_from=what,
        reason="Cursed.",
        until=until,
        by=None,
    )


def test_a_suspension_that_one_from_everything_covers_is_not_told_beside_it() -> None:
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    now = clock.now()
    suspend(hall, 0, SuspendedFrom.SEARCHING, now + timedelta(days=2))
    suspend(hall, 0, SuspendedFrom.PARTIES, now + timedelta(days=4))
    suspend(hall, 0, SuspendedFrom.RESULTS)
    suspend(hall, 0, SuspendedFrom.ALL, now + timedelta(days=3))
    for page in ("/", "/play/", queue_page_of(hall)):
        words = words_of(anna, page)
        assert "suspended from everything" in words, page
        assert "suspended from searching" not in words.replace("suspended from searching now", "")
        assert "suspended from parties" in words, page  # lasts longer
        assert "suspended from reporting results" in words, page


def test_whoever_may_not_report_is_told_in_place_of_the_form() -> None:
    hall = make_hall()
    anna, berta = accounts(hall, "anna", "berta")
    match = meet(hall)
    suspend(hall, 0, SuspendedFrom.RESULTS)
    for page in (queue_page_of(hall), f"/play/matches/{match.pk}/"):
        assert "Cursed." in text_of(anna, page)
        assert f"/play/matches/{match.pk}/report/" not in text_of(anna, page)
        assert f"/play/matches/{match.pk}/report/" in text_of(berta, page)
        assert "left for the others to report; after that" in words_of(anna, page), page
        assert "left to report; after that" not in words_of(anna, page), page
    assert "left to report; after that" in words_of(berta, queue_page_of(hall))
    say(match, hall, 1, Outcome.WON)
    assert f"/play/matches/{match.pk}/report/" not in text_of(anna, queue_page_of(hall))


def test_nor_is_the_form_there_in_a_dispute() -> None:
    hall = make_hall()
    anna, berta = accounts(hall, "anna", "berta")
    match = meet(hall)
    for number in (0, 1):
        say(match, hall, number, Outcome.WON)
    suspend(hall, 0, SuspendedFrom.RESULTS)
    for page in (queue_page_of(hall), f"/play/matches/{match.pk}/"):
        assert "Cursed." in text_of(anna, page), page
        assert f"/play/matches/{match.pk}/report/" not in text_of(anna, page)
        assert f"/play/matches/{match.pk}/report/" in text_of(berta, page)


def test_whoever_may_be_in_no_party_is_offered_none() -> None:
    hall = make_team_hall()
    anna, berta = accounts(hall, "anna", "berta")
    suspend(hall, 0, SuspendedFrom.PARTIES)
    words = words_of(anna, queue_page_of(hall))
    assert "You're suspended from parties now." in words
    assert "Open a party" not in words
    assert "Find a match" in words
    assert "Open a party" in words_of(berta, queue_page_of(hall))


@pytest.mark.parametrize("page", ["/play/", "/"])
def test_the_first_pages_tell_it_above_all_else_and_to_nobody_else(page: str) -> None:
    hall = make_hall()
    Game.objects.update(appeals_to="https://example.org/appeal")
    anna, berta = accounts(hall, "anna", "berta")
    assert "Find a match" in words_of(anna, page)
    suspend(hall, 0, SuspendedFrom.ALL)
    words = words_of(anna, page)
    assert (
        f"In {hall.ladder.game.name}, you are suspended from everything until an admin lifts it."
        in words
    )
    assert words.count("Cursed.") == 1
    first = "My ratings" if page == "/" else hall.queue.name
    assert words.index("Cursed.") < words.rindex(first)
    assert "Find a match" not in words
    assert 'href="https://example.org/appeal"' in text_of(anna, page)
    if page == "/play/":
        assert "You're suspended from searching now." in words
    others = words_of(berta, page)
    assert "Cursed." not in others
    assert "Find a match" in others
    assert "Cursed." not in words_of(Client(), page)


def test_parts_of_pages_that_ask_again_learn_of_it() -> None:
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    ways = {"/play/": r'id="queues" hx-get="([^"]+)"', "/": r'id="home-own"[^>]+hx-get="([^"]+)"'}
    for page, way in ways.items():
        again = find(way, text_of(anna, page))
        assert anna.get(again, headers={"HX-Request": "true"}).status_code == 204, page
        impose(player=hall.players[0], kind=SanctionKind.WARNING, reason=f"On {page}", by=None)
        assert f"On {page}" in anna.get(again, headers={"HX-Request": "true"}).content.decode()


def test_the_button_of_an_open_start_page_goes_and_comes_back() -> None:
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    again = find(r'id="home-own"[^>]+hx-get="([^"]+)"', text_of(anna, "/"))
    suspend(hall, 0, SuspendedFrom.SEARCHING)
    learned = anna.get(again, headers=HTMX).content.decode()
    assert "Hello, anna" in learned
    assert "Find a match" not in learned
    make_hall()  # another game, in which she may
    assert "Find a match" in anna.get(again, headers=HTMX).content.decode()


def find(way: str, text: str) -> str:
    found = re.search(way, text)
    assert found is not None
    return html.unescape(found[1])


def test_whoever_may_not_report_is_led_to_the_match_and_asked_for_nothing() -> None:
    hall = make_hall()
    anna, berta = accounts(hall, "anna", "berta")
    meet(hall)
    suspend(hall, 0, SuspendedFrom.RESULTS)
    assert "Report the result" not in words_of(anna, "/")
    assert "See the match" in words_of(anna, "/")
    assert "Report the result" in words_of(berta, "/")


@pytest.mark.parametrize("is_disputed", [False, True])
def test_the_public_page_of_the_match_does_not_ask_for_it_either(is_disputed: bool) -> None:
    hall = make_hall()
    anna, berta = accounts(hall, "anna", "berta")
    match = meet(hall)
    if is_disputed:
        for number in (0, 1):
            say(match, hall, number, Outcome.WON)
    suspend(hall, 0, SuspendedFrom.RESULTS)
    page, refused = f"/matches/{match.pk}/", "You can't report how it ended."
    leads_to = "See the dispute" if is_disputed else "See the match"
    asks = "See the dispute" if is_disputed else "Report the result"
    of_anna = article_of(anna, page)
    assert refused in of_anna
    assert leads_to in of_anna
    assert "Report the result" not in of_anna
    of_berta = article_of(berta, page)
    assert refused not in of_berta
    assert asks in of_berta


def test_the_public_page_of_the_match_learns_of_it_where_it_is_open() -> None:
    hall = make_hall()
    anna, berta = accounts(hall, "anna", "berta")
    match = meet(hall)
    page, way = f"/matches/{match.pk}/", r'id="match-story"[^>]+hx-get="([^"]+)"'
    again = {client: find(way, text_of(client, page)) for client in (anna, berta)}
    for client in (anna, berta):
        assert client.get(again[client], headers=HTMX).status_code == 204
    suspend(hall, 0, SuspendedFrom.RESULTS)
    learned = anna.get(again[anna], headers=HTMX).content.decode()
    assert "You can't report how it ended." in learned
    assert "Report the result" not in learned
    assert berta.get(again[berta], headers=HTMX).status_code == 204


def article_of(client: Client, page: str) -> str:
    """The page without the bar, which says it by itself."""
    return words_of(client, page).partition("You're in this match.")[2]


def test_a_warning_says_until_when_it_stands() -> None:
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    impose(
        player=hall.players[0],
        kind=SanctionKind.WARNING,
        reason="Mind your words.",
        until=clock.now() + timedelta(days=3),
        by=None,
    )
    for page in ("/", "/play/", queue_page_of(hall)):
        assert ", an admin has warned you. This stands until " in words_of(anna, page), page
        # In UTC as an element that scripts turn to the reader's zone.
        assert re.search(r'stands until <time [^>]+ data-local="moment">', text_of(anna, page)), (
            page
        )


def test_whoever_may_not_search_in_one_game_is_led_to_another() -> None:
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    suspend(hall, 0, SuspendedFrom.ALL)
    assert "Find a match" not in words_of(anna, "/")
    make_hall()
    for page in ("/", "/play/"):
        words = words_of(anna, page)
        assert f"In {hall.ladder.game.name}, you are suspended from everything" in words, page
        assert "Find a match" in words, page


def test_whoever_may_not_report_is_not_asked_whether_it_is_right() -> None:
    hall = make_hall()
    anna, _berta = accounts(hall, "anna", "berta")
    match = meet(hall)
    say(match, hall, 1, Outcome.WON)
    suspend(
        hall, 0, SuspendedFrom.RESULTS
    )  # until the next run of deadlines, or where others may report
    for page in ("/", "/play/", "/search/"):
        words = words_of(anna, page)
        assert "Berta reported your match" in words, page
        assert "is that right" not in words, page
    for page in (queue_page_of(hall), f"/play/matches/{match.pk}/"):
        words = words_of(anna, page)
        assert "You can't report how it ended." in words
        assert "Unless reports contradict each other, the result counts at" in words
        assert "until the result counts" in words
        for asked in ("If that's right", "If you report something else", "left to answer"):
            assert asked not in words, page
        assert words.count("Cursed.") == 1, page


def test_a_dispute_does_not_say_that_a_suspended_player_may_report() -> None:
    hall = make_hall()
    game = hall.ladder.game
    game.appeals_to = "https://example.org/appeal"
    game.save()
    anna, berta = accounts(hall, "anna", "berta")
    match = meet(hall)
    for number in (0, 1):
        say(match, hall, number, Outcome.WON)
    suspend(hall, 0, SuspendedFrom.RESULTS)
    for page in (queue_page_of(hall), f"/play/matches/{match.pk}/"):
        words = words_of(anna, page)
        assert "you can't report now" in words, page
        assert "everyone can change their report" not in words
        assert words.count("Cursed.") == 1, page
        assert 'href="https://example.org/appeal"' in text_of(anna, page), page
        assert "everyone can change their report" in words_of(berta, page)


def test_an_invitation_says_who_may_be_in_no_party() -> None:
    hall = make_team_hall()
    anna, berta = accounts(hall, "anna", "berta")
    party = open_party(player=hall.players[2])
    page = f"/play/party/{party.code}/"
    assert "Join as Anna" in words_of(anna, page)
    suspend(hall, 0, SuspendedFrom.PARTIES)
    words = words_of(anna, page)
    assert "Join as" not in words
    assert "you are suspended from parties" in words
    assert "Cursed." in words
    assert "Join as Berta" in words_of(berta, page)


def test_a_match_that_nobody_may_report_says_when_it_ends() -> None:
    hall = make_hall()
    anna, _berta = accounts(hall, "anna", "berta")
    match = meet(hall)
    says = "Nobody of this match may report now: it ends without a result at"
    pages = (queue_page_of(hall), f"/play/matches/{match.pk}/", f"/matches/{match.pk}/")
    suspend(hall, 0, SuspendedFrom.RESULTS)
    for page in pages:
        assert says not in words_of(anna, page), page
    suspend(hall, 1, SuspendedFrom.RESULTS)
    for page in pages:
        words = words_of(anna, page)
        assert says in words, page
        assert "What the others say counts" not in words
        if page != pages[-1]:
            assert "until the match ends without a result" in words
            assert "left for the others to report" not in words
    clocks = re.findall(r'class="ongoing-clock"[^>]+data-seconds="(\d+)"', text_of(anna, "/"))
    assert clocks
    assert all(int(seconds) <= 15 * 60 for seconds in clocks)
