"""The form of a game: what it refuses, and what it says would be right. The API refuses the same."""

from importlib import import_module

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction

from accounts.models import AuditEntry
from ratings.ladders.games import change_game, obtain_game
from ratings.models import Game
from tests.ratings.admin_cast import operator

pytestmark = pytest.mark.django_db
ADD = "/admin/ratings/game/add/"
WRONG = [
    "javascript:alert(1)",
    "JAVASCRIPT://x.example/%0Aalert(1)",
    "data:text/html,x",
    "ask me",
    "http\N{LATIN SMALL LETTER LONG S}://example.org",
    "https://example.org/a\N{IDEOGRAPHIC SPACE}b",
    "//example.org/appeals",
    "https://",
    "https:///appeals",
    "https://example.org/a b",
    "https://example.org\njavascript:alert(1)",
    "mail@example.org\n",
    "mailto:nobody",
    "a@b@example.org",
    f"https://example.org/{'a' * 200}",
]
RIGHT = [
    "",
    "https://example.org",
    "HTTP://localhost:8000/appeals?game=go#how",
    "mail@example.org",
    "mailto:mail@example.org",
]


def given(**changes: str) -> dict[str, str]:
    return {"name": "Go", "slug": "go", "disputes_at_most": "3", **changes}


@pytest.mark.parametrize("address", WRONG)
def test_appeals_go_to_an_address_alone(address: str) -> None:
    """By the form, by the API, and whatever else writes."""
    if address == address.strip():  # which the form does itself
        page = operator().post(ADD, given(appeals_to=address)).content.decode()
        assert "https://example.org/appeals or mail@example.org" in page or "200 characters" in page
        assert not Game.objects.exists()
    with pytest.raises(ValidationError, match="appeals_to"):
        obtain_game("go", {"appeals_to": address})
    game, _ = obtain_game("go", {})
    with pytest.raises(ValidationError, match="appeals_to"):
        change_game(game, {"appeals_to": address}, actor=None)
    if len(address) <= 200:
        with pytest.raises(IntegrityError, match="appeals_to"), transaction.atomic():
            Game.objects.update(appeals_to=address)


@pytest.mark.parametrize("address", RIGHT)
def test_pages_and_mail_are_addresses(address: str) -> None:
    assert operator().post(ADD, given(appeals_to=address)).status_code == 302
    assert Game.objects.get().appeals_to == address


def test_what_stood_there_before_is_taken_out_and_stays_in_the_log() -> None:
    wrong, _ = obtain_game("go", {})
    right, _ = obtain_game("chess", {"appeals_to": "mail@example.org"})
    step = import_module("ratings.migrations.0030_appeals_to_an_address")
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE ratings_game DROP CONSTRAINT game_appeals_to_an_address")
        Game.objects.filter(pk=wrong.pk).update(appeals_to=WRONG[0])
        cursor.execute(step.TAKE_OUT)
    wrong.refresh_from_db()
    right.refresh_from_db()
    assert (wrong.appeals_to, right.appeals_to) == ("", "mail@example.org")
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.target_id) == ("game.changed", str(wrong.pk))
    assert (entry.before, entry.after) == ({"appeals_to": WRONG[0]}, {"appeals_to": ""})


def test_a_number_out_of_range_is_told_the_range() -> None:
    client = operator()
    page = client.post(ADD, given(disputes_at_most="101")).content.decode()
    assert "must be a whole number between 0 and 100; you gave 101." in page
    assert 'value="3"' in client.get(ADD).content.decode()


def test_a_refused_word_that_no_name_can_hold_is_refused() -> None:
    client = operator()
    page = client.post(ADD, given(refused_words=f"admin\n{'x' * 101}")).content.decode()
    assert "has 101 characters. Write one word a line, of at most 100." in page
    with pytest.raises(ValidationError, match="refused_words"):
        obtain_game("go", {"refused_words": "x" * 101})
    assert client.post(ADD, given(refused_words=f"admin\n{'x' * 100}")).status_code == 302
