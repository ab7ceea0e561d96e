"""The operator's admin: one heading, the state of things first, and no form that goes unrecorded."""

from functools import update_wrapper
from http import HTTPStatus
from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, resolve, reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from accounts.audited_admin import AuditedAdmin, actor_of
from accounts.entrance.fresh import ask_again, is_fresh
from accounts.factors.duty import due_at, is_overdue
from accounts.texts.current import site_texts
from config.admin_links import link_for, link_only_what_opens
from config.admin_state import may_set_up, read_counts, read_state
from foundation.read_only_admin import ReadOnlyAdmin, own_pages
from ratings.models import Game

__all__ = ["EvenmatchAdminSite"]

ORDER = [
    "ratings",
    "matchmaking",
    "people",
    "groups",
    "clans",
    "notifications",
    "challenges",
    "rooms",
    "talk",
    "moderation",
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
# What is changed only by somebody who has just shown who it is: rights, what opens accounts, keys, parameters of
# ratings, whose a player is, and what is out of use. By the beginning of the address below the admin's, so that pages
# beside Django's own are among them.
GUARDED = (
    "accounts/user/",
    "account/emailaddress/",
    "auth/group/",
    "api/serverkey/",
    "api/playertoken/",
    "ratings/player/add/",
    "ratings/player/<path:object_id>/change/",  # its account and its id in the game are fields there
    "ratings/player/<path:object_id>/delete/",
    "ratings/player/<id:pk>/merge/",
    "ratings/player/<id:pk>/unmerge/",
    "ratings/player/<id:pk>/move/",
    "ratings/ratingtrack/",
    "ratings/ladder/<int:pk>/add-track/",
    "ratings/ladder/<path:object_id>/change/",  # rules that are parameters of every track
    *(
        f"{kind}/<int:pk>/{verb}/"  # of a track both are above
        for kind in ("ratings/game", "ratings/ladder", "matchmaking/queue")
        for verb in ("archive", "restore")
    ),
    "set-up/",  # makes a key
)


link_only_what_opens()


class EvenmatchAdminSite(admin.AdminSite):
    """Django's admin, audited."""

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

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Let nobody past the second factor that is owed, nor to what is guarded without a fresh sign-in."""

        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if is_overdue(actor_of(request)) and request.path != reverse("admin:logout"):
                messages.warning(
                    request, gettext("The administration asks for a second factor. Set one up.")
                )
                return redirect("mfa_index")
            is_guarded = False
            if request.method not in {"GET", "HEAD"}:
                below = resolve(request.path_info).route.partition("/")[2]
                is_guarded = below.startswith(GUARDED)
                if is_guarded and not is_fresh(request):
                    return ask_again(request)
            answer: HttpResponse = view(request, *args, **kwargs)
            if isinstance(answer, TemplateResponse):
                link_for(request, answer)
            if is_guarded and isinstance(answer, TemplateResponse) and answer.context_data:
                # The browser may still be at the page that asked once more: a form is sent to where it belongs.
                given = answer.context_data.get("form_url")
                answer.context_data["form_url"] = given or request.get_full_path()
            return answer

        return super().admin_view(update_wrapper(guarded, view), cacheable)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """On every page the name of the site, and from when on a second factor is needed."""
        name = site_texts().name()
        context = {**super().each_context(request), "site_header": name, "site_title": name}
        if request.user.is_authenticated:
            context["factor_due"] = due_at(actor_of(request))
        return context

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Setting up a game is about several kinds of things, and so belongs to none of their pages."""
        from config.new_game.page import set_up_game, show_preview  # needs a site that is there

        own = {
            "set-up/": ("set_up", set_up_game),
            "set-up/preview/": ("set_up_preview", show_preview),
        }
        return [*own_pages(self, own), *super().get_urls()]

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
        if may_set_up(request):
            has_tracks = bool(may_look and state["state"].rows)
            state["set_up"] = {"is_first": not (has_tracks or Game.objects.exists())}
        return super().index(request, {**state, **(extra_context or {})})

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Ratings first, the plumbing last."""
        by_label = {app["app_label"]: app for app in super().get_app_list(request, app_label)}
        for label, into in FOLDED.items():
            if label in by_label and into in by_label:
                by_label[into]["models"] += by_label.pop(label)["models"]
        known = {label: number for number, label in enumerate(ORDER)}
        return sorted(by_label.values(), key=lambda app: known.get(app["app_label"], len(ORDER)))
