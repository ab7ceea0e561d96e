"""Versions of parameters, for looking only: "Tune" on a track makes them."""

from django.contrib import admin

from foundation.read_only_admin import ReadOnlyAdmin
from ratings.admin.filters import TrackFilter
from ratings.models import ParameterVersion


@admin.register(ParameterVersion)
class ParameterVersionAdmin(ReadOnlyAdmin[ParameterVersion]):
    """What was in force when."""

    list_display = ["track", "number", "applies_from", "created_at", "created_by", "note"]
    list_filter = [TrackFilter]
    list_select_related = ["track__ladder", "created_by"]
    ordering = ["-id"]
