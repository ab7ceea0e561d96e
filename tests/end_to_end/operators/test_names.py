"""Names: changed and locked by staff, former ones shown, words that nobody may choose, and names that look alike."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import AuditEntry, User
from matchmaking.models import Queue
from ratings.players.enrol import enrol
from tests.end_to_end.operators.people import House, answered_with, page_of
from tests.end_to_end.players import PASSWORD, let_in, overflow_of, too_wide

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
QUEUE_PAGE = "/play/in/blitz/"


@pytest.mark.full
def test_names_are_changed_locked_and_refused(house: House, queue: Queue) -> None:
    olga, mona = house.operator(), house.moderator()
    anna, player = house.player("Anna", queue)
    _, other = house.player("Bernd", queue)
    # A moderator writes another name and locks it, but not one that is another's; the account is not a moderator's.
    mona.finds("ratings_player", "Anna")
    expect(mona.page.locator("#id_user")).to_have_count(0)
    mona.is_refused(page_of("ratings_player_move", player.pk))
    mona.opens(page_of("ratings_player_change", player.pk))
    mona.fills({"Name": "Bernd"})
    mona.does("Save")
    mona.reads("A name that looks like this one is taken.")
    mona.fills({"Name": "Anna Berg"})
    mona.ticks("Name locked")
    mona.does("Save")
    mona.is_answered("was changed successfully")
    # Whatever the game calls her now.
    enrol(game=player.game, external_id=player.external_id, name="xX Anna Xx")
    anna.goes_to(QUEUE_PAGE)
    anna.sees("Ready, Anna Berg?")
    anna.goes_to(f"/players/{player.pk}/")
    expect(anna.page.get_by_role("heading", name="Anna Berg")).to_be_visible()
    mona.opens(page_of("ratings_player_change", player.pk))
    mona.reads("Former names", "Anna, until")
    mona.opens("/admin/accounts/auditentry/?q=player.changed")
    mona.reads("name: Anna → Anna Berg", "name_locked: False → True")
    # Words that no name may hold, whatever they are written with; what the game brings is listed.
    olga.opens(page_of("ratings_game_change", player.game_id))
    olga.fills({"Refused words": "admin\nboss"})
    olga.does("Save")
    enrol(game=player.game, external_id="brought", name="The Boss")
    carl = house.visitor("Carl")
    let_in(carl, User.objects.create_user("carl", password=PASSWORD), house.site)
    carl.goes_to(QUEUE_PAGE)
    carl.page.get_by_label("Your name in this game").fill("Big ADMÍN")
    with answered_with(carl, 422):
        carl.page.get_by_role("button", name="Use this name").click()
    expect(carl.page.locator("main")).to_contain_text("“admin” cannot be part of a name here.")
    assert overflow_of(carl.page) == 0, too_wide(carl.page)
    carl.page.get_by_label("Your name in this game").fill("Carl")
    carl.page.get_by_role("button", name="Use this name").click()
    carl.sees("Ready, Carl?")
    mona.opens(f"{reverse('admin:ratings_player_changelist')}?refused=1")
    mona.reads("The Boss", "1 player")
    # Two whom one could mistake for each other are listed beside each other.
    enrol(game=other.game, external_id=other.external_id, name="Car1")
    mona.opens(f"{reverse('admin:ratings_player_changelist')}?alike=accounts")
    mona.reads("Carl", "Car1", "2 players")
    assert AuditEntry.objects.filter(action="player.changed").count() == 1
