"""Queues: how they widen and how long they wait, how they are doing, and whether they are open."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import flatten_fieldsets
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from accounts import audit
from accounts.admin_actions import AdminAction, NoteForm, carry_out, require
from accounts.audited_admin import AuditedAdmin
from accounts.models import User
from foundation.refusals import RefusedError
from matchmaking.admin.pool import show_pool
from matchmaking.admin.preview import ASKED, compare_strategies, preview_of, show_forecast
from matchmaking.admin.quality import compare_queues, show_quality, waiting_and_offers
from matchmaking.admin.queue_form import QueueForm, fieldsets_of, settings_of
from matchmaking.admin.section_fields import TITLES, changes_of
from matchmaking.admin.tastes import tastes_of
from matchmaking.admin.widening import widening_of
from matchmaking.archived import searches_of
from matchmaking.models import Queue
from matchmaking.models.queues import GAPS
from matchmaking.queues.queue_stats import offers_of_a_day, waiting_in
from matchmaking.queues.rescale import misfits
from matchmaking.queues.settings import unreadable
from ratings.admin.archiving import ArchivableAdmin, ArchivedFilter, count_searches_with
from ratings.wording import say

TEMPLATES = "admin/matchmaking/queue/"
count_searches_with(lambda thing: searches_of(thing).count())


@admin.register(Queue)
class QueueAdmin(ArchivableAdmin, AuditedAdmin[Queue]):
    """A queue stays with its ladder, and is closed rather than deleted."""

    form = QueueForm
    change_form_template = TEMPLATES + "change_form.html"
    change_list_template = TEMPLATES + "change_list.html"
    list_display = ["name", "ladder", "is_open", "accept_seconds", "heartbeat_seconds", "swept_at"]
    list_filter = [ArchivedFilter, "is_open", "ladder"]
    list_select_related = ["ladder"]
    search_fields = ["name", "slug"]
    actions = None

    def get_fieldsets(self, request: HttpRequest, obj: Queue | None = None) -> Any:
        return fieldsets_of(obj, may_change=self._may_edit(request, obj))

    def get_form(
        self, request: HttpRequest, obj: Queue | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Only columns are given to Django: the form adds the fields of the sections itself."""
        columns = {column.name for column in Queue._meta.concrete_fields}
        names = [n for n in flatten_fieldsets(self.get_fieldsets(request, obj)) if n in columns]
        return super().get_form(request, obj, change=change, **{**kwargs, "fields": names})

    def get_readonly_fields(self, request: HttpRequest, obj: Queue | None = None) -> list[str]:
        ladder = ["ladder"] if obj else []
        return ladder if self._may_edit(request, obj) else [*ladder, "settings_in_words"]

    def _may_edit(self, request: HttpRequest, obj: Queue | None) -> bool:
        return self.has_change_permission(request, obj) if obj else self.has_add_permission(request)

    @admin.display(description=gettext_lazy("different from the defaults"))
    def settings_in_words(self, queue: Queue) -> str:
        """Section, name and value of each, one a line."""
        lines = changes_of(settings_of(queue))
        shown = [(str(TITLES[section]), label, say(value)) for section, label, value in lines]
        return format_html_join(mark_safe("<br>"), "{} · {}: {}", shown) or _("nothing")

    def get_prepopulated_fields(self, request: HttpRequest, obj: Queue | None = None) -> Any:
        return {} if obj else {"slug": ["name"]}

    def has_delete_permission(self, request: HttpRequest, obj: Queue | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Queue, form: Any, change: bool) -> None:
        """Write what the form has: the sweep's lease is on the same row."""
        columns = {column.name for column in obj._meta.concrete_fields}
        own = [name for name in form.fields if name in columns]
        obj.save(update_fields=[*own, "settings"] if change else None)

    def response_add(
        self, request: HttpRequest, obj: Queue, post_url_continue: str | None = None
    ) -> HttpResponse:
        _warn(request, obj)
        return super().response_add(request, obj, post_url_continue)

    def response_change(self, request: HttpRequest, obj: Queue) -> HttpResponse:
        _warn(request, obj)
        return super().response_change(request, obj)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """A preview saves nothing, and needs no transaction: workers are sent to what it asks at once."""
        if ASKED in request.POST:
            show: Any = self._changeform_view  # type: ignore[attr-defined]  # what Django wraps in a transaction
            return show(request, object_id, form_url, extra_context)
        return super().changeform_view(request, object_id, form_url, extra_context)

    def get_urls(self) -> list[URLPattern]:
        """The preview, the live figures, and opening and closing."""
        site = self.admin_site
        views: dict[str, tuple[str, Callable[..., HttpResponse]]] = {
            "widening/": ("widening", self.widening_view),
            "preview/": ("preview", self.preview_view),
            "pool/": ("pool", partial(show_pool, site=site)),
            "quality/": ("qualities", partial(compare_queues, site=site)),
            "<int:pk>/quality/": ("quality", partial(show_quality, site=site)),
            "<int:pk>/strategies/": ("strategies", partial(compare_strategies, site=site)),
            "<int:pk>/waiting/": ("waiting", self.waiting_view),
            "<int:pk>/open/": ("open", partial(_switch, site=site, is_open=True)),
            "<int:pk>/close/": ("close", partial(_switch, site=site, is_open=False)),
        }
        own = [
            path(route, site.admin_view(view), name=f"matchmaking_queue_{name}")
            for route, (name, view) in views.items()
        ]
        return own + super().get_urls()

    def widening_view(self, request: HttpRequest) -> HttpResponse:
        """The chart for the values of a form that is being filled in."""
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        return _answer(request, "widening.html", {"widening": widening_of(request.GET)})

    def preview_view(self, request: HttpRequest) -> HttpResponse:
        """See `show_forecast`."""
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        return show_forecast(request)

    def waiting_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The part of a queue's page that follows what happens."""
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        queue = get_object_or_404(Queue.objects.select_related("ladder"), pk=pk)
        return _answer(request, "waiting_and_offers.html", waiting_and_offers(request, queue))

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        form, queue = context["adminform"].form, kwargs.get("obj")
        if all(name in form.fields for name in GAPS):
            context.update(preview_of(request, form, queue))
            context["widening"] = widening_of({name: form[name].value() for name in GAPS})
            context["follows_form"] = True
        elif queue is not None:
            context["widening"] = widening_of({name: getattr(queue, name) for name in GAPS})
        if queue is not None:
            context.update(waiting_and_offers(request, queue), day=offers_of_a_day(queue))
            context |= {"unreadable": unreadable(queue), "misfits": misfits(queue)}
            context |= tastes_of(queue)
        return super().render_change_form(request, context, *args, **kwargs)


def _warn(request: HttpRequest, queue: Queue) -> None:
    """Say what cannot work where it was saved. The queue's own page says it too."""
    if "_continue" not in request.POST:
        for words in misfits(queue):
            messages.warning(request, words)


class AlreadySwitchedError(RefusedError):
    """Another operator was faster."""

    code = "already_switched"


def _switch(request: HttpRequest, site: admin.AdminSite, pk: int, *, is_open: bool) -> HttpResponse:
    """Let new tickets in, or no more."""
    require(request, ["matchmaking.change_queue"])
    queue = get_object_or_404(Queue.objects.select_related("ladder"), pk=pk)

    def act(actor: User, said: dict[str, Any]) -> str:
        if not set_open(queue_id=pk, is_open=is_open, by=actor, note=said["note"]):
            told = (
                _("This queue is open already.") if is_open else _("This queue is closed already.")
            )
            raise AlreadySwitchedError(told)
        return _("The queue is open.") if is_open else _("The queue is closed.")

    words = {"queue": queue}
    admin_action = AdminAction(
        title=(_("Open %(queue)s") if is_open else _("Close %(queue)s")) % words,
        button=_("Open the queue") if is_open else _("Close the queue"),
        template=TEMPLATES + "switch.html",
        act=act,
        back=reverse("admin:matchmaking_queue_change", args=[pk]),
        form=NoteForm(request.POST or None),
        context={"is_open": is_open, "waiting": waiting_in(queue, at_most=0)[0]},
    )
    return carry_out(request, site, queue, admin_action)


@require_safe
def _answer(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    return TemplateResponse(request, TEMPLATES + template, context)


@transaction.atomic
def set_open(*, queue_id: int, is_open: bool, by: User, note: str) -> bool:
    """Let a queue take new tickets, or no more; whoever waits in it is served either way. Audited.

    Returns whether that changed anything. Raises Queue.DoesNotExist.
    """
    queue = Queue.objects.select_for_update(no_key=True).get(pk=queue_id)
    if queue.is_open == is_open:
        return False
    Queue.objects.filter(pk=queue_id).update(is_open=is_open)
    audit.record(
        actor=by,
        action="queue.opened" if is_open else "queue.closed",
        target=queue,
        before={"is_open": queue.is_open},
        after={"is_open": is_open},
        note=note,
    )
    return True
