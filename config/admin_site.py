"""The operator's admin: one heading, the state of things first, and no form that goes unrecorded."""

from http import HTTPStatus
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from accounts.audited_admin import AuditedAdmin, actor_of
from config.admin_state import read_counts, read_state
from foundation.read_only_admin import ReadOnlyAdmin

__all__ = ["EvenmatchAdminSite"]

ORDER = [
    "ratings",
    "matchmaking",
    "leaderboards",
    "accounts",
    "account",
    "auth",
    "api",
    "events",
    "foundation",
]
# What packages bring for accounts stands with ours, where ours is shown.
FOLDED = {"account": "accounts", "auth": "accounts", "foundation": "events"}


class EvenmatchAdminSite(admin.AdminSite):
    """Django's admin, audited."""

    site_header = "Evenmatch"
    site_title = "Evenmatch"
    index_title = _("Administration")
    index_template = "admin/index.html"

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Audit what installed packages bring too; their own actions would change rows past the log."""
        if admin_class is None:
            admin_class = AuditedAdmin
        if not issubclass(admin_class, AuditedAdmin | ReadOnlyAdmin):
            own = {"actions": None, "__module__": admin_class.__module__}
            admin_class = type(f"Audited{admin_class.__name__}", (AuditedAdmin, admin_class), own)
        super().register(model_or_iterable, admin_class, **options)

    @method_decorator(never_cache)
    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Leave signing in to the site's own page: one door, with one set of limits."""
        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated:
            return render(request, "admin/refused.html", status=HTTPStatus.FORBIDDEN)
        wanted = request.GET.get("next", "")
        if not url_has_allowed_host_and_scheme(wanted, allowed_hosts=None):
            wanted = reverse("admin:index")
        query = urlencode({"next": wanted})
        return HttpResponseRedirect(f"{reverse('account_login')}?{query}")

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Leave it to the site's own page, which counts how often the old password is guessed."""
        return redirect("account_change_password")

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """The list of things, below the state panel for those who may see tracks."""
        may_look = actor_of(request).has_perm("ratings.view_ratingtrack")
        state: dict[str, Any] = {"state": read_state()} if may_look else {}
        state["counts"] = read_counts(request)
        return super().index(request, {**state, **(extra_context or {})})

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Ratings first, the plumbing last."""
        by_label = {app["app_label"]: app for app in super().get_app_list(request, app_label)}
        for label, into in FOLDED.items():
            if label in by_label and into in by_label:
                by_label[into]["models"] += by_label.pop(label)["models"]
        known = {label: number for number, label in enumerate(ORDER)}
        return sorted(by_label.values(), key=lambda app: known.get(app["app_label"], len(ORDER)))
