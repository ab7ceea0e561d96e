"""Taking back what was a mistake: nothing with a history is deleted, and what is archived comes back as it was."""

from contextlib import nullcontext

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, expect

from foundation.archiving import Archivable
from leaderboards.boards.refresh import refresh_due
from matchmaking.models import Queue, Ticket
from ratings.models import Game, ImportedFile, Match, Player, RatingTrack
from ratings.runs.run import rate_track
from tests.end_to_end.operations.walkers import Walker, Walkers
from tests.end_to_end.players import working
from tests.leaderboards.site import Site, make_site
from tests.ratings.match_files import FileRow, file_of, take_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WHY = "it was a mistake"
GAMES = (
    FileRow("2020-01-01", "Ada", "Bo", "1"),
    FileRow("2020-01-02", "Bo", "Cy", "0.5"),
    FileRow("2020-01-03", "Cy", "Ada", "0"),
)


def page_of(thing: object, verb: str = "change") -> str:
    meta = type(thing)._meta  # type: ignore[attr-defined]
    pk = thing.pk  # type: ignore[attr-defined]
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_{verb}", args=[pk])


def list_of(thing: object) -> str:
    meta = type(thing)._meta  # type: ignore[attr-defined]
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")


def row_of(walker: Walker, thing: object) -> Locator:
    """The link to a thing in the list that is open."""
    return walker.page.locator(f'#result_list a[href^="{page_of(thing)}"]').first


def switch(olga: Walker, thing: Archivable, verb: str, told: str) -> None:
    """Archive a thing, or restore it, by the link on its page."""
    if page_of(thing) not in olga.page.url:
        olga.opens(page_of(thing))
    expect(olga.page.locator("a.deletelink")).to_have_count(0)
    olga.follows(verb)
    olga.says_why(WHY, verb)
    olga.reads(f"{thing} {told}")


@pytest.mark.full
def test_what_is_archived_is_gone_says_so_and_comes_back(walkers: Walkers) -> None:
    site = make_site(system="elo", days=None)
    ladder, game = site.arena.ladder, site.arena.game
    queue = Queue.objects.create(ladder=ladder, slug="lobby", name="Lobby")
    olga, visitor = walkers.staff(), walkers.visitor()
    organiser, tuner = walkers.staff("Organiser"), walkers.staff("Tuner")
    anna = walkers.player("anna", width=390)
    Player.objects.filter(pk=site.anna.pk).update(user=anna.account)
    page, board, home = "/play/in/lobby/", site.address, f"/games/{game.slug}/"
    steps: list[tuple[Archivable, list[str], list[tuple[str, str]]]] = [
        (queue, [page], [("/play/", "Lobby")]),
        (ladder, [board, f"/matches/{site.matches[0].pk}/", page], [("/", f'href="{board}"')]),
        (game, [home, f"/players/{site.anna.pk}/", board], [("/search/?q=Anna", "/players/")]),
    ]
    # Who searches there while it happens is told without doing anything.
    anna.opens(page)
    anna.page.get_by_role("button", name="Find a match").click()
    anna.reads("Searching for an opponent")
    anna.expects_refusal(page)
    for thing, addresses, lists in steps:
        for address, words in lists:
            visitor.opens(address)
            assert words in visitor.page.content(), address
        with working() if thing is queue else nullcontext():
            switch(olga, thing, "Archive", "is archived.")
            anna.reads("410", "“Lobby” has been archived")
            anna.fits()
        assert not Ticket.objects.filter(state="waiting").exists()
        visitor.is_refused(addresses[0], "has been archived", 410)
        assert [visitor.status_of(address) for address in addresses] == [410] * len(addresses)
        for address, words in lists:
            visitor.opens(address)
            assert words not in visitor.page.locator("main").inner_html(), address
        olga.opens(list_of(thing))
        expect(row_of(olga, thing)).to_have_count(0)
        olga.follows("Archived")
        with olga.page.expect_navigation():
            row_of(olga, thing).click()
        olga.reads("Archived since")
        switch(olga, thing, "Restore", "is in use again.")
        visitor.opens(addresses[0])
        assert [visitor.status_of(address) for address in addresses] == [200] * len(addresses)
    # Each role what it is for; who merely looks has no link to it either.
    track = site.arena.track("glicko", days=7.0)
    organiser.opens(page_of(game))
    expect(organiser.page.get_by_role("link", name="Archive", exact=True)).to_be_visible()
    tuner.opens(page_of(game))
    expect(tuner.page.get_by_role("link", name="Archive", exact=True)).to_have_count(0)
    tuner.is_refused(page_of(game, "archive"))
    organiser.is_refused(page_of(track, "archive"))
    assert walkers.staff("Viewer").status_of(page_of(queue, "archive")) == 403
    assert anna.status_of(page_of(game, "archive")) == 302
    _archive_a_track(olga, site, track)
    # Where there is no history yet, a slip is deleted.
    olga.opens(page_of(Game.objects.create(slug="slip", name="A slip")))
    expect(olga.page.locator("a.deletelink")).to_be_visible()


def _archive_a_track(olga: Walker, site: Site, track: RatingTrack) -> None:
    """One that players do not see: theirs has no link to it, and its page says why not."""
    olga.opens(page_of(site.track))
    expect(olga.page.get_by_role("link", name="Archive", exact=True)).to_have_count(0)
    olga.opens(page_of(site.track, "archive"))
    olga.reads("Players see this track")
    switch(olga, track, "Archive", "is archived.")
    olga.opens(list_of(track))
    expect(row_of(olga, track)).to_have_count(0)
    olga.follows("Archived")
    expect(row_of(olga, track)).to_be_visible()
    switch(olga, track, "Restore", "is in use again.")


@pytest.mark.full
def test_an_import_is_taken_back(walkers: Walkers) -> None:
    take_in(file_of(GAMES))
    file = ImportedFile.objects.get()
    track = RatingTrack.objects.get()
    rate_track(track.pk)
    refresh_due()
    olga, viewer, visitor = walkers.staff(), walkers.staff("Viewer"), walkers.visitor()
    ada = walkers.player("ada", width=390)
    Player.objects.filter(name="Ada").update(user=ada.account)
    match = Match.objects.order_by("pk")[0]
    visitor.opens("/search/?q=Bo")
    expect(visitor.main.get_by_role("link", name="Bo", exact=True)).to_be_visible()
    ada.opens(f"/matches/{match.pk}/")
    ada.misses("no longer counts")
    viewer.opens(page_of(file))
    expect(viewer.page.get_by_role("link", name="Take back")).to_have_count(0)
    viewer.is_refused(page_of(file, "take_back"))
    olga.opens(list_of(file))
    olga.follows("games.csv")
    expect(olga.page.locator("a.deletelink")).to_have_count(0)
    olga.follows("Take back")
    olga.reads("3 annulled", "2 players", "Bo, Cy")
    olga.says_why("The file of another game.", "Take back this import")
    olga.reads("3 matches no longer count", "The file of another game.", "olga")
    expect(olga.page.get_by_role("link", name="Take back", exact=True)).to_have_count(0)
    olga.opens(page_of(match))
    expect(olga.page.locator("a.deletelink")).to_have_count(0)
    # Whom only the file has made is gone; who plays under the name of an account stays, and reads what happened.
    visitor.opens("/search/?q=Bo")
    visitor.reads("No player matches")
    visitor.is_refused(f"/players/{Player.objects.get(name='Bo').pk}/", "has been archived", 410)
    ada.opens(f"/matches/{match.pk}/")
    ada.reads("no longer counts")
