"""Browsers that take push: a script adds the one it runs in, a form removes any of them."""

from importlib import import_module
from typing import cast

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.access import sign_in_ends, sign_ins_ended
from accounts.models import User
from foundation.refusals import RefusedError
from notifications.models import PushSubscription
from notifications.push.subscribe import browsers_of, forget_browser, subscribe

__all__ = ["add_browser", "know_browser", "remove_browser"]

# Which browser signing out ends: in the session, where `templates/base.html` looks whether it is known. 0: none.
_IN_SESSION = "push_browser"


@require_POST
def add_browser(request: HttpRequest) -> HttpResponse:
    """Push to the browser whose subscription is sent: `endpoint`, `p256dh`, `auth`."""
    if not request.user.is_authenticated:
        return JsonResponse({"detail": _("Sign in first.")}, status=403)
    names = ("endpoint", "p256dh", "auth")
    given = {name: request.POST.get(name, "") for name in names}
    try:
        pk, is_new = subscribe(account=request.user, **given)
    except RefusedError as refusal:
        return JsonResponse({"detail": str(refusal)}, status=422)
    request.session[_IN_SESSION] = pk
    return JsonResponse({"id": pk}, status=201 if is_new else 200)


@require_POST
def know_browser(request: HttpRequest) -> HttpResponse:
    """Let signing out end the push of a browser that was switched on in an earlier sign-in: `endpoint`, `auth`.

    One that the account does not have any more, or whose secret this is not, is switched on by nobody. Empty: it takes
    no push.
    """
    if not request.user.is_authenticated:
        return JsonResponse({"detail": _("Sign in first.")}, status=403)
    endpoint, auth = (request.POST.get(name, "") for name in ("endpoint", "auth"))
    found = None
    if endpoint.isprintable() and auth.isprintable():
        own = browsers_of(request.user.pk).filter(player=None, endpoint=endpoint, auth=auth)
        found = own.values_list("pk", flat=True).first()
    request.session[_IN_SESSION] = found or 0
    return HttpResponse(status=204)


@login_required
@require_POST
def remove_browser(request: HttpRequest, pk: int) -> HttpResponse:
    """Push to it no more."""
    if forget_browser(cast("User", request.user).pk, pk):
        messages.success(request, _("That browser gets no push any more."))
    return redirect("notification-choices")


@receiver(user_logged_out, dispatch_uid="notifications.signed_out")
def _signed_out(request: HttpRequest | None, user: User | None, **_more: object) -> None:
    """Whoever signs out of a browser, perhaps one of others, is told nothing there any more."""
    session = getattr(request, "session", None)
    pk = session.get(_IN_SESSION) if session is not None else None
    if pk is not None and user is not None:
        PushSubscription.objects.filter(pk=pk, account=user).delete()


@receiver(sign_in_ends, dispatch_uid="notifications.sign_in_ends")
def _sign_in_ends(sign_in: UserSession, **_more: object) -> None:
    """Whom the owner signs out elsewhere is told nothing there any more; unless that browser has signed in anew, and
    told the later sign-in.
    """
    pk = _browser_of(sign_in)
    later = UserSession.objects.filter(user=sign_in.user_id, created_at__gt=sign_in.created_at)
    if pk and pk not in {_browser_of(one) for one in later}:
        PushSubscription.objects.filter(pk=pk, account=sign_in.user_id).delete()


def _browser_of(sign_in: UserSession) -> int:
    """The browser that takes push by a sign-in; 0: none, or the sign-in is over."""
    session = import_module(settings.SESSION_ENGINE).SessionStore(sign_in.session_key)
    return int(session.get(_IN_SESSION) or 0)


@receiver(sign_ins_ended, dispatch_uid="notifications.sign_ins_ended")
def _sign_ins_ended(user: User, keep: HttpRequest | None, *, tokens: bool, **_more: object) -> None:
    """Whoever had got in, and had switched push on, would go on reading what the account is told."""
    gone = PushSubscription.objects.filter(account=user)
    if keep is not None:
        gone = gone.exclude(pk=keep.session.get(_IN_SESSION) or 0)
    if not tokens:  # what programs have added goes on with their tokens
        gone = gone.filter(player=None)
    gone.delete()
