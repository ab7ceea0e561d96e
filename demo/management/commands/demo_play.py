"""`manage.py demo_play`: the simulated players of the demo, online until told to stop."""

import argparse
import asyncio
import logging
import random
import signal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.translation import gettext as _

from api.auth import credentials
from api.auth.issue import issue_key, put_secret
from api.auth.scopes import SERVER_SCOPES
from api.models import ServerKey
from demo.arena.history import arena_is_made
from demo.arena.live import Arena
from demo.arena.setting import ARENA
from demo.league import GAME
from demo.play.client import Client, RateLimit, RefusalError
from demo.play.crowd import Crowd, load_roster, open_queues, paired_queues
from demo.play.player import World
from ratings.models import Game

_KEY_NAME = "Simulated players"
_PER_SECOND, _BURST = 12.0, 3  # requests: never more, however many play
_OF_SERVERS = 3.0  # further ones, of the shooter's servers


class Command(BaseCommand):
    """See `help`."""

    help = "Let the simulated players of the demo search, play and report, until told to stop."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--url", default=settings.PUBLIC_URL, help="where the site answers")
        parser.add_argument("--seed", type=int, default=1, help="another number, other matches")
        parser.add_argument("--fewest", type=int, default=40, help="online at a time; default: 40")
        parser.add_argument("--most", type=int, default=80, help="online at a time; default: 80")
        parser.add_argument("--sign", type=Path, help="a file to make when they begin to play")

    def handle(self, *args: Any, **options: Any) -> None:
        roster, queues = load_roster(), open_queues()
        if not roster:
            raise CommandError(_("There is no demo season here. Make one with demo_season."))
        if not queues:
            raise CommandError(_("Every queue of the demo is closed. Open one in the admin."))
        logging.getLogger("httpx").setLevel(logging.WARNING)  # else a line a request
        https = settings.PUBLIC_URL.startswith("https://")
        api = Client(
            options["url"],
            server_key(),
            rate_limit=RateLimit(_PER_SECOND, burst=_BURST),
            https=https,
        )
        world = World(api, roster, queues, options["seed"], paired=paired_queues(), social=True)
        luck = random.Random(options["seed"])  # noqa: S311 - a simulation
        crowd = Crowd(world, luck, fewest=options["fewest"], most=options["most"])
        arena = None
        if arena_is_made():
            limit = RateLimit(_OF_SERVERS, burst=_BURST)
            client = Client(options["url"], server_key(ARENA), rate_limit=limit, https=https)
            arena = Arena(client, options["seed"])
        if options["sign"]:
            options["sign"].touch()
        try:
            asyncio.run(_live(crowd, arena))
        except RefusalError as refusal:
            raise CommandError(
                _("The key of the simulated players no longer works: %s") % refusal
            ) from refusal


async def _live(crowd: Crowd, arena: Arena | None) -> None:
    """Let them live until a signal to stop."""
    tasks = [asyncio.create_task(crowd.live())]
    if arena is not None:
        tasks.append(asyncio.create_task(arena.live()))
    loop = asyncio.get_running_loop()
    for kind in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(kind, _cancel, tasks)
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        _cancel(tasks)
        await asyncio.wait(tasks)
    finally:
        for one in (crowd.world.api, *([arena.api] if arena else [])):
            await one.close()
    for task in tasks:
        if not task.cancelled():
            task.result()


def _cancel(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()


@transaction.atomic
def server_key(slug: str = GAME) -> str:
    """Return the secret of the demo's key for one of its games, new at each start and known to this process only.

    The one before it ends: only the newest process speaks for the players.
    """
    game = Game.objects.select_for_update().get(slug=slug)
    key = ServerKey.objects.filter(game=game, name=_KEY_NAME, revoked_at=None).first()
    if key is None:
        return issue_key(
            game=game, name=_KEY_NAME, scopes=[scope.value for scope in SERVER_SCOPES]
        )[1]
    secret = credentials.make_secret(credentials.SERVER)
    put_secret(key, secret)
    key.save(update_fields=["prefix", "digest"])
    return secret.text
