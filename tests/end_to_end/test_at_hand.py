"""What somebody is about to do on the page of a queue is kept while news change it: presses, ticks, what was opened."""

import pytest
from playwright.sync_api import expect

from matchmaking.models import Queue
from matchmaking.offers import answer as offers
from matchmaking.sweep import run as sweep
from matchmaking.tickets import lifecycle
from ratings.matches.report import report
from ratings.matches.start import start_match
from ratings.models import Player
from tests.end_to_end.players import Person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def others(queue: Queue, *names: str) -> list[Player]:
    game = queue.ladder.game
    return [Player.objects.create(game=game, name=name, external_id=name) for name in names]


def test_accept_is_pressed_while_another_accepts(anna: Person, queue: Queue) -> None:
    page = anna.page
    (other,) = others(queue, "Bernd")
    lifecycle.join(queue=queue, player=Player.objects.get(name="Anna"))
    theirs = lifecycle.join(queue=queue, player=other)
    sweep.run_queue(queue.pk)
    page.goto("/play/in/blitz/")
    anna.sees("Match found")
    page.locator("#stage-accept").hover()
    page.mouse.down()
    with page.expect_event("requestfinished", lambda one: "/play/in/blitz/?seen=" in one.url):
        offers.accept(ticket_id=theirs.pk)
    page.mouse.up()
    anna.sees("You're playing Bernd")
    assert anna.errors == []


@pytest.mark.full
def test_what_is_ticked_or_open_stays_while_others_report(anna: Person, queue: Queue) -> None:
    ladder = queue.ladder
    ladder.team_count = 3
    ladder.save()
    page = anna.page
    bernd, cleo = others(queue, "Bernd", "Cleo")
    own = Player.objects.get(name="Anna")
    match = start_match(ladder=ladder, teams=[[own.pk], [bernd.pk], [cleo.pk]])
    stage = page.locator("#stage")
    page.goto("/play/in/blitz/")
    shared = stage.get_by_role("checkbox", name="I shared this place")
    shared.check()
    report(match_id=match.pk, player_id=bernd.pk, place=2)
    expect(stage.locator(".words li")).to_have_count(1)
    expect(shared).to_be_checked()
    stage.get_by_role("button", name="1st").click()
    again = stage.get_by_text("Change my report")
    again.click()
    expect(shared).to_be_visible()
    report(match_id=match.pk, player_id=bernd.pk, place=3)
    expect(stage.locator(".words")).to_contain_text("3rd")
    expect(shared).to_be_visible()
    assert anna.errors == []
