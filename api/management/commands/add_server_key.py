"""`manage.py add_server_key`: let a game's server call the API."""

import argparse
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from api.auth.issue import end_of, issue_key
from api.auth.scopes import SERVER_SCOPES
from ratings.models import Game

ALL = [scope.value for scope in SERVER_SCOPES]


class Command(BaseCommand):
    """See `help`."""

    help = "Make a server key for a game, and print it: it is not shown again."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("game", metavar="GAME", help="short name of the game")
        parser.add_argument("--name", required=True, help="to tell the key from others later")
        parser.add_argument(
            "--scopes",
            nargs="+",
            choices=ALL,
            default=ALL,
            metavar="SCOPE",
            help=f"what it may do, of {', '.join(ALL)}; all of it unless given",
        )
        parser.add_argument(
            "--days", type=float, metavar="N", help="days until it expires; never unless given"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        game = Game.objects.filter(slug=options["game"]).first()
        if game is None:
            known = ", ".join(Game.objects.values_list("slug", flat=True)[:20]) or _("none yet")
            words = _("There is no game “%(slug)s”. Games: %(known)s.")
            raise CommandError(words % {"slug": options["game"], "known": known})
        with transaction.atomic():
            try:
                key, secret = issue_key(
                    game=game,
                    name=options["name"],
                    scopes=options["scopes"],
                    expires_at=end_of(options["days"]),
                )
            except ValidationError as error:
                raise CommandError(" ".join(error.messages)) from error
            after = {"game": game.slug, "name": key.name, "scopes": key.scopes}
            audit.record(actor=None, action="serverkey.added", target=key, after=after)
        self.stdout.write(secret)
