"""Groups in the admin: whoever changes one hands out rights, perhaps their own."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.models import Group
from django.http import HttpRequest

from accounts.audited_admin import AuditedAdmin, actor_of

__all__ = ["SuperuserChanges"]

admin.site.unregister(Group)


class SuperuserChanges(AuditedAdmin[Any]):
    """Only a superuser adds, changes or deletes; others with a permission for the kind of thing may look."""

    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return actor_of(request).is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return actor_of(request).is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return actor_of(request).is_superuser


@admin.register(Group)
class GroupAdmin(SuperuserChanges, DjangoGroupAdmin):
    """Rights that several accounts have."""
