"""Pages without JavaScript in a real browser: what a page that loads itself again offers to fill in."""

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from matchmaking.pages import ongoing
from matchmaking.tickets import lifecycle
from tests.end_to_end.players import make_queue, open_page, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_page_that_loads_itself_again_has_no_field_but_a_way_to_one(
    browser: Browser, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ongoing, "_BY_HAND", 600)
    queue = make_queue(accept_seconds=600, heartbeat_seconds=600)
    anna = open_page(browser, live_server.url, "Anna", scripts=False, width=390)
    player = sign_in(anna, queue, live_server.url)
    page, header = anna.page, anna.page.locator(".site-header")
    anna.goes_to("/")
    expect(header.get_by_role("searchbox")).to_be_visible()
    expect(header.get_by_role("link", name="Find a player")).to_be_hidden()
    lifecycle.join(queue=queue, player=player)
    for address in ("/", "/ladders/blitz/", "/play/", "/play/in/blitz/"):
        anna.goes_to(address)
        expect(page.get_by_role("searchbox")).to_have_count(0)
    expect(page.locator("#stage")).not_to_contain_text("Keep any page", use_inner_text=True)
    header.get_by_role("link", name="Find a player").click()
    expect(page.locator("main").get_by_role("searchbox")).to_be_visible()  # and this page stays
    expect(header.get_by_role("searchbox")).to_be_visible()
    anna.context.close()


def test_no_passkey_is_added_without_scripts(browser: Browser, live_server: LiveServer) -> None:
    queue = make_queue()
    for scripts in (False, True):
        person = open_page(browser, live_server.url, f"Anna{scripts}", scripts=scripts, width=390)
        sign_in(person, queue, live_server.url)
        person.goes_to("/accounts/2fa/")
        expect(person.page.get_by_text("Needs JavaScript.")).to_be_visible()
        ways = person.page.get_by_role("link", name="Add a passkey")
        expect(ways).to_have_count(int(scripts))
        person.context.close()


def test_with_scripts_the_field_is_there(browser: Browser, live_server: LiveServer) -> None:
    queue = make_queue(accept_seconds=600, heartbeat_seconds=600)
    anna = open_page(browser, live_server.url, "Anna")
    lifecycle.join(queue=queue, player=sign_in(anna, queue, live_server.url))
    anna.goes_to("/play/in/blitz/")
    header = anna.page.locator(".site-header")
    expect(header.get_by_role("searchbox")).to_be_visible()
    expect(header.get_by_role("link", name="Find a player")).to_have_count(0)
    expect(anna.page.locator("#stage")).to_contain_text("Keep any page")
    assert anna.errors == []
    anna.context.close()
