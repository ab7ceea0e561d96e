"""Answers of the web server itself, made without Django's middleware: they cost next to nothing."""

import json
from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from typing import Any

__all__ = ["problem_members", "refuse"]

_STATUS = "503 Service Unavailable"


def refuse(
    environ: dict[str, Any], start_response: Callable[..., Any], code: str, retry_after: int
) -> list[bytes]:
    """Answer 503 with this problem; on pages with the words of a site that is busy."""
    path: str = environ["PATH_INFO"]
    if path == "/api" or path.startswith("/api/"):
        from django.conf import settings
        from django.utils import translation

        from api.contract.problems import MEDIA_TYPE

        with translation.override(_language(environ)):
            said = {**problem_members(code), "instance": path}
        kind, body = MEDIA_TYPE, json.dumps(said).encode()
        # Pages of the sites that may call the API see what they are told.
        origin = environ.get("HTTP_ORIGIN", "")
        extra = [
            ("Access-Control-Allow-Origin", origin),
            ("Access-Control-Expose-Headers", "Retry-After"),
            ("Vary", "Origin"),
        ]
        if origin not in settings.CORS_ALLOWED_ORIGINS:
            extra = []
    else:
        kind, body = "text/html; charset=utf-8", _page(_language(environ))
        extra = []
    own = [
        ("Content-Type", kind),
        ("Content-Length", str(len(body))),
        ("Retry-After", str(retry_after)),
        ("Cache-Control", "no-store"),
    ]
    start_response(_STATUS, own + extra)
    return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]


def problem_members(code: str) -> dict[str, object]:
    """A problem (RFC 9457) in the words of the list of problems."""
    from api.contract.problems import PROBLEMS  # needs the settings, which come after this module

    problem = PROBLEMS[code]
    return {
        "type": problem.get_absolute_url(),
        "title": str(problem.title),
        "status": int(HTTPStatus(problem.status)),
        "detail": str(problem.meaning),
        "code": code,
    }


def _language(environ: dict[str, Any]) -> str:
    from django.utils.translation import get_supported_language_variant, trans_real

    for code, _ in trans_real.parse_accept_lang_header(
        environ.get("HTTP_ACCEPT_LANGUAGE", "").lower()[:200]
    ):
        try:
            return get_supported_language_variant(code)
        except LookupError:
            continue
    return "en"


@cache
def _page(language: str) -> bytes:
    from django.template.loader import render_to_string
    from django.utils import translation

    with translation.override(language):
        return render_to_string("503.html").encode()
