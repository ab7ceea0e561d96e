"""Archiving and restoring from the page of a thing: what follows is said, somebody says why, and it is done."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.utils import quote
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import AdminAction, NoteForm, carry_out, require
from accounts.audited_admin import actor_of
from accounts.models import User
from foundation.admin_filters import ChoiceFilter
from foundation.archiving import Archivable
from foundation.read_only_admin import own_pages
from ratings.archiving import archive, archived_above, restore, say_restored
from ratings.models import (
    OPEN,
    Game,
    GameServer,
    Ladder,
    Match,
    MatchState,
    RatingTrack,
    TrackState,
)

__all__ = ["ArchivableAdmin", "ArchivedFilter", "InUseChoices", "count_searches_with"]

if TYPE_CHECKING:
    _Base = admin.ModelAdmin[Any]
else:
    _Base = object

# How many searches would end: apps above this one know of them.
_search_counters: list[Callable[[Archivable], int]] = []


def count_searches_with(counter: Callable[[Archivable], int]) -> None:
    """Let `counter` say how many searches archiving a thing would end."""
    _search_counters.append(counter)


class ArchivedFilter(ChoiceFilter):
    """What is in use, itself and what it belongs to, unless the archived are asked for: all the rest."""

    title = gettext_lazy("archived")
    parameter_name = "archived"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("1", gettext_lazy("Archived")), ("all", gettext_lazy("All"))]

    def choices(self, changelist: Any) -> Any:
        """Without a choice those in use are listed, not all."""
        first, *others = super().choices(changelist)
        return [{**first, "display": _("In use")}, *others]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() == "all":
            return queryset
        used = queryset.model._default_manager.in_use()
        if self.value() == "1":
            return queryset.exclude(pk__in=used)
        return queryset.filter(pk__in=used)


class InUseChoices(_Base):
    """Offers nothing archived where a new thing names what it belongs to. Put it before the admin it is added to."""

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        belongs_to = db_field.related_model
        if issubclass(belongs_to, Archivable):
            kwargs["queryset"] = belongs_to._default_manager.in_use()
        return super().formfield_for_foreignkey(db_field, request, **kwargs)


class ArchivableAdmin(InUseChoices):
    """Links and pages for archiving and restoring what the admin is of. Put it before the admin that it is added to."""

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        views: Mapping[str, tuple[str, Callable[..., HttpResponse]]] = {
            f"<int:pk>/{verb}/": (
                f"{name}_{verb}",
                partial(_switch, model=self.model, archives=verb == "archive"),
            )
            for verb in ("archive", "restore")
        }
        return own_pages(self.admin_site, views) + super().get_urls()

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        thing = kwargs.get("obj")
        if thing is not None:
            context["archived_above"] = _archived_above(thing)
        if thing is not None and actor_of(request).has_perm(_right(self.model)):
            verb = "archive" if thing.archived_at is None else "restore"
            if verb == "restore" or may_be_archived(thing):
                context["archiving"] = verb
                context["archiving_page"] = reverse(_page(self.model, verb), args=[thing.pk])
        return super().render_change_form(request, context, *args, **kwargs)


def _archived_above(thing: Archivable) -> str:
    """That the ladder or the game that it belongs to is archived; empty where neither is."""
    above = archived_above(thing)
    if above is None:
        return ""
    words = _(
        "Its %(kind)s %(name)s is archived: until that is restored, this is neither shown nor used."
    )
    return words % {"kind": above._meta.verbose_name, "name": above}


def may_be_archived(thing: Archivable) -> bool:
    """Whether to offer it: of tracks those that players do not see."""
    if not isinstance(thing, RatingTrack):
        return True
    return not (thing.shown or thing.shown_next) and thing.state == TrackState.LIVE


def _right(model: type[Any]) -> str:
    return f"{model._meta.app_label}.change_{model._meta.model_name}"


def _page(model: type[Any], name: str) -> str:
    return f"admin:{model._meta.app_label}_{model._meta.model_name}_{name}"


def _switch(
    request: HttpRequest, site: admin.AdminSite, pk: int, *, model: type[Any], archives: bool
) -> HttpResponse:
    """Take a thing out of use, or into it again."""
    require(request, [_right(model)])
    thing = get_object_or_404(model, pk=pk)

    def act(actor: User, said: dict[str, Any]) -> str:
        (archive if archives else restore)(thing, by=actor, note=said["note"])
        return _("%(thing)s is archived.") % {"thing": thing} if archives else say_restored(thing)

    is_archived = thing.archived_at is not None
    admin_action = AdminAction(
        title=(_("Archive %(thing)s") if archives else _("Restore %(thing)s")) % {"thing": thing},
        button=_("Archive") if archives else _("Restore"),
        template="admin/ratings/archive.html",
        act=act,
        back=reverse(_page(model, "change"), args=[quote(pk)]),
        form=NoteForm(request.POST or None),
        context={
            "archives": archives,
            "is_track": model is RatingTrack,
            "is_server": model is GameServer,
            "kind": capfirst(model._meta.verbose_name),
            "is_impossible": is_archived == archives or (archives and not may_be_archived(thing)),
            "ladders": thing.ladders.count() if isinstance(thing, Game) else 0,
            "searches": sum(count(thing) for count in _search_counters),
            "playing": _playing(thing),
        },
    )
    return carry_out(request, site, thing, admin_action)


def _playing(thing: Archivable) -> int:
    """Matches of a game or a ladder that are not over."""
    open_matches = Match.objects.filter(state__in=[*OPEN, MatchState.DISPUTED])
    if isinstance(thing, Game):
        return open_matches.filter(game=thing).count()
    return open_matches.filter(ladder=thing).count() if isinstance(thing, Ladder) else 0
