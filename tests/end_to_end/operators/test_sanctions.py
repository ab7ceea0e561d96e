"""Sanctions of every kind: imposed by staff, read and felt by the player, lifted by a click, and written down."""

import re

import pytest
from playwright.sync_api import Page, expect

from accounts.models import AuditEntry
from matchmaking.models import Queue
from ratings.matches.report import report
from ratings.matches.start import start_match
from ratings.models import Ladder, Outcome, Player, Sanction
from ratings.tracks.parameters import create_track
from tests.end_to_end.operators.history import beat, follow_up
from tests.end_to_end.operators.people import Clerk, House, page_of
from tests.end_to_end.players import overflow_of, too_wide

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
QUEUE_PAGE, TEAMS, BOARD = "/play/in/blitz/", "/play/in/squads/", "/ladders/blitz/"
APPEALS = "https://example.org/appeals"


def impose(clerk: Clerk, player: Player, **fields: str) -> None:
    """From the player's page, and back to it."""
    clerk.opens(page_of("ratings_player_change", player.pk))
    clerk.follows("Sanction")
    clerk.fills({label.replace("_", " "): value for label, value in fields.items()})
    clerk.does("Impose")
    clerk.is_answered(f"The sanction on {player.name} is in force.")
    clerk.reads("Sanctions in force now", fields["Reason"])


def lift(clerk: Clerk, player: Player, kind: str) -> None:
    """From the player's page too."""
    clerk.opens(page_of("ratings_player_change", player.pk))
    clerk.content.get_by_role("link", name=kind, exact=True).first.click()  # the newest
    clerk.follows("Lift")
    clerk.fills({"Why": "It was a mistake."})
    clerk.does("Lift the sanction")
    clerk.is_answered(f"The sanction on {player.name} is lifted.")
    expect(clerk.content.get_by_role("link", name="Lift", exact=True)).to_have_count(0)


def fits(page: Page) -> None:
    assert overflow_of(page) == 0, too_wide(page)


@pytest.mark.full
def test_a_suspended_player_is_told_cannot_search_and_may_again(house: House, queue: Queue) -> None:
    olga, mona = house.operator(), house.moderator()
    anna, player = house.player("Anna", queue)
    olga.opens(page_of("ratings_game_change", player.game_id))
    olga.fills({"Appeals to": APPEALS})
    olga.does("Save")
    olga.is_answered("was changed successfully")
    # A moderator imposes and lifts; where to appeal is not a moderator's to say.
    mona.opens(page_of("ratings_game_change", player.game_id))
    mona.reads(APPEALS)
    expect(mona.content.get_by_role("button", name="Save")).to_have_count(0)
    anna.goes_to(QUEUE_PAGE)
    anna.press("Find a match")
    anna.sees("Searching for an opponent")
    mona.finds("ratings_player", "Anna")
    mona.follows("Sanction")
    mona.reads(f"The player is told to appeal to {APPEALS}.")
    mona.fills(
        {"Sanction": "suspended", "Days": "2", "Reason": "Left 9 of 10.", "Why": "By three."}
    )
    mona.does("Impose")
    mona.reads("Say what the player is suspended from.")
    mona.fills({"Suspended from": "searching for matches"})
    mona.does("Impose")
    mona.is_answered("The sanction on Anna is in force.")
    # Her page, still open, says so by itself; the search is over.
    anna.sees("You can't search for matches now")
    told = anna.page.locator("#stage .sanction")
    expect(told).to_contain_text(", you are suspended from")
    expect(told).to_contain_text("Left 9 of 10.")
    expect(anna.page.get_by_role("link", name=APPEALS)).to_be_visible()
    expect(anna.page.locator("#stage")).not_to_contain_text("Ready, Anna?")
    expect(anna.page.get_by_role("button", name="Find a match")).to_have_count(0)
    fits(anna.page)
    anna.goes_to("/play/")
    expect(anna.page.locator(".sanction")).to_contain_text("Left 9 of 10.")
    fits(anna.page)
    anna.goes_to(QUEUE_PAGE)
    lift(mona, player, "Suspended")
    anna.press("Find a match")
    anna.sees("Searching for an opponent")
    mona.opens("/admin/accounts/auditentry/?q=player.sanction")
    mona.reads("player.sanctioned", "By three.", "player.sanction_lifted", "It was a mistake.")
    entries = AuditEntry.objects.filter(target_id=str(player.pk), action__startswith="player.s")
    assert set(entries.values_list("actor__username", flat=True)) == {"mona"}


@pytest.mark.full
def test_each_kind_does_what_it_says(house: House, queue: Queue) -> None:
    teams = Ladder.objects.create(
        game=queue.ladder.game, slug="squads", name="Squads", team_size=2, mode="normal"
    )
    create_track(ladder=teams, system="trueskill", parameters={}, period_days=None, shown=False)
    Queue.objects.create(ladder=teams, slug="squads", name="Squads")
    olga = house.operator()
    anna, player = house.player("Anna", queue)
    _, other = house.player("Bernd", queue)
    beat(queue.ladder, player, other)
    follow_up()
    page, told = anna.page, anna.page.locator("#stage .sanction")
    # A note is for operators alone; a warning is read.
    impose(olga, player, Sanction="note", Reason="Watch her.", Why="Seen twice.")
    anna.goes_to(QUEUE_PAGE)
    expect(told).to_have_count(0)
    impose(olga, player, Sanction="warning", Reason="Mind your words.", Why="Chat.")
    expect(told).to_contain_text([", an admin has warned you."])
    expect(told).to_contain_text(["Mind your words."])
    # Hidden: gone from the board for everybody, and told; lifted: back.
    rows = page.locator("#standings tbody tr")
    anna.goes_to(BOARD)
    expect(rows).to_have_count(2)
    impose(olga, player, Sanction="hidden from leaderboards", Reason="Engine.", Why="Report 7.")
    anna.goes_to(BOARD)
    expect(rows).to_have_count(1)
    expect(rows).not_to_contain_text("Anna")
    anna.goes_to(QUEUE_PAGE)
    expect(told.first).to_contain_text(
        ", you are hidden from leaderboards until an admin lifts it."
    )
    lift(olga, player, "Hidden from leaderboards")
    anna.goes_to(BOARD)
    expect(rows.first).to_contain_text("Anna")
    # Parties only: she may search, and opens no party.
    impose(
        olga, player, Sanction="suspended", Suspended_from="parties", Reason="Left.", Why="Three."
    )
    anna.goes_to(TEAMS)
    expect(page.locator("#stage")).to_contain_text("You're suspended from parties now.")
    expect(page.get_by_role("button", name="Open a party")).to_have_count(0)
    expect(page.get_by_role("button", name="Find a match")).to_be_visible()
    fits(page)
    # Everything, and only that is lifted by a click.
    impose(
        olga, player, Sanction="suspended", Suspended_from="everything", Reason="All.", Why="Five."
    )
    anna.goes_to(TEAMS)
    expect(told.first).to_contain_text(
        ", you are suspended from everything until an admin lifts it."
    )
    expect(page.get_by_role("button", name=re.compile("Find a match"))).to_have_count(0)
    olga.opens(page_of("ratings_player_change", player.pk))
    olga.reads("Suspended (everything)", "Suspended (parties)", "Watch her.")
    lift(olga, player, "Suspended")
    anna.goes_to(TEAMS)
    expect(page.get_by_role("button", name="Find a match")).to_be_visible()
    # Results only: the match goes on, and the other's word counts.
    match = start_match(ladder=queue.ladder, teams=[[player.pk], [other.pk]])
    impose(
        olga,
        player,
        Sanction="suspended",
        Suspended_from="reporting results",
        Reason="Lies.",
        Why="Four.",
    )
    anna.goes_to(f"/play/matches/{match.pk}/")
    expect(page.locator("#stage")).to_contain_text("You can't report how it ended.")
    expect(page.locator("#report-won")).to_have_count(0)
    fits(page)
    report(match_id=match.pk, player_id=other.pk, outcome=Outcome.LOST)
    anna.sees("You won against Bernd")
    assert Sanction.objects.filter(player=player, lifted_at=None).count() == 4
    olga.opens("/admin/ratings/sanction/?now=1")
    olga.reads("4 sanctions")
