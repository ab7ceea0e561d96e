"""A form of a page that was opened before its reader signed in or out is refused, with a way to a new one."""

import pytest
from django.test import Client

from tests.shown import as_shown

pytestmark = pytest.mark.django_db
FORM = "/i18n/setlang/"


def refused(**headers: str) -> str:
    answer = Client(enforce_csrf_checks=True).post(FORM, {"language": "de"}, headers=headers)
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
