"""`manage.py add_server`: make a game server whose matches are rated by what it tells."""

import argparse
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from foundation.refusals import RefusedError
from ratings.logs.servers import obtain_server
from ratings.management.named_ladder import ladder_in_use


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Add a game server that tells what happens in its matches, on a ladder that is rated by events. One that is "
        "there already gets the name, and its further matches count on this ladder."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("game", metavar="GAME", help="short name of the game")
        parser.add_argument("server", metavar="SLUG", help="short name of the server")
        parser.add_argument(
            "--ladder", required=True, metavar="SLUG", help="short name of the ladder"
        )
        parser.add_argument(
            "--name", default="", help="name of the server; its short name unless given"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        ladder = ladder_in_use(options["ladder"])
        if ladder.game.slug != options["game"]:
            words = _("Ladder “%(ladder)s” is one of the game “%(game)s”.")
            raise CommandError(words % {"ladder": ladder.slug, "game": ladder.game.slug})
        try:
            server, is_new = obtain_server(ladder, options["server"], name=options["name"])
        except RefusedError as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        words = _("Server %s was added.") if is_new else _("Server %s was there; it is changed.")
        self.stdout.write(words % server.slug)
