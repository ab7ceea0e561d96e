"""Tickets: who is searching, since when, and who was; a search can be ended for its player."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import DateTimeField, QuerySet, Value
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import AdminAction, NoteForm, carry_out, require
from accounts.audited_admin import actor_of, may_see
from accounts.models import User
from foundation import clock
from foundation.admin_filters import ChoiceFilter
from foundation.read_only_admin import ReadOnlyAdmin, ReadOnlyInline
from matchmaking.admin.players import free
from matchmaking.models import Ticket, TicketMember, TicketState
from matchmaking.models.tickets import LIVE
from matchmaking.queues.queue_stats import players_on
from matchmaking.sweep.why_waiting import why_waiting
from matchmaking.sweep.why_words import why_in_words
from matchmaking.templatetags.play import ticking
from matchmaking.tickets import lifecycle
from ratings.players.own_matters import own_matter

WHY = "admin/matchmaking/ticket/why.html"


class LiveFilter(ChoiceFilter):
    """Those that search now, the longest wait first."""

    title = gettext_lazy("searching")
    parameter_name = "live"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", _("now"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Ticket]) -> QuerySet[Ticket]:
        return queryset.filter(state__in=LIVE) if self.value() == "1" else queryset


class TicketMemberInline(ReadOnlyInline[TicketMember, Ticket]):
    """Who is on the ticket."""

    model = TicketMember
    fields = ("player", "live")
    readonly_fields = ("player", "live")

    def get_queryset(self, request: HttpRequest) -> QuerySet[TicketMember]:
        return super().get_queryset(request).select_related("player")


def _why(request: HttpRequest, pk: int) -> dict[str, Any]:
    """What `why.html` shows; in normal mode nothing for whoever may not view matches: gaps are of hidden ratings."""
    ticket = Ticket.objects.select_related("queue__ladder").get(pk=pk)
    if not ticket.queue.ladder.shows_ratings_to(actor_of(request)):
        return {"ticket": ticket, "why": None}
    why = why_waiting(pk)
    said = why_in_words(why, shows_sanctions=may_see(request, "ratings.sanction"))
    players = players_on({*said.match, *said.following})
    return {"ticket": why.ticket, "at": why.at, "why": said, "named": list(players.items())}


@admin.register(Ticket)
class TicketAdmin(ReadOnlyAdmin[Ticket]):
    """Who is searching, and who was."""

    change_form_template = "admin/matchmaking/ticket/change_form.html"
    list_display = ["id", "who", "waited", "state", "queue", "waiting_since", "seen_at", "ended_at"]
    list_filter = [LiveFilter, "state", "queue"]
    list_select_related = ["queue"]
    search_fields = ["=id"]
    search_help_text = gettext_lazy("A ticket's number.")
    sortable_by = ()
    inlines = [TicketMemberInline]
    fields = ["queue", "state", "waited", "waiting_since", "seen_at", "ended_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Ticket]:
        found = super().get_queryset(request).select_related("queue")
        now = Value(clock.now(), output_field=DateTimeField())  # once a page, not once a row
        return found.prefetch_related("members__player").annotate(read_at=now)

    def get_ordering(self, request: HttpRequest) -> list[Any]:
        """Of those that search now the longest wait first."""
        return ["waiting_since", "id"] if request.GET.get("live") == "1" else ["-id"]

    def get_urls(self) -> list[URLPattern]:
        """Ending a search, and freeing a player from whatever it is."""
        cancel, free_player, why = map(
            self.admin_site.admin_view, (self.cancel_view, self.free_view, self.why_view)
        )
        own = [
            path("<int:pk>/why/", why, name="matchmaking_ticket_why"),
            path("<int:pk>/cancel/", cancel, name="matchmaking_ticket_cancel"),
            path("free/<int:pk>/", free_player, name="matchmaking_ticket_free"),
        ]
        return own + super().get_urls()

    def cancel_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """End a search in place of its player."""
        require(request, ["matchmaking.change_ticket"])
        ticket = get_object_or_404(Ticket.objects.select_related("queue__ladder"), pk=pk)

        def act(actor: User, said: dict[str, Any]) -> str:
            lifecycle.cancel(ticket_id=pk, by=actor, note=said["note"])
            return _("The search was ended. No match will come of it.")

        def check() -> None:
            lifecycle.check_cancel(actor_of(request), Ticket.objects.filter(pk=pk))

        def explain() -> str:
            now = Ticket.objects.get(pk=pk)
            if now.state == TicketState.MATCHED:
                return _("Abort the match if it is not to be played.")
            return _("The ticket is: %(state)s.") % {"state": now.get_state_display()}

        admin_action = AdminAction(
            title=_("End the search of ticket %(number)s") % {"number": pk},
            button=_("End the search"),
            template="admin/matchmaking/ticket/cancel.html",
            act=act,
            back=reverse("admin:matchmaking_ticket_change", args=[pk]),
            form=NoteForm(request.POST or None),
            explain=explain,
            context={
                "players": players_on([pk])[pk],
                "is_impossible": ticket.state not in LIVE,
                "is_offered": ticket.state == TicketState.OFFERED,
                "own_matter": own_matter(check),
                "seconds": (
                    (ticket.ended_at or clock.now()) - ticket.waiting_since
                ).total_seconds(),
            },
        )
        return carry_out(request, self.admin_site, ticket, admin_action)

    def free_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """See `free`."""
        return free(request, self.admin_site, pk)

    def why_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The part of a ticket's page that says why it waits."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        get_object_or_404(Ticket, pk=pk)
        return TemplateResponse(request, WHY, _why(request, pk))

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        if kwargs["obj"].state in LIVE:
            context |= _why(request, kwargs["obj"].pk)
        may = actor_of(request).has_perm("matchmaking.change_ticket")
        context["can_cancel"] = may and kwargs["obj"].state in LIVE
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description=gettext_lazy("players"))
    def who(self, ticket: Ticket) -> str:
        """Their names."""
        return ", ".join(member.player.name for member in ticket.members.all())

    @admin.display(description=gettext_lazy("waited"))
    def waited(self, ticket: Any) -> str:
        """Until now, or until it ended."""
        end = ticket.ended_at or ticket.read_at
        return ticking((end - ticket.waiting_since).total_seconds())
