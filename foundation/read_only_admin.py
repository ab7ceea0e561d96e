"""Pages of the admin for looking only, also at tables too long to count."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from django import forms
from django.contrib import admin
from django.core import paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.functional import cached_property

__all__ = [
    "BoundedPaginator",
    "ModelAdmin",
    "ModelForm",
    "ReadOnlyAdmin",
    "ReadOnlyInline",
    "own_pages",
]

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin, TabularInline
    from django.core.paginator import Paginator
    from django.forms import ModelForm
else:

    class _Subscriptable:
        """Lets `ModelAdmin[Match]` be written, which type checkers read and Django does not know."""

        def __class_getitem__(cls, key: object) -> type:
            return cls

    class ModelAdmin(_Subscriptable, admin.ModelAdmin):
        """Django's, open to a type parameter."""

    class ModelForm(_Subscriptable, forms.ModelForm):
        """Django's, open to a type parameter."""

    class Paginator(_Subscriptable, paginator.Paginator):
        """Django's, open to a type parameter."""

    class TabularInline(_Subscriptable, admin.TabularInline):
        """Django's, open to a type parameter."""


M = TypeVar("M", bound=Model)
P = TypeVar("P", bound=Model)


def own_pages(
    site: admin.AdminSite, views: Mapping[str, tuple[str, Callable[..., HttpResponse]]]
) -> list[URLPattern]:
    """Pages beside Django's own, name and view by route. Views take the request, `site`, and what the route holds."""
    return [
        path(route, site.admin_view(partial(view, site=site)), name=name)
        for route, (name, view) in views.items()
    ]


class BoundedPaginator(Paginator[Any]):
    """Counts and pages no further than `LIMIT` rows: beyond it a person filters or searches."""

    LIMIT = 10_000

    @cached_property
    def count(self) -> int:
        """How many rows can be paged through."""
        rows = cast("QuerySet[Any]", self.object_list)
        return rows.order_by()[: self.LIMIT].count()

    @property
    def is_cut(self) -> bool:
        """Whether there may be more rows than are counted."""
        return self.count >= self.LIMIT


class _ForLooking:
    """Nobody adds, changes or deletes here."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyAdmin(_ForLooking, ModelAdmin[M]):
    """Shows what other parts of the program write."""

    actions = None
    list_per_page = 50
    paginator = BoundedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever may view or change this kind of thing may look."""
        kind = self.opts.model_name
        names = (f"{self.opts.app_label}.{verb}_{kind}" for verb in ("view", "change"))
        return any(request.user.has_perm(name) for name in names)


class ReadOnlyInline(_ForLooking, TabularInline[M, P]):
    """Rows of a thing on the page of another, for looking only."""

    extra = 0
    can_delete = False
