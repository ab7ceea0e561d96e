"""The home page in a real browser."""

import pytest

from tests.end_to_end.conftest import BrowserPage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


# How many options the commands have, and those that stand on more than one line.
BROKEN = """() => {
  let options = 0;
  const broken = [];
  for (const command of document.querySelectorAll("pre code")) {
    const walker = document.createTreeWalker(command, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      for (const found of walker.currentNode.data.matchAll(/--\\w+/g)) {
        const range = document.createRange();
        range.setStart(walker.currentNode, found.index);
        range.setEnd(walker.currentNode, found.index + found[0].length);
        options += 1;
        if (range.getClientRects().length > 1) broken.push(found[0]);
      }
    }
  }
  return [options, broken];
}"""


def test_home_has_no_errors_and_no_option_of_a_command_is_broken_in_two(
    browser_page: BrowserPage,
) -> None:
    """Browsers break lines behind a hyphen: "--" on one line and "ladder" on the next is no option."""
    assert browser_page.open("/") == 200
    assert browser_page.page.locator("main").is_visible()
    for width in range(320, 480, 5):
        browser_page.page.set_viewport_size({"width": width, "height": 800})
        assert browser_page.page.evaluate(BROKEN) == [6, []], width
    assert browser_page.errors == []


def test_a_page_that_is_not_there_is_noted(browser_page: BrowserPage) -> None:
    """The notes work: without this, an empty list of errors would prove nothing."""
    with browser_page.page.expect_console_message(lambda told: told.type == "error"):
        assert browser_page.open("/no-such-page") == 404
    assert len(browser_page.errors) == 1
