"""The page that shows the API, and the page of tokens, in a real browser."""

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import expect

from accounts.models import User
from ratings.models import Game
from ratings.players.claim import make_player
from tests.end_to_end.conftest import BrowserPage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.full
def test_the_docs_page_works_under_its_policy_and_asks_no_foreign_host(
    browser_page: BrowserPage,
) -> None:
    asked: list[str] = []
    browser_page.page.on("request", lambda request: asked.append(request.url))
    assert browser_page.open("/api/v1/docs/") == 200
    first = browser_page.page.get_by_text("Who am I, and what is there?")
    expect(first).to_be_visible()
    first.click()
    browser_page.page.get_by_role("button", name="Try it out").click()
    browser_page.page.get_by_role("button", name="Execute").click()
    expect(browser_page.page.get_by_text('"caller": null').first).to_be_visible()
    assert browser_page.errors == []
    own = (browser_page.site, "data:", "blob:")
    assert [url for url in asked if not url.startswith(own)] == []


def test_a_token_is_made_and_revoked(browser_page: BrowserPage) -> None:
    user = User.objects.create_user("ann")
    make_player(game=Game.objects.create(slug="go", name="Go"), user=user, name="Ann")
    client = Client()
    client.force_login(user)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    browser_page.page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": browser_page.site}]
    )
    page = browser_page.page
    assert browser_page.open("/accounts/tokens/") == 200
    page.get_by_label("Name").fill("my bot")
    page.get_by_role("button", name="Create the token").click()
    expect(page.get_by_text("Copy your new token now.")).to_be_visible()
    page.get_by_role("button", name="Revoke my bot").click()
    expect(page.get_by_text("“my bot” is revoked.")).to_be_visible()
    assert browser_page.errors == []
