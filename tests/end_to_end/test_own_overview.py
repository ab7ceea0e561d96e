"""Pages that show what is under way, left open in a real browser: they never contradict the bar above them."""

import pytest
from playwright.sync_api import expect

from matchmaking.models import Queue
from matchmaking.tickets import lifecycle
from ratings.matches.report import report
from ratings.matches.start import start_match
from ratings.models import Outcome, Player
from tests.end_to_end.players import Person, working

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_it_follows_a_match_from_its_beginning_to_the_new_rating(
    anna: Person, queue: Queue
) -> None:
    page = anna.page
    page.goto("/")
    page.evaluate("window.same = true")
    overview = page.locator("#home-own")
    expect(overview).to_contain_text("A rating appears here after the first rated match.")
    own = Player.objects.get(name="Anna")
    other = Player.objects.create(game=queue.ladder.game, name="Bernd", external_id="bernd")
    with working():
        match = start_match(ladder=queue.ladder, teams=[[own.pk], [other.pk]])
        expect(overview).to_contain_text("You're playing Bernd")
        expect(overview.locator("table")).to_contain_text("being played")
        for player, outcome in ((own, Outcome.WON), (other, Outcome.LOST)):
            report(match_id=match.pk, player_id=player.pk, outcome=outcome)
        expect(overview).not_to_contain_text("Happening now")
        expect(overview.locator("table .delta-gain")).to_be_visible()
        expect(overview.locator(".home-own-cards")).to_contain_text("rank 1 of 2")
    assert page.evaluate("window.same") is True
    assert anna.errors == []


def test_what_is_under_way_goes_from_the_page_of_all_queues(anna: Person, queue: Queue) -> None:
    page = anna.page
    page.goto("/play/")
    page.evaluate("window.same = true")
    matters = page.locator("#mine")
    expect(matters.locator("td").last).to_have_text("–")
    ticket = lifecycle.join(queue=queue, player=Player.objects.get(name="Anna"))
    expect(matters).to_contain_text("You're searching in Blitz")
    expect(matters.locator("td").last).to_have_text("searching")
    lifecycle.cancel(ticket_id=ticket.pk)
    expect(matters).not_to_contain_text("Happening now")
    expect(matters.locator("td").last).to_have_text("–")
    assert page.evaluate("window.same") is True
    assert anna.errors == []
