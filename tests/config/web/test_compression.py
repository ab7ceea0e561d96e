"""What is large goes out compressed to whoever takes that; streams, and what is small, as they are."""

import gzip
from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from config.web.compression import LEAST, CompressionMiddleware

GZIP = {"Accept-Encoding": "gzip, deflate, br"}


def through(response: Any, **headers: str) -> Any:
    request = RequestFactory().get("/", headers=headers or GZIP)
    return CompressionMiddleware(lambda _: response)(request)


def test_pages_are_compressed() -> None:
    text = b"fair matches " * 1000
    sent = through(HttpResponse(text))
    assert sent["Content-Encoding"] == "gzip"
    assert len(sent.content) < len(text) / 20
    assert gzip.decompress(sent.content) == text
    assert "Accept-Encoding" in sent["Vary"]
    assert sent["Content-Length"] == str(len(sent.content))
    assert through(HttpResponse(text), **{"Accept-Encoding": "identity"}).content == text


@pytest.mark.parametrize("words", ["gzip;q=0", "br, gzip ; q=0.000, deflate", "GZIP;Q=0"])
def test_whoever_refuses_it_gets_it_plain(words: str) -> None:
    sent = through(HttpResponse(b"fair matches " * 1000), **{"Accept-Encoding": words})
    assert not sent.has_header("Content-Encoding")
    assert sent["Vary"] == "Accept-Encoding"


def test_less_wanted_is_wanted() -> None:
    sent = through(HttpResponse(b"fair matches " * 1000), **{"Accept-Encoding": "br, gzip;q=0.01"})
    assert sent["Content-Encoding"] == "gzip"


def test_lengths_tell_nothing_of_what_is_secret() -> None:
    assert len({len(through(HttpResponse(b"secret " * 1000)).content) for _ in range(30)}) > 5


def test_what_is_small_is_left_alone() -> None:
    assert not through(HttpResponse(b"x" * (LEAST - 1))).has_header("Content-Encoding")
    assert through(HttpResponse(b"x" * LEAST)).has_header("Content-Encoding")


def test_streams_arrive_piece_by_piece() -> None:
    told: list[int] = []

    def events() -> Iterator[bytes]:
        for number in range(3):
            told.append(number)
            yield b"data: news " * 1000

    sent = through(StreamingHttpResponse(events(), content_type="text/event-stream"))
    assert not sent.has_header("Content-Encoding")
    assert next(iter(sent)) == b"data: news " * 1000
    assert told == [0]


@pytest.mark.django_db
def test_the_site_compresses() -> None:
    page = Client().get("/", headers=GZIP)
    assert page["Content-Encoding"] == "gzip"
    schema = Client().get("/api/v1/schema", headers=GZIP)
    assert schema["Content-Encoding"] == "gzip"
    assert len(gzip.decompress(schema.content)) > 3 * len(schema.content)
