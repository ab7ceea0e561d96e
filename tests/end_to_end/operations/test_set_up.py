"""A game set up by hand, to the lines that are shown for a terminal: typed as they are, they do what they say."""

import json
import shlex
import urllib.request
from typing import Any

import pytest
from playwright.sync_api import expect

from leaderboards.boards.refresh import refresh_due
from matchmaking.models import Queue, Ticket
from ratings.models import Match, RatingTrack
from ratings.runs.run import rate_track
from ratings.runs.sequence import sequence_confirmed
from tests.end_to_end.operations.walkers import Walker, Walkers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def set_up(who: Walker, game: str) -> None:
    """Fill in what has no answer yet."""
    page = who.page
    who.opens("/admin/")
    who.follows("Set up a game")
    page.get_by_label("Name of the game").first.fill(game)
    page.get_by_label("Name of the ladder").first.fill("Ranked")
    page.locator("input[name=system][value=elo]").check()
    page.get_by_label("none: a rating moves after each match").check()
    expect(page.locator(".foreseen")).to_contain_text("after each match")
    who.presses("Set it up")


def typed(who: Walker, line: str) -> Any:
    """Send what a line for curl says, word for word, to the server that is up; what it answers must be a success."""
    words, headers, body, address = (
        iter(shlex.split(who.page.locator(line).inner_text())),
        {},
        None,
        "",
    )
    assert next(words) == "curl"
    for word in words:
        if word == "-H":
            name, _, value = next(words).partition(": ")
            headers[name] = value
        elif word == "-d":
            body = next(words).encode()
        else:
            address = word
    assert address.startswith(who.site)
    request = urllib.request.Request(address, data=body, headers=headers)  # noqa: S310
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
        return json.load(answer)


@pytest.mark.full
def test_a_game_is_set_up_and_its_lines_are_accepted(walkers: Walkers) -> None:
    olga, organiser = walkers.staff(), walkers.staff("Organiser")
    anna = walkers.player("anna", width=390)
    for role in ("Viewer", "Moderator", "Support", "Tuner"):
        assert walkers.staff(role).status_of("/admin/set-up/") == 403, role
    walkers.staff("").is_refused("/admin/set-up/")
    set_up(olga, "Chess")
    expect(olga.page.locator("#secret")).to_contain_text("em_srv_")
    assert typed(olga, "#reading")["ladder"] == "chess-ranked"
    assert Match.objects.count() == 0
    olga.page.get_by_text("Record a first match").click()
    olga.fits()
    assert typed(olga, "#recording")["created"] == 1
    assert typed(olga, "#recording")["created"] == 0  # sent again it is the same match
    sequence_confirmed(Queue.objects.get().ladder_id)
    rate_track(RatingTrack.objects.get().pk)
    refresh_due()
    olga.follows("The leaderboard, as players see it")
    olga.page.goto(f"{olga.page.url}?everyone=1")
    olga.reads("player-1", "player-2")
    # Who may set up and makes no keys gets a line that needs none; what it records would need one.
    set_up(organiser, "Draughts")
    expect(organiser.page.locator("#secret, #recording")).to_have_count(0)
    assert typed(organiser, "#reading")["ladder"] == "draughts-ranked"
    # Players find both, and search at once.
    anna.opens("/play/")
    anna.reads("Chess", "Draughts")
    anna.opens("/play/in/draughts-ranked/")
    anna.page.get_by_label("Your name in this game").fill("Anna")
    anna.page.get_by_role("button", name="Use this name").click()
    anna.page.get_by_role("button", name="Find a match").click()
    anna.reads("Searching for an opponent")
    anna.fits()
    assert Ticket.objects.get().queue.slug == "draughts-ranked"
