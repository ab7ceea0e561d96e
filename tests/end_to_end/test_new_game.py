"""Setting up a game in a browser: only what matters is asked, and what follows is told while one answers."""

from django.test import Client
from playwright.sync_api import expect

from matchmaking.models import Queue
from tests.end_to_end.conftest import BrowserPage
from tests.ratings.admin_cast import operator


def test_a_game_is_set_up(browser_page: BrowserPage) -> None:
    client: Client = operator()
    cookies = [
        {"name": name, "value": morsel.value, "url": browser_page.site}
        for name, morsel in client.cookies.items()
    ]
    page = browser_page.page
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    browser_page.open("/admin/")
    page.get_by_role("link", name="Set up a game").click()
    told = page.locator(".foreseen")
    expect(told).to_contain_text("every 7 days")
    expect(page.get_by_label("Players in a team")).to_be_hidden()
    page.get_by_label("Two teams").check()
    expect(page.get_by_label("Players in a team")).to_be_visible()
    expect(told).to_contain_text("every 7 days")
    page.get_by_label("Frags").check()
    expect(told).to_contain_text("Frags rates one against one only")
    page.get_by_label("TrueSkill").check()
    page.get_by_label("none: a rating moves after each match").check()
    expect(told).to_contain_text("after each match")
    page.get_by_label("Name of the game").first.fill("Squads")
    page.get_by_label("Name of the ladder").first.fill("Ranked")
    page.get_by_role("button", name="Set it up").click()
    expect(page.locator("#secret")).to_contain_text("em_srv_")
    page.get_by_role("link", name="The queue, as players see it").click()
    assert page.url.endswith("/play/in/squads-ranked/")
    assert Queue.objects.get().ladder.team_size == 5
    assert browser_page.errors == []
