"""The site's own pages, and accepting its rules."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.audited_admin import actor_of
from accounts.texts.current import site_texts
from accounts.texts.forms import AcceptForm
from accounts.texts.models import SiteText
from accounts.texts.retention import with_retention

__all__ = ["accept", "page"]


@require_safe
def page(request: HttpRequest, kind: str) -> HttpResponse:
    """A text as it holds now, in the language of whoever reads or else in the one it is written in."""
    row = site_texts().row_of(kind)
    text = None if row is None else SiteText.objects.filter(pk=row).first()
    context: dict[str, object] = {"title": SiteText.Kind(kind).label, "text": text}
    if text is None:
        return render(request, "texts/page.html", context, status=HTTPStatus.NOT_FOUND)
    context["html"] = with_retention(text.text, text.language)
    context["is_other_language"] = text.language != (get_language() or "").partition("-")[0]
    return render(request, "texts/page.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def accept(request: HttpRequest) -> HttpResponse:
    """Accept the rules, and go on with what one was at."""
    back = request.POST.get("next") or request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = reverse("play")
    form = AcceptForm(request.POST if request.method == "POST" else None)
    if "rules" not in form.fields:  # taken down meanwhile
        return HttpResponseRedirect(back)
    if request.method == "POST" and form.is_valid():
        form.keep_consent(actor_of(request))
        messages.success(request, _("You've accepted the rules. You can go on now."))
        return HttpResponseRedirect(back)
    return render(request, "texts/accept.html", {"form": form, "next": back})
