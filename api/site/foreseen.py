"""What deleting a person would do, in words: as a dry run of the command and the pages of the admin tell it."""

from collections.abc import Mapping, Sequence

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import Model
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from accounts.models import AuditEntry, User
from api.site.delete_person import foresee_account, foresee_player
from matchmaking.models import Ticket
from matchmaking.running import find as running_searches_of
from ratings.merging.part import merges_of_others
from ratings.models import KeptSuspension, Participant, Player, RatingChange, Report
from ratings.sanctions.kept import suspensions_to_keep

__all__ = ["deleted_already", "foresee", "would_keep_a_name"]


def foresee(who: User | Player) -> list[tuple[str, Sequence[str]]]:
    """Titles, each with its lines. Does it, and takes it back at once. Raises LastAdminError."""
    taken = foresee_account(who) if isinstance(who, User) else foresee_player(who)
    people = Player.objects.filter(pk__in=taken.players).order_by("pk")
    running = [line for one in people for line in running_searches_of(one)]
    kept: dict[type[Model], int] = {
        model: model._default_manager.filter(player__in=taken.players).count()
        for model in (Participant, Report, RatingChange)
    }
    parted = merges_of_others(taken.players).select_related("merged")
    others = [str(one.merged) for one in parted]
    kept[KeptSuspension] = sum(len(suspensions_to_keep(one)) for one in people)
    names = [_("“%(old)s” by “%(new)s”") % {"old": old, "new": new} for old, new in taken.renamed]
    title = _("Would count for themselves again, as players of others, suspended as this one is:")
    told: list[tuple[str, Sequence[str]]] = [
        (_("Would be deleted:"), _counts(taken.deleted)),
        (_("Would be replaced:"), names),
        (_("Would stay, without what it tells of the person:"), _counts(taken.replaced)),
        (_("Would not be looked for in what is told of others, as usual words:"), taken.usual),
        (_("Would be ended:"), running),
        (title, others),
        (_("Would stay as it is:"), _counts(kept)),
    ]
    return [(title, lines) for title, lines in told if lines]


def deleted_already(earlier: AuditEntry) -> str:
    """What is said where nothing was done, because somebody was deleted before."""
    words = _("Deleted already, on %(day)s. Nothing was changed, and the note is not kept.")
    return words % {"day": f"{earlier.at:%Y-%m-%d %H:%M} UTC"}


def would_keep_a_name() -> str:
    """What is said of a note that names whoever is deleted."""
    return _(
        "The note would keep a name, an address or an id of whoever is deleted. "
        "Say why without it. Nothing was changed."
    )


def _counts(numbers: Mapping[type[Model], int]) -> list[str]:
    named: dict[type[Model], str] = {
        Authenticator: _("Second factor"),
        UserSession: _("Sign-ins"),
        Participant: _("Matches"),
        Ticket: _("Searches"),
    }
    told = [
        (str(capfirst(named.get(model) or model._meta.verbose_name_plural)), number)
        for model, number in numbers.items()
        if number
    ]
    return [f"{name}: {number}" for name, number in sorted(told)]
