"""The authorisation matrix: every endpoint, every method, every kind of caller.

What each is answered is held against the description of the API too.
"""

import pytest
from django.urls import URLPattern
from django.urls.resolvers import RoutePattern

from api.urls import urlpatterns
from api.views.base import ApiView
from tests.api.matrix import CALLERS, ROWS, Row
from tests.api.schema.test_description import NOT_DESCRIBED, is_as_described
from tests.api.world import World

# Pages for everybody, outside the contract: they never look at a key or token.
PAGES = {"docs", "problems", "problem"}


def endpoints() -> set[tuple[str, str]]:
    """Every route and method of the API."""
    found = set()
    for pattern in urlpatterns:
        assert isinstance(pattern, URLPattern), "included addresses would be passed over"
        view = getattr(pattern.callback, "cls", None)
        if pattern.name in PAGES:
            assert not (isinstance(view, type) and issubclass(view, ApiView))
            continue
        assert view is not None, f"{pattern.name} is no endpoint"
        assert issubclass(view, ApiView), f"{pattern.name} is no ApiView"
        found |= {(str(pattern.name), method) for method in view.access}
    return found


def test_every_endpoint_and_method_has_a_row() -> None:
    assert endpoints() == {(row.route, row.method) for row in ROWS}


def test_every_row_says_what_each_caller_gets() -> None:
    for row in ROWS:
        assert set(row.expected) == set(CALLERS), row


def test_no_address_has_two_names() -> None:
    names = [pattern.name for pattern in urlpatterns]
    assert len(names) == len(set(names))
    assert all(isinstance(pattern.pattern, RoutePattern) for pattern in urlpatterns[:-1])


@pytest.mark.django_db
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.method}-{row.route}")
def test_each_caller_gets_what_the_row_says(row: Row, world: World) -> None:
    path, got = row.path(world), {}
    for caller in CALLERS:
        answer = world.call(row.method, path, caller, body=row.body, **row.headers)
        got[caller] = answer.status_code
        if answer.status_code >= 400:
            assert answer["Content-Type"] == "application/problem+json"
            assert answer.json()["status"] == answer.status_code
        if row.route not in NOT_DESCRIBED:
            is_as_described(row, answer)
    assert got == dict(row.expected)
