"""One person with two players, and a player of another account: merged, taken apart and moved, as everybody sees it."""

import pytest
from playwright.sync_api import expect

from accounts.models import AuditEntry
from matchmaking.models import Queue
from ratings.models import Match, MatchState, Player, SanctionKind
from ratings.players.enrol import enrol
from ratings.sanctions import impose
from tests.end_to_end.operators.history import beat, follow_up, ratings_on
from tests.end_to_end.operators.people import House, page_of
from tests.end_to_end.players import Person, overflow_of, too_wide

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BOARD = "/ladders/blitz/"


def brought(queue: Queue, name: str) -> Player:
    """A player whom the game brings, without an account."""
    player, _is_new = enrol(game=queue.ladder.game, external_id=f"id-{name.lower()}", name=name)
    return player


def plays_as(person: Person, name: str) -> None:
    """See the own last match, under the name of the player."""
    person.sees("You lost against Boris")
    link = person.page.locator("#stage").get_by_role("link", name=name, exact=True)
    expect(link).to_be_visible()


@pytest.mark.full
def test_two_players_become_one_and_two_again(house: House, queue: Queue) -> None:
    mona = house.moderator()
    anna, one = house.player("Anna", queue)
    two, third = brought(queue, "Annie"), brought(queue, "Boris")
    shared = beat(queue.ladder, one, two)
    for winner, loser in ((one, third), (two, third), (third, two), (two, third)):
        beat(queue.ladder, winner, loser)
    follow_up()
    apart = ratings_on(queue.ladder)
    impose(player=two, kind=SanctionKind.WARNING, reason="Mind your words.", by=None)
    # Who it is, what would follow, and what stands in the way.
    mona.finds("ratings_player", "Annie")
    mona.follows("Merge…")
    mona.fills({"Merge into": "nobody"})
    mona.does("Preview")
    mona.reads("The game has no player with this number or id.")
    mona.fills({"Merge into": str(one.pk)})
    mona.does("Preview")
    mona.reads("3 matches of Annie would count as Anna's.", "Matches in which both took part")
    mona.reads("against each other", "Mind your words.", "Ratings before and after", "Boris")
    mona.fills({"Why": "The same person."})
    mona.does("Merge")
    mona.reads("They stand in the way: tick this, or choose a later day above.")
    mona.ticks("Annul the matches in which both took part")
    mona.does("Merge")
    mona.is_answered("Annie counts as Anna now.")
    mona.reads("Counts as Anna, merged on")
    # The second player's address leads to the first; the board has the one; Anna is told what goes on for her.
    follow_up()
    page = anna.page
    anna.goes_to(f"/players/{two.pk}/")
    assert page.url.endswith(f"/players/{one.pk}/")
    expect(page.get_by_role("heading", name="Anna")).to_be_visible()
    expect(page.locator("#player-matches tbody tr")).to_have_count(5)
    assert overflow_of(page) == 0, too_wide(page)
    anna.goes_to(BOARD)
    expect(page.locator("#standings tbody tr")).to_have_count(2)
    anna.goes_to("/play/in/blitz/")
    expect(page.locator("#stage .sanction")).to_contain_text("Mind your words.")
    together = ratings_on(queue.ladder)
    assert (two.pk in together, together[one.pk] == apart[one.pk]) == (False, False)
    # Who is merged is neither moved nor merged on nor sanctioned; taking it back is offered on either page.
    mona.opens(f"{page_of('ratings_player_merge', one.pk)}?into={third.pk}&since=")
    mona.reads("Annie is merged into Anna.")
    expect(mona.content.get_by_role("button", name="Merge", exact=True)).to_have_count(0)
    mona.opens(page_of("ratings_player_change", one.pk))
    mona.reads("Annie counts as this player, merged on")
    mona.follows("Unmerge")
    mona.reads("go back to it", "counts again")
    mona.fills({"Why": "They are sisters."})
    mona.does("Unmerge")
    mona.is_answered("Annie counts for itself again.")
    follow_up()
    anna.goes_to(f"/players/{two.pk}/")
    assert page.url.endswith(f"/players/{two.pk}/")
    expect(page.get_by_role("heading", name="Annie")).to_be_visible()
    anna.goes_to(BOARD)
    expect(page.locator("#standings tbody tr")).to_have_count(3)
    assert ratings_on(queue.ladder) == apart
    assert Match.objects.get(pk=shared.pk).state == MatchState.CONFIRMED
    anna.goes_to("/play/in/blitz/")
    expect(page.locator("#stage .sanction")).to_have_count(0)
    mona.opens("/admin/accounts/auditentry/?q=merged")
    mona.reads("player.merged", "The same person.", "player.unmerged", "They are sisters.")


@pytest.mark.full
def test_an_account_comes_along_and_a_player_moves(house: House, queue: Queue) -> None:
    olga, mona = house.operator(), house.moderator()
    anna, own = house.player("Anna", queue)
    old, third = brought(queue, "Old Anna"), brought(queue, "Boris")
    beat(queue.ladder, old, third)
    beat(queue.ladder, third, own)
    follow_up()
    # With the player an account would come along: not a moderator's to decide.
    asked = f"{page_of('ratings_player_merge', own.pk)}?into={old.external_id}&since="
    mona.opens(asked)
    mona.reads("The account anna gets Old Anna as its player", "you need the right")
    expect(mona.content.get_by_role("button", name="Merge", exact=True)).to_have_count(0)
    olga.opens(asked)
    olga.fills({"Why": "Her player of before."})
    olga.does("Merge")
    olga.is_answered("Anna counts as Old Anna now.")
    anna.goes_to("/play/in/blitz/")
    plays_as(anna, "Old Anna")
    mona.opens(page_of("ratings_player_unmerge", own.pk))
    mona.reads("The account anna gets this player back.", "you need the right")
    expect(mona.content.get_by_role("button", name="Unmerge")).to_have_count(0)
    olga.opens(page_of("ratings_player_unmerge", own.pk))
    olga.fills({"Why": "A mistake."})
    olga.does("Unmerge")
    anna.goes_to("/play/in/blitz/")
    plays_as(anna, "Anna")
    # A claimed player moves: the first account has none then, the second plays on as it.
    bea, hers = house.player("Bea", queue)
    mona.is_refused(page_of("ratings_player_move", own.pk))
    olga.opens(page_of("ratings_player_change", own.pk))
    olga.follows("Move to another account")
    olga.reads("The account anna has this player now")
    olga.fills({"Account": "bea", "Why": "Sold."})
    olga.does("Move")
    olga.reads("The account bea plays this game as", "An account has one player in a game.")
    Player.objects.filter(pk=hers.pk).update(user=None)
    olga.does("Move")
    olga.is_answered("Anna is the player of bea now.")
    bea.goes_to("/play/in/blitz/")
    plays_as(bea, "Anna")
    anna.goes_to("/play/in/blitz/")
    anna.sees("Play Chess as …")
    assert overflow_of(anna.page) == 0, too_wide(anna.page)
    olga.opens("/admin/accounts/auditentry/?q=player.moved")
    olga.reads("player.moved", "Sold.")
    entry = AuditEntry.objects.get(action="player.moved")
    assert (entry.actor.username if entry.actor else "") == "olga"
    assert entry.after == {"user": hers.user_id}
