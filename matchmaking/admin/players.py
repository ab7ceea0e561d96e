"""What a player is doing right now, on the player's page; and freeing one that seems to be stuck."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.admin_actions import AdminAction, NoteForm, carry_out, require
from accounts.audited_admin import actor_of
from accounts.models import User
from foundation import clock
from foundation.refusals import RefusedError
from matchmaking.models import Avoided, Ticket
from matchmaking.parties.membership import party_of
from matchmaking.playing import current_match
from matchmaking.tickets import lifecycle
from ratings.admin.players import show_presence_with
from ratings.matches import decide
from ratings.models import Match, Participant, Player
from ratings.players.own_matters import check_not_own, own_matter

__all__ = ["free"]

MAY_CANCEL, MAY_ABORT = "matchmaking.change_ticket", "ratings.change_match"


@dataclass(frozen=True, slots=True)
class Doing:
    """The player's live ticket and the match that is being played; None for neither."""

    ticket: Ticket | None
    match: Match | None
    seconds: float

    @property
    def key(self) -> str:
        """Names both: what was seen when the page was opened."""
        return f"{self.ticket.pk if self.ticket else ''}-{self.match.pk if self.match else ''}"

    @property
    def permissions(self) -> list[str]:
        """What one needs to end it."""
        return [MAY_CANCEL] * (self.ticket is not None) + [MAY_ABORT] * (self.match is not None)


class ChangedMeanwhileError(RefusedError):
    """The player is doing something else than when the page was opened."""

    code = "changed_meanwhile"


class FreeingForm(NoteForm):
    """Why, and what was to be ended."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False)


def doing_of(player: Player) -> Doing:
    """Read what a player is doing. Two queries."""
    live = Ticket.objects.filter(members__player=player, members__live=True)
    ticket = live.select_related("queue").first()
    wait = (clock.now() - ticket.waiting_since).total_seconds() if ticket else 0.0
    return Doing(ticket, current_match(player.pk), wait)


def free(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """End a player's search and match, so that the player can search again."""
    require(request, ["ratings.view_player"])
    player = get_object_or_404(Player.objects.select_related("game"), pk=pk)
    doing = doing_of(player)
    require(request, doing.permissions or [MAY_CANCEL])

    def check() -> None:
        actor = actor_of(request)
        if doing.ticket is not None:
            lifecycle.check_cancel(actor, Ticket.objects.filter(pk=doing.ticket.pk))
        if doing.match is not None:
            people = Participant.objects.filter(match=doing.match)
            check_not_own(actor, people.values_list("player", flat=True))

    def act(actor: User, said: dict[str, Any]) -> str:
        if said["seen"] != doing.key:
            raise ChangedMeanwhileError(
                _(
                    "The player did something else in the meantime, so nothing was changed. "
                    "Look again."
                )
            )
        check()  # both, before one of them is ended
        if doing.ticket is not None:
            lifecycle.cancel(ticket_id=doing.ticket.pk, by=actor, note=said["note"])
        if doing.match is not None:
            decide.abort(match_id=doing.match.pk, by=actor, note=said["note"])
        return _("%(player)s is free, and can search again.") % {"player": player}

    admin_action = AdminAction(
        title=_("Free %(player)s") % {"player": player},
        button=_("Free the player"),
        template="admin/matchmaking/free.html",
        act=act,
        back=reverse("admin:ratings_player_change", args=[pk]),
        form=FreeingForm(request.POST or None, initial={"seen": doing.key}),
        context={
            "doing": doing,
            "is_impossible": not doing.permissions,
            "own_matter": own_matter(check),
        },
    )
    return carry_out(request, site, player, admin_action)


def _presence(request: HttpRequest, player: Player) -> str:
    doing = doing_of(player)
    may = bool(doing.permissions) and actor_of(request).has_perms(doing.permissions)
    context = {
        "original": player,
        "doing": doing,
        "can_free": may,
        "party": party_of(player.pk),
        "avoided_by": Avoided.objects.filter(avoided=player).count(),
    }
    return render_to_string("admin/matchmaking/presence.html", context, request)


show_presence_with(_presence)
