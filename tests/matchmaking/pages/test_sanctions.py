"""What a player sees of sanctions: why, until when, where to appeal, and no button that would be refused."""

import pytest

from ratings.models import Outcome, SanctionKind, SuspendedFrom
from ratings.sanctions import impose, lift
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.squads import make_team_hall
from tests.matchmaking.visiting import accounts, meet, room_of, say, text_of, words_of

pytestmark = pytest.mark.django_db


def test_a_suspended_player_reads_why_and_cannot_press_search() -> None:
    hall = make_hall()
    game = hall.ladder.game
    game.appeals_to = "https://example.org/appeal"
    game.save()
    anna, berta = accounts(hall, "anna", "berta")
    assert "/search/" in text_of(anna, room_of(hall)) or "Find a match" in words_of(
        anna, room_of(hall)
    )
    sanction = impose(
        player=hall.players[0],
        kind=SanctionKind.SUSPENDED,
        suspended_from=SuspendedFrom.SEARCHING,
        reason="Left <b>nine</b> matches.",
        by=None,
    )
    page = text_of(anna, room_of(hall))
    assert "Left &lt;b&gt;nine&lt;/b&gt; matches." in page
    assert 'href="https://example.org/appeal"' in page
    words = words_of(anna, room_of(hall))
    assert "You are suspended until an admin lifts it (searching for matches)." in words
    assert "Find a match" not in words
    assert "suspended" not in words_of(berta, room_of(hall))
    lift(sanction_id=sanction.pk, by=None)
    assert "Find a match" in words_of(anna, room_of(hall))


def test_after_a_match_too() -> None:
    hall = make_hall()
    anna, _berta = accounts(hall, "anna", "berta")
    match = meet(hall)
    for number, outcome in ((0, Outcome.WON), (1, Outcome.LOST)):
        say(match, hall, number, outcome)
    impose(player=hall.players[0], kind=SanctionKind.WARNING, reason="Mind your words.", by=None)
    words = words_of(anna, room_of(hall))
    assert "An admin has warned you." in words
    assert "Mind your words." in words
    assert "Find another match" in words


def suspend(hall: Hall, number: int, what: SuspendedFrom) -> None:
    impose(
        player=hall.players[number],
        kind=SanctionKind.SUSPENDED,
        suspended_from=what,
        reason="Cursed.",
        by=None,
    )


def test_whoever_may_not_report_is_told_in_place_of_the_form() -> None:
    hall = make_hall()
    anna, berta = accounts(hall, "anna", "berta")
    match = meet(hall)
    suspend(hall, 0, SuspendedFrom.RESULTS)
    for page in (room_of(hall), f"/play/matches/{match.pk}/"):
        assert "Cursed." in text_of(anna, page)
        assert f"/play/matches/{match.pk}/report/" not in text_of(anna, page)
        assert f"/play/matches/{match.pk}/report/" in text_of(berta, page)
    say(match, hall, 1, Outcome.WON)
    assert f"/play/matches/{match.pk}/report/" not in text_of(anna, room_of(hall))


def test_nor_is_the_form_there_in_a_dispute() -> None:
    hall = make_hall()
    anna, berta = accounts(hall, "anna", "berta")
    match = meet(hall)
    for number in (0, 1):
        say(match, hall, number, Outcome.WON)
    suspend(hall, 0, SuspendedFrom.RESULTS)
    for page in (room_of(hall), f"/play/matches/{match.pk}/"):
        assert "Cursed." in text_of(anna, page), page
        assert f"/play/matches/{match.pk}/report/" not in text_of(anna, page)
        assert f"/play/matches/{match.pk}/report/" in text_of(berta, page)


def test_whoever_may_be_in_no_party_is_offered_none() -> None:
    hall = make_team_hall()
    anna, berta = accounts(hall, "anna", "berta")
    suspend(hall, 0, SuspendedFrom.PARTIES)
    words = words_of(anna, room_of(hall))
    assert "You're suspended from parties now." in words
    assert "Open a party" not in words
    assert "Find a match" in words
    assert "Open a party" in words_of(berta, room_of(hall))


def test_the_page_of_all_queues_tells_it_too() -> None:
    hall = make_hall()
    anna, berta = accounts(hall, "anna", "berta")
    suspend(hall, 0, SuspendedFrom.ALL)
    assert "Cursed." in text_of(anna, "/play/")
    assert "Cursed." not in text_of(berta, "/play/")
