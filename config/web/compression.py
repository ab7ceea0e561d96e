"""Answers compressed on their way, but for streams: what waits to be compressed does not arrive."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

from foundation.requests.encodings import takes_gzip

__all__ = ["CompressionMiddleware"]

LEAST = 1000  # bytes; below, a packet more or less is not spared


class CompressionMiddleware(GZipMiddleware):
    """Compresses whole answers of some size for whoever takes that.

    Pages hold secrets beside what visitors send (a form's token beside a search): Django lengthens each answer by
    chance, so that its length tells nothing of them (the attack is called BREACH), and masks tokens anew each time.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Leave streams and small answers as they are, and whatever goes to those who take no gzip."""
        if not isinstance(response, HttpResponse) or len(response.content) < LEAST:
            return response
        if not takes_gzip(request):
            patch_vary_headers(response, ["Accept-Encoding"])
            return response
        return super().process_response(request, response)
