"""A form of a page that was opened before its reader signed in or out is refused, with a way to a new one."""

from typing import Any

import pytest
from django.test import Client

from tests.shown import as_shown

pytestmark = pytest.mark.django_db
FORM = "/i18n/setlang/"


def refused(*, secure: bool = False, **headers: str) -> str:
    client = Client(enforce_csrf_checks=True)
    answer = client.post(FORM, {"language": "de"}, headers=headers, secure=secure)
    assert answer.status_code == 403
    return as_shown(answer.content.decode())


def test_it_leads_back_to_the_page() -> None:
    text = refused(referer="http://testserver/ladders/go/?rank=7&everyone=1")
    assert "This form has expired" in text
    way = '<a class="button" href="http://testserver/ladders/go/?rank=7&amp;everyone=1">'
    assert f"{way}Open the page anew</a>" in text


@pytest.mark.parametrize("page", ["", "https://elsewhere.example/", "javascript:alert(1)"])
def test_it_leads_nowhere_else(page: str) -> None:
    text = refused(referer=page)
    assert 'href="/">Go to the home page</a>' in text
    assert "Open the page anew<" not in text
    assert not page or page not in text


@pytest.mark.parametrize(
    "sent",
    [
        {"origin": "https://elsewhere.example"},
        {"secure": True},
        {"secure": True, "referer": "https://elsewhere.example/page"},
        {"secure": True, "referer": "nothing"},
        {"secure": True, "referer": "http://testserver/"},
    ],
    ids=str,
)
def test_one_that_comes_from_elsewhere_is_told_so(sent: dict[str, Any]) -> None:
    text = refused(**sent)
    assert "<h1>This form came from another address</h1>" in text
    assert "<title>This form came from another address" in text
    assert "EVENMATCH_PUBLIC_URL" in text
    assert 'href="/">Go to the home page</a>' in text
    assert "expired" not in text


def test_it_says_so_in_german() -> None:
    text = refused(origin="https://elsewhere.example", accept_language="de")
    assert "<h1>Dieses Formular kam von einer anderen Adresse</h1>" in text


def test_one_that_has_expired_is_no_matter_of_addresses() -> None:
    text = refused(origin="http://testserver")
    assert "<h1>This form has expired</h1>" in text
    assert "address" not in text


def test_a_part_of_a_page_says_so_once_the_page_has_loaded_anew() -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post(FORM, headers={"HX-Request": "true", "Referer": "http://testserver/"})
    assert answer.status_code == 403
    text = as_shown(client.get("/").content.decode())
    assert "This form was opened before you signed in or out. Nothing was changed." in text
