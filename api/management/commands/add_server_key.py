"""`manage.py add_server_key`: let a game's server, or a deployment, call the API."""

import argparse
from contextlib import suppress
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from api.auth.issue import end_of, issue_key
from api.auth.scopes import KEY_SCOPES, SERVER_SCOPES, Scope
from ratings.models import Game

ALL = [scope.value for scope in KEY_SCOPES]
USUAL = [scope.value for scope in SERVER_SCOPES]
MOST_DAYS = 36_525  # as over the API


class Command(BaseCommand):
    """See `help`."""

    help = "Make a server key for a game, and print it: it is not shown again."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("game", metavar="GAME", nargs="?", help="short name of the game")
        parser.add_argument(
            "--all-games",
            action="store_true",
            help="for no game but all of them, and those to come: to set them up (admin), and nothing else",
        )
        parser.add_argument("--name", required=True, help="to tell the key from others later")
        parser.add_argument(
            "--scopes",
            nargs="+",
            choices=ALL,
            metavar="SCOPE",
            help=f"what it may do, of {', '.join(ALL)}; all but admin unless given",
        )
        parser.add_argument(
            "--days", type=_days, metavar="N", help="days until it expires; never unless given"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        game = None if options["all_games"] else self._game(options["game"])
        if options["all_games"] and options["game"]:
            raise CommandError(_("Give a game, or --all-games."))
        usual = [Scope.ADMIN.value] if game is None else USUAL
        try:
            _key, secret = issue_key(
                game=game,
                name=options["name"],
                scopes=options["scopes"] or usual,
                expires_at=end_of(options["days"]),
            )
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        self.stdout.write(secret)

    def _game(self, slug: str | None) -> Game:
        game = Game.objects.filter(slug=slug).first() if slug else None
        if game is None:
            known = ", ".join(Game.objects.values_list("slug", flat=True)[:20]) or _("none yet")
            words = _("There is no game “%(slug)s”. Games: %(known)s.")
            raise CommandError(words % {"slug": slug or "", "known": known})
        if game.archived_at is not None:
            words = _("game %r: is archived; restore it first, or name another")
            raise CommandError(words % game.slug)
        return game


def _days(text: str) -> float:
    with suppress(ValueError):
        if 0 < (days := float(text)) <= MOST_DAYS:  # which nan is not
            return days
    words = _("“%(given)s”: must be a number of days above 0, and at most %(most)d")
    raise argparse.ArgumentTypeError(words % {"given": text, "most": MOST_DAYS})
