"""Queues and reports of matches of every shape fit on phones, in both languages."""

import pytest
from django.conf import settings
from playwright.sync_api import expect

from ratings.matches.report import report
from ratings.matches.start import start_match
from ratings.models import Match, Outcome
from tests.end_to_end.conftest import BrowserPage
from tests.end_to_end.players import overflow_of, too_wide
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.visiting import make_account, queue_page_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTHS = (320, 390)
UNFOLD = "document.querySelectorAll('#stage details').forEach((one) => { one.open = true; })"
# A window of another size is laid out anew with the next picture.
PICTURE = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"


def start(hall: Hall) -> Match:
    """Let all players of the hall meet, in teams by their numbers."""
    size, ids = hall.ladder.team_size, [player.pk for player in hall.players]
    teams = [ids[first : first + size] for first in range(0, len(ids), size)]
    return start_match(ladder=hall.ladder, teams=teams)


def claim_victory(match: Match, hall: Hall, number: int) -> None:
    """Let a player say that the own side came first."""
    place = 1 if hall.ladder.team_count > 2 else None
    outcome = None if place else Outcome.WON
    player = hall.players[number].pk
    report(match_id=match.pk, player_id=player, outcome=outcome, place=place)


def set_cookie(tab: BrowserPage, name: str, value: str) -> None:
    tab.page.context.add_cookies([{"name": name, "value": value, "url": tab.site}])


def check_queue(tab: BrowserPage, hall: Hall, stage: str) -> None:
    """Hold the page of a queue, with all that is folded in it, to the width of every phone, in both languages."""
    page = tab.page
    for language in ("de", "en"):
        set_cookie(tab, settings.LANGUAGE_COOKIE_NAME, language)
        assert tab.open(queue_page_of(hall)) == 200
        expect(page.locator(f"html[lang={language}] #stage[data-stage='{stage}']")).to_be_visible()
        page.evaluate(UNFOLD)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            page.evaluate(PICTURE)
            assert overflow_of(page) == 0, (
                hall.ladder.slug,
                stage,
                language,
                width,
                too_wide(page),
            )


@pytest.mark.full
@pytest.mark.parametrize(("teams", "size"), [(2, 1), (2, 2), (4, 1)])
def test_rooms_reports_and_disputes_fit_on_phones(
    browser_page: BrowserPage, teams: int, size: int
) -> None:
    hall = make_hall(players=teams * size, team_count=teams, team_size=size)
    anna = make_account(hall, 0, "anna")
    name = settings.SESSION_COOKIE_NAME
    set_cookie(browser_page, name, anna.cookies[name].value)
    check_queue(browser_page, hall, "idle")
    match = start(hall)
    check_queue(browser_page, hall, "match.playing")
    for number in range(len(hall.players)):
        claim_victory(match, hall, number)
    check_queue(browser_page, hall, "match.disputed")
    assert browser_page.errors == []
