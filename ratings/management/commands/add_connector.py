"""`manage.py add_connector`: let a game server be heard that sends its log of its own accord."""

import argparse
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils.translation import gettext as _

from foundation.refusals import RefusedError
from ratings.archiving import ArchivedError
from ratings.logs.connectors.connect import connect
from ratings.logs.servers import find_server
from ratings.models import ConnectorKind, Game, GameServer

__all__ = ["Command"]


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Let a game server be heard by what it sends of its own accord: log lines by UDP (source), log lines by HTTP "
        "(cs2), or events of MatchZy and Get5 (matchzy). Prints what to write into the server's configuration. Done "
        "again, it draws another secret, and the one before is worth nothing."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("game", metavar="GAME", help="short name of the game")
        parser.add_argument("server", metavar="SLUG", help="short name of the game server")
        parser.add_argument("--kind", choices=ConnectorKind.values, required=True)
        parser.add_argument(
            "--address", help="from which it sends; what comes from elsewhere is dropped"
        )
        parser.add_argument("--port", type=int, help="from which it sends; source only")
        parser.add_argument(
            "--no-secret",
            action="store_true",
            help="for servers that can send none, such as Half-Life: known by --address and --port alone",
        )
        parser.add_argument(
            "--by-name", action="store_true", help="players by their names, not by their Steam ids"
        )
        parser.add_argument(
            "--free-for-all",
            action="store_true",
            help="everybody plays alone, whatever team the log says, as in deathmatch",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        game = Game.objects.filter(slug=options["game"]).first()
        if game is None:
            raise CommandError(_("game %r: does not exist") % options["game"])
        kind = ConnectorKind(options["kind"])
        no_secret = options["no_secret"]
        if no_secret and (kind != ConnectorKind.SOURCE or not options["address"]):
            raise CommandError(_("--no-secret needs --kind source, --address and --port"))
        try:
            server = find_server(game, options["server"])
            if server.archived_at is not None or server.ladder.is_archived:
                raise ArchivedError(server, server=server.slug)
            secret = connect(
                server,
                kind,
                address=options["address"],
                port=options["port"],
                by_name=options["by_name"],
                free_for_all=options["free_for_all"],
                is_secret=not no_secret,
            )
        except RefusedError as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        self.stdout.write(_("Server %s is connected. Write into its configuration:") % server.slug)
        for line in _lines(server, kind, secret):
            self.stdout.write(f"  {line}")
        if kind == ConnectorKind.SOURCE and not settings.LOG_PORT:
            words = _(
                "Nothing listens yet: set EVENMATCH_LOG_PORT, or start `manage.py receive_logs`."
            )
            self.stderr.write(words)


def _lines(server: GameServer, kind: ConnectorKind, secret: str) -> list[str]:
    """What is to stand in the configuration of the server: three lines at most."""
    site = settings.PUBLIC_URL
    if kind == ConnectorKind.SOURCE:
        host = site.partition("://")[2].partition("/")[0].rpartition("]")
        name = (host[0] + host[1]) or host[2].partition(":")[0]
        port = settings.LOG_PORT or 27500
        lines = ["log on", f"logaddress_add {name}:{port}"]
        return [*lines[:1], f"sv_logsecret {secret}", *lines[1:]] if secret else lines
    address = site + reverse("connect-in-address", args=[server.game.slug, server.slug, secret])
    if kind == ConnectorKind.CS2:
        return ["log on", f'logaddress_add_http "{address}"']
    return [f'matchzy_remote_log_url "{address}"']
