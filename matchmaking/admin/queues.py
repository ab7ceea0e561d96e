"""Queues: how they widen and how long they wait, how they are doing, and whether they are open."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from accounts.audited import AuditedAdmin
from accounts.deeds import Deed, NoteForm, carry_out, require
from accounts.models import User
from foundation.refusals import RefusedError
from matchmaking.admin.queue_form import QueueForm
from matchmaking.admin.widening import NAMES, widening_of
from matchmaking.estimates import estimate
from matchmaking.figures import latest_offers, offers_of_a_day, waiting_in
from matchmaking.models import Queue
from matchmaking.opening import set_open

__all__ = ["QueueAdmin"]

TEMPLATES = "admin/matchmaking/queue/"
WAITING, OFFERS = 20, 10


@admin.register(Queue)
class QueueAdmin(AuditedAdmin[Queue]):
    """A queue stays with its ladder, and is closed rather than deleted."""

    form = QueueForm
    change_form_template = TEMPLATES + "change_form.html"
    list_display = ["name", "ladder", "is_open", "accept_seconds", "heartbeat_seconds", "swept_at"]
    list_filter = ["is_open", "ladder"]
    list_select_related = ["ladder"]
    search_fields = ["name", "slug"]
    fieldsets = [
        (None, {"fields": ["ladder", "name", "slug", "is_open"]}),
        (
            gettext_lazy("Who meets whom"),
            {
                "fields": list(NAMES),
                "description": gettext_lazy(
                    "Two players meet when the gap between their ratings is within what each of them accepts. "
                    "Narrow gaps make even matches and long waits."
                ),
            },
        ),
        (
            gettext_lazy("Offers and signs of life"),
            {"fields": ["accept_seconds", "accepts_by_itself", "heartbeat_seconds"]},
        ),
        (gettext_lazy("This change"), {"fields": ["note"]}),
    ]
    actions = None

    def get_readonly_fields(self, request: HttpRequest, obj: Queue | None = None) -> list[str]:
        return ["ladder"] if obj else []

    def get_prepopulated_fields(self, request: HttpRequest, obj: Queue | None = None) -> Any:
        return {} if obj else {"slug": ["name"]}

    def has_delete_permission(self, request: HttpRequest, obj: Queue | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Queue, form: Any, change: bool) -> None:
        """Write what the form has: the sweep's claim is on the same row."""
        own = [name for name in form.fields if name != "note"]
        obj.save(update_fields=own if change else None)

    def get_urls(self) -> list[URLPattern]:
        """The preview, the live figures, and opening and closing."""
        views: dict[str, tuple[str, Callable[..., HttpResponse]]] = {
            "widening/": ("widening", self.widening_view),
            "<int:pk>/figures/": ("figures", self.figures_view),
            "<int:pk>/open/": ("open", self.open_view),
            "<int:pk>/close/": ("close", self.close_view),
        }
        own = [
            path(route, self.admin_site.admin_view(view), name=f"matchmaking_queue_{name}")
            for route, (name, view) in views.items()
        ]
        return own + super().get_urls()

    def widening_view(self, request: HttpRequest) -> HttpResponse:
        """The chart for the values of a form that is being filled in."""
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        return _answer(request, "widening.html", {"widening": widening_of(request.GET)})

    def figures_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The part of a queue's page that follows what happens."""
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        return _answer(request, "figures.html", _figures(get_object_or_404(Queue, pk=pk)))

    def open_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Let new tickets in."""
        return _switch(request, self.admin_site, pk, is_open=True)

    def close_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Let no new tickets in."""
        return _switch(request, self.admin_site, pk, is_open=False)

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        form, queue = context["adminform"].form, kwargs.get("obj")
        if all(name in form.fields for name in NAMES):
            context["widening"] = widening_of({name: form[name].value() for name in NAMES})
            context["follows_form"] = True
        elif queue is not None:
            context["widening"] = widening_of({name: getattr(queue, name) for name in NAMES})
        if queue is not None:
            context.update(_figures(queue), day=offers_of_a_day(queue))
        return super().render_change_form(request, context, *args, **kwargs)


class AlreadySwitchedError(RefusedError):
    """Another operator was faster."""

    code = "already_switched"


def _switch(request: HttpRequest, site: admin.AdminSite, pk: int, *, is_open: bool) -> HttpResponse:
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
    deed = Deed(
        title=(_("Open %(queue)s") if is_open else _("Close %(queue)s")) % words,
        button=_("Open the queue") if is_open else _("Close the queue"),
        template=TEMPLATES + "switch.html",
        act=act,
        back=reverse("admin:matchmaking_queue_change", args=[pk]),
        form=NoteForm(request.POST or None),
        context={"is_open": is_open, "waiting": waiting_in(queue, at_most=0)[0]},
    )
    return carry_out(request, site, queue, deed)


def _figures(queue: Queue) -> dict[str, Any]:
    count, waiting = waiting_in(queue, at_most=WAITING)
    return {
        "original": queue,
        "waiting_count": count,
        "waiting": waiting,
        "offers": latest_offers(queue, at_most=OFFERS),
        "estimate": estimate(queue.pk),
    }


@require_safe
def _answer(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    return TemplateResponse(request, TEMPLATES + template, context)
