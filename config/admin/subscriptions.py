"""How far each subscriber has read, and letting one go on that has failed."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import audit
from accounts.admin_actions import AdminAction, NoteForm, carry_out, require
from accounts.audited_admin import actor_of
from accounts.models import User
from events import failures
from events.models import Event, Subscription
from foundation.read_only_admin import ReadOnlyAdmin


@admin.register(Subscription)
class SubscriptionAdmin(ReadOnlyAdmin[Subscription]):
    """Those that fail can be tried again at once, or skip the event that they fail at."""

    change_form_template = "admin/events/subscription/change_form.html"
    list_display = ["name", "state", "failures", "retry_at", "transaction", "event_id"]
    fields = [
        "name",
        "state",
        "failures",
        "error",
        "failed_event_id",
        "retry_at",
        "parked_at",
        "transaction",
        "event_id",
    ]

    def get_urls(self) -> list[URLPattern]:
        again = self.admin_site.admin_view(self.again_view)
        skip = self.admin_site.admin_view(self.skip_view)
        return [
            path("<path:name>/again/", again, name="events_subscription_again"),
            path("<path:name>/skip/", skip, name="events_subscription_skip"),
            *super().get_urls(),
        ]

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        may = actor_of(request).has_perm("events.change_subscription")
        context["can_retry"] = may and kwargs["obj"].failures > 0
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description=gettext_lazy("state"))
    def state(self, subscription: Subscription) -> str:
        """Whether it reads, fails, or waits for an operator."""
        if subscription.parked_at:
            return _("parked")
        return _("fails, tried again") if subscription.failures else _("reads")

    def again_view(self, request: HttpRequest, name: str) -> HttpResponse:
        """Let it try now."""

        def act(actor: User, said: dict[str, Any]) -> str:
            failures.try_again(name)
            _record(actor, subscription, "retried", said["note"])
            return _("It is tried again now.")

        subscription = self._find(request, name)
        return self._carry_out(request, subscription, _("Try again"), act)

    def skip_view(self, request: HttpRequest, name: str) -> HttpResponse:
        """Let it go on behind the event."""
        subscription = self._find(request, name)
        event = subscription.failed_event_id or 0

        def act(actor: User, said: dict[str, Any]) -> str:
            failures.skip(name, event_id=event)
            _record(actor, subscription, "skipped", said["note"])
            return _("It goes on after event %(number)s.") % {"number": event}

        return self._carry_out(request, subscription, _("Skip the event"), act)

    def _find(self, request: HttpRequest, name: str) -> Subscription:
        require(request, ["events.change_subscription"])
        return get_object_or_404(Subscription, pk=name)

    def _carry_out(
        self, request: HttpRequest, subscription: Subscription, what: str, act: Any
    ) -> HttpResponse:
        admin_action = AdminAction(
            title=f"{what}: {subscription.name}",
            button=what,
            template="admin/events/subscription/failed.html",
            act=act,
            back=reverse("admin:events_subscription_change", args=[subscription.pk]),
            form=NoteForm(request.POST or None),
            context={"event": Event.objects.filter(pk=subscription.failed_event_id or 0).first()},
        )
        return carry_out(request, self.admin_site, subscription, admin_action)


def _record(actor: User, subscription: Subscription, verb: str, note: str) -> None:
    audit.record(
        actor=actor,
        action=f"subscription.{verb}",
        target=subscription,
        before={
            "failures": subscription.failures,
            "event": subscription.failed_event_id,
            "error": subscription.error,
        },
        note=note,
    )
