"""A clock that has jumped, and an operator's word that it is right."""

from datetime import timedelta
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
from foundation import timekeeping
from foundation.models import ClockPause, Heartbeat
from foundation.read_only_admin import ReadOnlyAdmin


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin[Heartbeat]):
    """When each machine was seen last while time was steady."""

    list_display = ["machine", "at", "uptime"]


@admin.register(ClockPause)
class ClockPauseAdmin(ReadOnlyAdmin[ClockPause]):
    """Only there while the clock is not believed."""

    change_form_template = "admin/foundation/clockpause/change_form.html"
    list_display = ["seen_at", "off", "trusted_at", "at"]
    fields = ["seen_at", "off", "trusted_at", "at"]

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.trust_view)
        return [path("trust/", view, name="foundation_clockpause_trust"), *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context["can_trust"] = actor_of(request).has_perm("foundation.change_clockpause")
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description=gettext_lazy("off by"))
    def off(self, pause: ClockPause) -> str:
        """As days and hours, with its sign."""
        span = timedelta(seconds=round(abs(pause.off_by)))
        return f"{'−' if pause.off_by < 0 else '+'}{span}"

    def trust_view(self, request: HttpRequest) -> HttpResponse:
        """Go on without waiting for an hour of steady time."""
        require(request, ["foundation.change_clockpause"])
        pause = get_object_or_404(ClockPause)

        def act(actor: User, said: dict[str, Any]) -> str:
            timekeeping.trust()
            before = {"off_by": pause.off_by}
            audit.record(
                actor=actor, action="clock.trusted", target=pause, before=before, note=said["note"]
            )
            return _("The clock is trusted. Rating periods are closed again.")

        admin_action = AdminAction(
            title=_("Trust the clock"),
            button=_("The time is right"),
            template="admin/foundation/clockpause/trust.html",
            act=act,
            back=reverse("admin:index"),
            form=NoteForm(request.POST or None),
        )
        return carry_out(request, self.admin_site, pause, admin_action)
