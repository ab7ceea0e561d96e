"""The page that shows the API, as it is without its scripts."""

import re

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def page_in(language: str) -> str:
    return Client(headers={"Accept-Language": language}).get("/api/v1/docs/").content.decode()


def test_the_plain_list_has_no_raw_backticks() -> None:
    listed = page_in("en").split('<div class="endpoints"')[1]
    assert "`" not in listed
    events = re.search(r"<li><code><b>GET</b> /events</code> (.+)</li>", listed)
    assert events
    assert "<code>GET /stream</code>" in events[1]


@pytest.mark.parametrize("language", ["en", "de"])
def test_it_says_nothing_of_scripts_that_may_not_run(language: str) -> None:
    """The list is all there is where scripts don't run: the whole description is a file then."""
    words = page_in(language)
    assert "being drawn" not in words
    assert "wird noch gezeichnet" not in words
    assert 'href="/api/v1/schema"' in words


def test_it_has_one_main_part_and_nothing_beside_landmarks() -> None:
    body = page_in("en").split("<body>")[1].split("</body>")[0]
    assert (body.count("<main"), body.count("<header")) == (1, 1)
    bare = re.sub(
        r"<(header|main|aside)\b.*?</\1>|<script.*?</script>|<link[^>]*>", "", body, flags=re.DOTALL
    )
    assert bare.strip() == ""
