"""What whoever asks can unpack."""

import re

from django.http import HttpRequest

__all__ = ["takes_gzip"]

_NAMED = re.compile(r"\bgzip\b", re.IGNORECASE)
_REFUSED = re.compile(r"\bgzip\s*;\s*q=0(\.0*)?\s*(,|$)", re.IGNORECASE)


def takes_gzip(request: HttpRequest) -> bool:
    """Whether an answer may be compressed by gzip; `gzip;q=0` says that it may not."""
    accepted = request.headers.get("Accept-Encoding", "")
    return bool(_NAMED.search(accepted)) and not _REFUSED.search(accepted)
