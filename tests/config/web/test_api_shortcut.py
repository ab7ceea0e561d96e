"""What only pages need is left out for the API, and nothing else is."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db

FOR_ALL = [
    "Content-Language",
    "Content-Length",
    "Content-Security-Policy",
    "Cross-Origin-Opener-Policy",
    "Referrer-Policy",
    "X-Content-Type-Options",
    "X-Frame-Options",
]


@pytest.mark.parametrize("path", ["/api/v1/", "/api/v1/games", "/api/v1/nothing-here"])
def test_the_api_passes_by_sessions_and_keeps_headers(path: str) -> None:
    answer = Client(headers={"Accept-Language": "de"}).get(path)
    assert [name for name in FOR_ALL if name not in answer.headers] == []
    assert answer.headers["Content-Language"] == "de"
    for name in ("session", "htmx", "_messages"):
        assert not hasattr(answer.wsgi_request, name)


@pytest.mark.parametrize(
    "path", ["/", "/api/v1/docs/", "/api/v1/problems/", "/api/v1/problems/busy"]
)
def test_pages_have_all_of_it(path: str) -> None:
    answer = Client().get(path)
    assert answer.status_code == 200
    assert [name for name in FOR_ALL if name not in answer.headers] == []
    for name in ("session", "htmx", "_messages"):
        assert hasattr(answer.wsgi_request, name)
