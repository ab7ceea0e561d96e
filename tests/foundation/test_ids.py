"""Ids in addresses: numbers that a row can have."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.converters import IntConverter

from foundation.requests.ids import HIGHEST_ID, IdConverter

# Pages of staff, whose queries Django writes; and blocks of ids, no ids themselves.
OTHERS = ("admin/", "sitemaps/")


def numbers(resolver: URLResolver, before: str = "") -> Iterator[tuple[str, IntConverter]]:
    """Every number in the addresses of the site, with its route."""
    for one in resolver.url_patterns:
        route = f"{before}{one.pattern}"
        if isinstance(one, URLPattern):
            converters = getattr(one.pattern, "converters", {}).values()
            yield from ((route, it) for it in converters if isinstance(it, IntConverter))
        else:
            yield from numbers(one, route)


def test_every_number_in_an_address_is_an_id() -> None:
    found = [(route, it) for route, it in numbers(get_resolver()) if not route.startswith(OTHERS)]
    assert len(found) > 30
    assert [route for route, it in found if not isinstance(it, IdConverter)] == []


def test_an_id_is_no_larger_than_that_of_a_row() -> None:
    assert IdConverter().to_python(str(HIGHEST_ID)) == HIGHEST_ID
    for number in (HIGHEST_ID + 1, 10**30):
        with pytest.raises(ValueError, match="no row"):
            IdConverter().to_python(str(number))


@pytest.mark.django_db
@pytest.mark.parametrize("digits", [str(HIGHEST_ID), str(HIGHEST_ID + 1), "9" * 5000])
def test_where_there_is_none_it_is_said_as_always(digits: str) -> None:
    answer = Client().get(f"/api/v1/matches/{digits}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert Client().get(f"/matches/{digits}/").status_code == 404
