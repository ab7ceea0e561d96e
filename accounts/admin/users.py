"""Accounts in the admin."""

from typing import Any, ClassVar

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import audit
from accounts.access import end_access
from accounts.admin.access import end_access_page, may_touch, own_matter_on, reset_factor_page
from accounts.admin_actions import NoteForm
from accounts.audited_admin import AuditedAdmin, actor_of
from accounts.colliding import colliding_accounts
from accounts.deletion import DeletesPersons, deletion_of_account
from accounts.entrance.links import link_to_reset
from accounts.last_admin import ADMIN_RIGHTS, LastAdminError, refuse_last_admin
from accounts.mail.post import post_notice
from accounts.models import Mail, User
from accounts.own_matters import check_access, own_matter
from foundation.admin_filters import ChoiceFilter
from foundation.read_only_admin import BoundedPaginator, own_pages

# Without them, or by others, its owner no longer gets in.
_WAYS_IN = frozenset({"username", "email", "is_active"})


class AccountForm(UserChangeForm):  # type: ignore[type-arg]
    """An account as it is. The last admin keeps the rights that make one. `by`: who changes it."""

    by: ClassVar[User | None] = None

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        is_admin = all(cleaned.get(name, getattr(self.instance, name)) for name in ADMIN_RIGHTS)
        if not is_admin:
            try:
                refuse_last_admin(self.instance)
            except LastAdminError as error:
                raise ValidationError(str(error), code=error.code) from error
        if not _WAYS_IN.isdisjoint(self.changed_data):
            words = own_matter(lambda: check_access(self.by, self.instance))
            if words:
                raise ValidationError(words)
        return cleaned


class LookAlikeFilter(ChoiceFilter):
    """Names that a person could mistake for each other: the operator renames all but one."""

    title = gettext_lazy("names that look alike")
    parameter_name = "alike"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("accounts", gettext_lazy("Of several accounts"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        if self.value() != "accounts":
            return queryset
        return queryset.filter(pk__in=colliding_accounts())


@admin.register(User)
class UserAdmin(DeletesPersons, AuditedAdmin[User], DjangoUserAdmin):  # type: ignore[type-arg]
    """Accounts. Only a superuser hands out rights, and changes the accounts of others who have some."""

    form = AccountForm
    list_display = [
        "username",
        "email",
        "is_staff",
        "has_second_factor",
        "is_active",
        "date_joined",
        "last_login",
    ]
    list_filter = ["is_staff", "is_superuser", "has_second_factor", "is_active", LookAlikeFilter]
    readonly_fields = ["date_joined", "last_login", "staff_since", "has_second_factor"]
    fieldsets = (
        *(DjangoUserAdmin.fieldsets or ()),
        (gettext_lazy("Second factor"), {"fields": ("has_second_factor", "staff_since")}),
    )
    search_fields = ["username", "email"]
    paginator = BoundedPaginator
    show_full_result_count = False
    actions = None

    change_form_template = "admin/accounts/user/change_form.html"

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> list[str]:
        if actor_of(request).is_superuser:
            return self.readonly_fields
        return [
            *self.readonly_fields,
            "email",
            "is_staff",
            "is_superuser",
            "groups",
            "user_permissions",
        ]

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Of the password, and the way to another one, nothing for whoever cannot set it."""
        fieldsets = super().get_fieldsets(request, obj)
        if obj is None or self.has_change_permission(request, obj):
            return fieldsets
        return [
            (title, {**parts, "fields": [one for one in parts["fields"] if one != "password"]})
            for title, parts in fieldsets
        ]

    def get_ordering(self, request: HttpRequest) -> Any:
        alike = LookAlikeFilter.parameter_name in request.GET
        return ["skeleton", "pk"] if alike else super().get_ordering(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Whoever adds an account sees and changes it next: Django refuses the page without that right."""
        return super().has_add_permission(request) and self.has_change_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Of one that was deleted nothing: it would come back."""
        may = may_touch(request, obj) and super().has_change_permission(request, obj)
        return may and (obj is None or deletion_of_account(obj) is None)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return may_touch(request, obj) and super().has_delete_permission(request, obj)

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        user = kwargs.get("obj")
        context["deletion"] = deletion_of_account(user) if user is not None else None
        return super().render_change_form(request, context, *args, **kwargs)

    def get_form(
        self, request: HttpRequest, obj: User | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        form = super().get_form(request, obj, change=change, **kwargs)
        return form if obj is None else type(form.__name__, (form,), {"by": actor_of(request)})

    def user_change_password(
        self,
        request: HttpRequest,
        id: str,  # noqa: A002
        form_url: str = "",
    ) -> HttpResponse:
        user = self.get_object(request, id)
        may = user is not None and self.has_change_permission(request, user)
        if user is not None and may and (words := own_matter_on(request, user)):
            messages.error(request, words)
            return redirect("admin:accounts_user_change", user.pk)
        with transaction.atomic():
            answer = super().user_change_password(request, id, form_url)
            if request.method == "POST" and id == str(actor_of(request).pk):
                # Django has let the own sign-in go on, by another key.
                UserSession.objects.create_from_request(request)
        return answer

    def get_urls(self) -> list[URLPattern]:
        link = self.admin_site.admin_view(self.reset_link)
        ours = [path("<int:pk>/reset-link/", link, name="accounts_user_reset_link")]
        pages = {
            "<int:pk>/end-access/": ("accounts_user_end_access", end_access_page),
            "<int:pk>/reset-factor/": ("accounts_user_reset_factor", reset_factor_page),
        }
        return [*ours, *own_pages(self.admin_site, pages), *super().get_urls()]

    def reset_link(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Make a link for whoever lost the password; it is on this answer only."""
        user = get_object_or_404(User, pk=pk)
        if not self.has_change_permission(request, user):
            raise PermissionDenied
        form = NoteForm(request.POST or None)
        words = own_matter_on(request, user)
        context = {
            **self.admin_site.each_context(request),
            "title": _("A link to set a new password"),
            "opts": self.opts,
            "original": user,
            "hours": settings.PASSWORD_RESET_TIMEOUT // 3600,
            "admin_action": {
                "button": _("Create the link"),
                "back": reverse("admin:accounts_user_change", args=[user.pk]),
            },
            "form": form,
            "is_impossible": not user.is_active,
            "own_matter": words,
        }
        if user.is_active and not words and request.method == "POST" and form.is_valid():
            note = form.cleaned_data["note"]
            audit.record(
                actor=actor_of(request), action="user.reset_link_made", target=user, note=note
            )
            context["link"] = link_to_reset(user)
        page = TemplateResponse(request, "admin/accounts/user/reset_link.html", context)
        add_never_cache_headers(page)
        return page

    def log_change(self, request: HttpRequest, obj: User, message: Any) -> Any:
        """A password is set on a page of its own, which saves by itself and reports here."""
        match = request.resolver_match
        if match is not None and match.url_name == "auth_user_password_change":
            end_access(obj, why="password set by an operator", actor=actor_of(request))
            post_notice(Mail.Kind.PASSWORD, obj)
            self._record(request, "password_changed", obj)
        return super().log_change(request, obj, message)
