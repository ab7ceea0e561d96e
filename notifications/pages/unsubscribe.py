"""Ending mails by the link in them: a page with a button, and the one press of mail programs (RFC 8058)."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from notifications.mail.links import end_mails, read_link

__all__ = ["unsubscribe"]


@never_cache
@csrf_exempt  # a mail program has no token of ours; the link itself is signed
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Nothing ends by looking: programs that check links look at each. A POST ends the mails."""
    ended = read_link(token)
    if ended is None:
        raise Http404
    is_done = request.method == "POST"
    if is_done:
        end_mails(ended)
    context = {"ended": ended, "is_done": is_done}
    return render(request, "notifications/unsubscribe.html", context)
