"""Accounts and the audit log in the admin."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from accounts.audited import AuditedAdmin, actor_of
from accounts.models import AuditEntry, User
from foundation.browsing import BoundedPaginator, ReadOnlyAdmin


@admin.register(User)
class UserAdmin(AuditedAdmin[User], DjangoUserAdmin):  # type: ignore[type-arg]
    """Accounts. Only a superuser hands out rights, and changes the accounts of others who have some."""

    list_display = ["username", "email", "is_staff", "is_active", "date_joined", "last_login"]
    list_filter = ["is_staff", "is_superuser", "is_active"]
    readonly_fields = ["date_joined", "last_login"]
    search_fields = ["username", "email"]
    paginator = BoundedPaginator
    show_full_result_count = False
    actions = None

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> list[str]:
        fixed = ["date_joined", "last_login"]
        if actor_of(request).is_superuser:
            return fixed
        return [*fixed, "is_staff", "is_superuser", "groups", "user_permissions"]

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return _may_touch(request, obj) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return _may_touch(request, obj) and super().has_delete_permission(request, obj)

    def user_change_password(
        self,
        request: HttpRequest,
        id: str,  # noqa: A002
        form_url: str = "",
    ) -> HttpResponse:
        with transaction.atomic():
            return super().user_change_password(request, id, form_url)

    def log_change(self, request: HttpRequest, obj: User, message: Any) -> Any:
        """A password is set on a page of its own, which saves by itself and reports here."""
        match = request.resolver_match
        if match is not None and match.url_name == "auth_user_password_change":
            self._record(request, "password_changed", obj)
        return super().log_change(request, obj, message)


def _may_touch(request: HttpRequest, obj: User | None) -> bool:
    """Whoever may set a password may become its account: nobody becomes somebody with other rights."""
    actor = actor_of(request)
    if obj is None or actor.is_superuser or obj.pk == actor.pk:
        return True
    return not (obj.is_superuser or obj.is_staff)


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin[AuditEntry]):
    """Who changed what, when, and why."""

    list_display = ["at", "actor", "action", "target_type", "target_id", "what_changed", "note"]
    list_filter = ["action", "target_type"]
    list_select_related = ["actor"]
    search_fields = ["=target_id", "actor__username", "note"]
    search_help_text = _("Number of a thing, name of an account, or words of a note.")
    sortable_by = ()

    @admin.display(description=_("what changed"))
    def what_changed(self, entry: AuditEntry) -> str:
        """The first few fields, before and after; the entry's own page has all of them."""
        before, after = entry.before or {}, entry.after or {}
        names = list(after or before)
        lines = [f"{name}: {_brief(before, name)} → {_brief(after, name)}" for name in names[:3]]
        return "; ".join(lines + ["…"] * (len(names) > 3))


def _brief(values: dict[str, Any], name: str) -> str:
    value = values.get(name)
    return "–" if value is None else Truncator(str(value)).chars(40)
