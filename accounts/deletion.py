"""Accounts whose person was deleted: the row stays, empty, for the audit log names it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from accounts.models import AuditEntry, User
from accounts.usernames import DELETED

if TYPE_CHECKING:
    from django.contrib.admin import AdminSite, ModelAdmin

    _Mixed = ModelAdmin[Any]
else:
    _Mixed = object

__all__ = [
    "DELETED_ACCOUNT",
    "DELETED_PLAYER",
    "DELETIONS",
    "DeletesPersons",
    "delete_with",
    "deletion_of_account",
]

# What the audit log tells of deletions. These entries name nobody, and stay as they are for good.
DELETED_ACCOUNT, DELETED_PLAYER = "user.person_deleted", "player.person_deleted"
DELETIONS = (DELETED_ACCOUNT, DELETED_PLAYER)

# Shows what deleting a person would do, and does it; given the request, the site, the account or player, and where to
# go then.
DeletePage = Callable[[HttpRequest, "AdminSite", Any, str], HttpResponse]
_pages: dict[type[Model], DeletePage] = {}


def delete_with(model: type[Model], page: DeletePage) -> None:
    """Let an app above, which knows what a person has left here, delete one. Called from where its admin is loaded."""
    _pages[model] = page


def deletion_of_account(user: User) -> AuditEntry | None:
    """What the audit log told of the account's deletion; None where it is not deleted, or was opened again since."""
    is_open = user.is_active or user.has_usable_password()
    if is_open or not user.username.startswith(DELETED):
        return None
    of_user = {"target_type": User._meta.label_lower, "target_id": str(user.pk)}
    return AuditEntry.objects.filter(**of_user, action=DELETED_ACCOUNT).first()


class DeletesPersons(_Mixed):
    """An admin whose things are persons: deleting one takes out what names it elsewhere, too, and leaves the row."""

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """Show the page of the app above."""
        thing = self.get_object(request, unquote(object_id))
        if thing is None:
            raise Http404
        if not self.has_delete_permission(request, thing):
            raise PermissionDenied
        names = (self.opts.app_label, self.opts.model_name)
        back = reverse("admin:{}_{}_change".format(*names), args=[thing.pk])
        return _pages[self.model](request, self.admin_site, thing, back)
