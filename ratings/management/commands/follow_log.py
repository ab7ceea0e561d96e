"""`manage.py follow_log`: tell what a game server writes into its log, as it is written."""

import argparse
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from foundation.refusals import RefusedError
from ratings.logs.follow import Follower
from ratings.logs.formats.quake3 import Quake3Log
from ratings.logs.formats.xonotic import XonoticLog
from ratings.logs.servers import find_server
from ratings.models import Game

__all__ = ["Command"]

_FORMATS = {"quake3": Quake3Log, "xonotic": XonoticLog}


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Follow the log of a game server on this machine: each frag is told once, and rated within seconds. Stopped,"
        " and started again, it goes on where it was; the file may be emptied, moved away and begun anew meanwhile."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the log, such as games.log")
        parser.add_argument("--game", required=True, metavar="SLUG", help="short name of the game")
        parser.add_argument(
            "--server", required=True, metavar="SLUG", help="short name of the game server"
        )
        parser.add_argument(
            "--format", choices=sorted(_FORMATS), default="quake3", help="what writes it; quake3"
        )
        parser.add_argument(
            "--identity",
            choices=["name", "guid"],
            default="name",
            help="what tells players apart: their names, or the id that their game sends; name",
        )
        parser.add_argument(
            "--once", action="store_true", help="read what is there, and stop; default: go on"
        )
        parser.add_argument(
            "--every", type=float, default=1.0, metavar="SECONDS", help="between two looks; 1"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        game = Game.objects.filter(slug=options["game"]).first()
        if game is None:
            raise CommandError(_("game %r: does not exist") % options["game"])
        try:
            server = find_server(game, options["server"])
        except RefusedError as error:
            raise CommandError(str(error)) from error
        state = Path(settings.DATA_DIR) / "followed" / f"{game.slug}.{server.slug}.json"
        if options["format"] == "xonotic" and options["identity"] != "name":
            raise CommandError(_("Logs of Xonotic have no ids: players go by their names."))
        log = _FORMATS[options["format"]](identity=options["identity"])
        follower = Follower(server, options["file"], log, state)
        try:
            self._follow(follower, once=options["once"], every=max(0.1, options["every"]))
        except KeyboardInterrupt:
            pass
        except OSError as error:
            raise CommandError(f"{options['file']}: {error.strerror}") from error
        finally:
            follower.close()

    def _follow(self, follower: Follower, *, once: bool, every: float) -> None:
        unread = 0
        while True:
            new = follower.step()
            for error in follower.refused:
                self.stderr.write(f"{error.code}: {error}")
            follower.refused.clear()
            if new:
                self.stdout.write(_("%(number)d events") % {"number": new})
            if follower.log.unread > unread:
                words = _("%(number)d lines could not be read")
                self.stderr.write(words % {"number": follower.log.unread - unread})
                unread = follower.log.unread
            if once:
                return
            time.sleep(every)
