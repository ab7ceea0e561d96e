"""The home page in a real browser."""

import pytest

from tests.end_to_end.conftest import BrowserPage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_home_answers_without_errors(browser_page: BrowserPage) -> None:
    assert browser_page.open("/") == 200
    assert browser_page.page.locator("main").is_visible()
    assert browser_page.errors == []


def test_a_page_that_is_not_there_is_noted(browser_page: BrowserPage) -> None:
    """The notes work: without this, an empty list of errors would prove nothing."""
    with browser_page.page.expect_console_message(lambda told: told.type == "error"):
        assert browser_page.open("/no-such-page") == 404
    assert len(browser_page.errors) == 1
