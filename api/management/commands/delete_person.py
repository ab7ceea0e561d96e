"""`manage.py delete_person`: take what names or describes a person out of the site."""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Model
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from accounts.admin_actions import read_note
from accounts.models import AuditEntry, User
from api.site.delete_person import (
    delete_account,
    delete_player,
    foresee_account,
    foresee_player,
    is_named_in,
)
from api.site.forget_words import Taken
from foundation.refusals import RefusedError
from matchmaking.models import Ticket
from matchmaking.running import find as running_searches_of
from ratings.merging.part import merges_of_others
from ratings.models import KeptSuspension, Participant, Player, RatingChange, Report
from ratings.sanctions.kept import suspensions_to_keep

__all__ = ["Command"]


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Delete a person: an account with its players, or one player whom a game brings. Names, ids in the game, "
        "addresses and free text go; matches and the ledger stay, and no rating changes. It cannot be taken back."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        who = parser.add_mutually_exclusive_group(required=True)
        who.add_argument("--account", metavar="NAME", help="name of an account")
        who.add_argument("--player", type=int, metavar="NUMBER", help="number of a player")
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would be taken out, and stop"
        )
        parser.add_argument(
            "--note",
            type=read_note,
            help="why, without naming them; kept in the audit log. Needed unless --dry-run",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user = player = None
        if options["account"] is not None:
            user = User.objects.filter(username=options["account"]).first()
            if user is None:
                words = _("There is no account “%(name)s”. Nothing was deleted.")
                raise CommandError(words % {"name": options["account"]})
        else:
            players = Player.objects.filter(pk=options["player"]).select_related("game")
            player = players.first()
            if player is None:
                words = _("There is no player %(number)d. Nothing was deleted.")
                raise CommandError(words % {"number": options["player"]})
        if options["note"] is None and not options["dry_run"]:
            raise CommandError(_("Say why, with --note. Nothing was changed."))
        who = user or player
        if options["note"] is not None and who is not None and is_named_in(options["note"], who):
            words = _(
                "The note would keep a name, an address or an id of whoever is deleted. "
                "Say why without it. Nothing was changed."
            )
            raise CommandError(words)
        try:
            if options["dry_run"]:
                self._foresee(user, player)
            else:
                self._delete(user, player, options["note"])
        except RefusedError as error:
            raise CommandError(str(error)) from error

    def _delete(self, user: User | None, player: Player | None, note: str) -> None:
        if user is not None:
            earlier = delete_account(user, by=None, note=note)
            done = _("The account is deleted. Its row is %s now.") % user.username
            self.stdout.write(done if earlier is None else _already(earlier))
        if player is not None:
            earlier = delete_player(player, by=None, note=note)
            done = _("What was known of player %d is deleted.") % player.pk
            self.stdout.write(done if earlier is None else _already(earlier))

    def _foresee(self, user: User | None, player: Player | None) -> None:
        taken = Taken()
        if user is not None:
            taken = foresee_account(user)
        if player is not None:
            taken = foresee_player(player)
        people = Player.objects.filter(pk__in=taken.players).order_by("pk")
        running = [line for one in people for line in running_searches_of(one)]
        kept: dict[type[Model], int] = {
            model: model._default_manager.filter(player__in=taken.players).count()
            for model in (Participant, Report, RatingChange)
        }
        parted = merges_of_others(taken.players).select_related("merged")
        others = [str(one.merged) for one in parted]
        kept[KeptSuspension] = sum(len(suspensions_to_keep(one)) for one in people)
        names = [
            _("“%(old)s” by “%(new)s”") % {"old": old, "new": new} for old, new in taken.renamed
        ]
        self._tell(_("Would be deleted:"), _counts(taken.deleted))
        self._tell(_("Would be replaced:"), names)
        self._tell(_("Would stay, without what it tells of the person:"), _counts(taken.replaced))
        self._tell(_("Would be ended:"), running)
        title = _(
            "Would count for themselves again, as players of others, suspended as this one is:"
        )
        self._tell(title, others)
        self._tell(_("Would stay as it is:"), _counts(kept))
        self.stdout.write(_("Nothing was changed: this was a dry run."))

    def _tell(self, title: str, lines: Sequence[str]) -> None:
        if lines:
            self.stdout.write("\n".join([title, *(f"  {line}" for line in lines)]))


def _already(earlier: AuditEntry) -> str:
    words = _("Deleted already, on %(day)s. Nothing was changed, and the note is not kept.")
    return words % {"day": f"{earlier.at:%Y-%m-%d %H:%M} UTC"}


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
