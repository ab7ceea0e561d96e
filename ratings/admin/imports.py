"""Imported files: what was taken in, and taking it back."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.admin_actions import AdminAction, NoteForm, carry_out, require
from accounts.audited_admin import actor_of
from accounts.models import User
from foundation.admin_filters import ChoiceFilter
from foundation.read_only_admin import ReadOnlyAdmin, own_pages
from ratings.importing.take_back import (
    MAY_TAKE_BACK,
    check_own,
    foresee_taking_back,
    take_back,
)
from ratings.models import ImportedFile
from ratings.players.own_matters import own_matter

__all__ = ["ImportedFileAdmin"]


class TakingBackForm(NoteForm):
    """Why, and how many matches were shown."""

    seen = forms.IntegerField(widget=forms.HiddenInput)


class TakenBackFilter(ChoiceFilter):
    """Those that count, or that were taken back."""

    title = gettext_lazy("taken back")
    parameter_name = "taken_back"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("1", gettext_lazy("Taken back")), ("0", gettext_lazy("Not taken back"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() not in {"0", "1"}:
            return queryset
        return queryset.filter(taken_back_at__isnull=self.value() == "0")


@admin.register(ImportedFile)
class ImportedFileAdmin(ReadOnlyAdmin[ImportedFile]):
    """Which files of matches were taken in. What one was stays as it is; taking it back is written beside."""

    change_form_template = "admin/ratings/importedfile/change_form.html"
    list_display = [
        "name", "ladder", "rows", "new_matches", "imported_at", "imported_by", "taken_back_at",
    ]  # fmt: skip
    list_filter = [TakenBackFilter, "ladder"]
    list_select_related = ["ladder", "imported_by"]
    search_fields = ["name", "digest"]
    fields = [
        "ladder", "name", "digest", "rows", "new_matches", "imported_at", "imported_by", "taken_back_at",
        "taken_back_by", "taken_back_note",
    ]  # fmt: skip

    def get_urls(self) -> list[URLPattern]:
        """Taking one back."""
        views = {"<int:pk>/take-back/": ("ratings_importedfile_take_back", take_back_one)}
        return own_pages(self.admin_site, views) + super().get_urls()

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        may = actor_of(request).has_perm(MAY_TAKE_BACK)
        context["can_take_back"] = may and kwargs["obj"].taken_back_at is None
        return super().render_change_form(request, context, *args, **kwargs)


def take_back_one(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Say what taking back an import would do, and do it."""
    require(request, [MAY_TAKE_BACK])
    file = get_object_or_404(ImportedFile.objects.select_related("ladder__game"), pk=pk)
    is_over = file.taken_back_at is not None
    foreseen = None if is_over else foresee_taking_back(file)

    def act(actor: User, said: dict[str, Any]) -> str:
        done = take_back(file_id=pk, by=actor, note=said["note"], seen=said["seen"])
        text = ngettext(
            "%(file)s is taken back: %(count)d match no longer counts. What follows from it is being recalculated.",
            "%(file)s is taken back: %(count)d matches no longer count. What follows from it is being recalculated.",
            done.matches,
        )
        return text % {"file": file, "count": done.matches}

    admin_action = AdminAction(
        title=_("Take back %(file)s") % {"file": file},
        button=_("Take back this import"),
        template="admin/ratings/importedfile/take_back.html",
        act=act,
        back=reverse("admin:ratings_importedfile_change", args=[pk]),
        form=TakingBackForm(
            request.POST or None,
            initial={"seen": foreseen.annulled.matches if foreseen else 0},
        ),
        context={
            "foreseen": foreseen,
            "is_impossible": is_over,
            "own_matter": own_matter(lambda: check_own(file, by=actor_of(request))),
        },
    )
    return carry_out(request, site, file, admin_action)
