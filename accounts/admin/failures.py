"""Failed sign-ins in the admin."""

from django.contrib import admin

from accounts.models import FailedSignIns
from foundation.read_only_admin import ReadOnlyAdmin


@admin.register(FailedSignIns)
class FailedSignInsAdmin(ReadOnlyAdmin[FailedSignIns]):
    """How often each day signing in has failed, by account; one row for all names that nobody has."""

    list_display = ["day", "account", "passwords", "codes"]
    list_filter = ["day"]
    list_select_related = ["account"]
    search_fields = ["account__username"]
    sortable_by = ("passwords", "codes")
