"""Staff owe a second factor when the days of grace are over, and show it again before they change what matters."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import AuditEntry, User
from matchmaking.models import Queue
from tests.accounts.factors.holding import code
from tests.end_to_end.operators.people import House, page_of
from tests.end_to_end.players import overflow_of, too_wide

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("own_cache"),
]


@pytest.mark.full
def test_a_second_factor_is_owed_and_shown_again(house: House, queue: Queue) -> None:
    mona, olga = house.moderator(), house.operator()
    _, anna = house.player("Anna", queue)
    page = mona.page
    mona.opens("/admin/")
    expect(page.locator(".factor-due")).to_contain_text("you can only work here with a second")
    # The days of grace are over: every page leads to setting it up, and opens when that is done.
    User.objects.filter(username="mona").update(staff_since=timezone.now() - timedelta(days=15))
    mona.goes_to(page_of("ratings_player_change", anna.pk))
    page.wait_for_url("**/accounts/2fa/")
    expect(page.locator("main")).to_contain_text("The administration asks for a second factor.")
    page.get_by_role("link", name="Set up", exact=True).click()
    page.get_by_label("Password").fill(house.password)
    page.get_by_role("button", name="Confirm").click()
    secret = page.locator("code.secret").inner_text()
    page.get_by_label("Code").fill(code(secret))
    page.get_by_role("button", name="Set up").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 850})
    assert overflow_of(page) == 0, too_wide(page)
    page.set_viewport_size({"width": 1280, "height": 850})
    mona.opens(page_of("ratings_player_change", anna.pk))
    expect(page.locator(".factor-due")).to_have_count(0)
    # A sign-in of this morning is enough for players and matches.
    mona.grows_stale()
    mona.follows("Sanction")
    mona.fills({"Sanction": "warning", "Reason": "Mind your words.", "Why": "Chat."})
    mona.does("Impose")
    mona.is_answered("The sanction on Anna is in force.")
    # Not for what an account may: the operator looks freely, and is asked before it is changed.
    olga.grows_stale()
    account = User.objects.get(username="anna")
    olga.opens(page_of("accounts_user_change", account.pk))
    olga.ticks("Staff status")
    olga.does("Save")
    page = olga.page
    expect(page.get_by_role("heading", name="Confirm it's you")).to_be_visible()
    assert not User.objects.get(username="anna").is_staff
    page.get_by_label("Password").fill("a wrong one")
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator("main")).to_contain_text("Incorrect password.")
    page.get_by_label("Password").fill(house.password)
    page.get_by_role("button", name="Confirm").click()
    olga.is_answered("was changed successfully")
    assert User.objects.get(username="anna").is_staff
    assert AuditEntry.objects.filter(action="user.changed", actor__username="olga").count() == 1
