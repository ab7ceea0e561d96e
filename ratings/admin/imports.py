"""Imported files."""

from django.contrib import admin

from foundation.read_only_admin import ReadOnlyAdmin
from ratings.models import ImportedFile


@admin.register(ImportedFile)
class ImportedFileAdmin(ReadOnlyAdmin[ImportedFile]):
    """Which files of matches were taken in."""

    list_display = ["name", "ladder", "rows", "new_matches", "imported_at", "imported_by"]
    list_filter = ["ladder"]
    list_select_related = ["ladder", "imported_by"]
    search_fields = ["name", "digest"]
