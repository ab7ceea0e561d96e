"""Numbers and times as pages say them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import translation

from foundation.templatetags.browsers import browser_of
from foundation.templatetags.display import ago, percent, signed

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """A request of an earlier test may have left another language active."""
    with translation.override("en"):
        yield


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=5, seconds=40), "5\xa0minutes\xa0ago"),
        (timedelta(days=3, hours=7), "3\xa0days\xa0ago"),
        (timedelta(days=800), "2\xa0years\xa0ago"),
    ],
)
def test_ago_names_the_largest_unit(passed: timedelta, said: str) -> None:
    assert ago(NOON - passed, NOON) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (8.61, "+8.6"),
        (-3.249, "−3.2"),
        (0.0, "0.0"),
        (-0.04, "0.0"),
        (118.45, "+118.5"),
        (-1e300, "−1.0e300"),
    ],
)
def test_signed_rounds_before_it_chooses_the_sign(value: float, said: str) -> None:
    assert signed(value) == said


def test_signed_follows_the_language() -> None:
    with translation.override("de"):
        assert signed(-3.2) == "−3,2"


_WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"
_CHROME = f"{_WEBKIT} Chrome/130.0.0.0 Safari/537.36"
_MAC = "Macintosh; Intel Mac OS X 10_15_7"
_PHONE = "iPhone; CPU iPhone OS 17_5 like Mac OS X"


@pytest.mark.parametrize(
    ("user_agent", "words"),
    [
        (f"Mozilla/5.0 (X11; Linux x86_64) {_CHROME}", "Chrome on Linux"),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {_CHROME} Edg/130.0.0.0", "Edge on Windows"),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {_CHROME} OPR/115.0.0.0", "Opera on Windows"),
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
            "Firefox on Linux",
        ),
        (f"Mozilla/5.0 ({_MAC}) {_WEBKIT} Version/17.5 Safari/605.1.15", "Safari on macOS"),
        (
            f"Mozilla/5.0 ({_PHONE}) {_WEBKIT} Version/17.5 Mobile/15E148 Safari/604.1",
            "Safari on iPhone",
        ),
        (
            f"Mozilla/5.0 ({_PHONE}) {_WEBKIT} CriOS/130.0 Mobile/15E148 Safari/604.1",
            "Chrome on iPhone",
        ),
        (f"Mozilla/5.0 (Linux; Android 10; K) {_CHROME}", "Chrome on Android"),
        (
            f"Mozilla/5.0 (Linux; Android 14; SM-S921B) {_WEBKIT} SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile",
            "Samsung Internet on Android",
        ),
        (f"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) {_CHROME}", "Chrome on ChromeOS"),
        ("Mozilla/5.0 (X11; Linux x86_64) Something/1.0", "Unknown browser on Linux"),
        ("Mozilla/5.0", "Unknown browser"),
        ("", "Unknown browser"),
        ("\u202e\u200b", "Unknown browser"),
        ("(Linux)", "Unknown browser on Linux"),
        ("MyGame/1.2 (Windows; build 7)", "MyGame on Windows"),
        ("UnityPlayer/2022.3.1f1 (UnityWebRequest/1.0, libcurl/8.4.0-DEV)", "UnityPlayer"),
        ("python-httpx/0.27", "python-httpx"),
        ("curl", "curl"),
        ("x" * 200, "Unknown browser"),
    ],
)
def test_browsers_are_named(user_agent: str, words: str) -> None:
    assert browser_of(user_agent) == words


def test_browsers_are_named_in_german_too() -> None:
    with translation.override("de"):
        assert browser_of("Mozilla/5.0 (X11; Linux x86_64)") == "Unbekannter Browser unter Linux"


@pytest.mark.parametrize(("language", "said"), [("en", "35.5%"), ("de", "35,5\u202f%")])
def test_a_share_is_written_as_the_language_writes_it(language: str, said: str) -> None:
    with translation.override(language):
        assert percent(0.355, 1) == said
        assert percent(None) == "–"
