"""E-mail addresses in the admin: a confirmed one is a key to its account."""

import allauth.account.admin
import allauth.usersessions.admin  # noqa: F401
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib import admin

from accounts.admin.groups import SuperuserChanges
from foundation.browsing import BoundedPaginator

__all__ = ["EmailAddressAdmin"]

admin.site.unregister(EmailAddress)
admin.site.unregister(UserSession)  # a filter on their keys would find out what signs others in


@admin.register(EmailAddress)
class EmailAddressAdmin(SuperuserChanges):
    """Which account has which address, and whether it has been confirmed."""

    list_display = ["email", "user", "primary", "verified"]
    list_filter = ["primary", "verified"]
    list_select_related = ["user"]
    raw_id_fields = ["user"]
    search_fields = ["email", "user__username"]
    paginator = BoundedPaginator
    show_full_result_count = False
