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
from django.utils.translation import gettext as _

from demo.play.cast import load_cast, open_queues, paired_queues
from demo.play.client import Client, RefusalError
from demo.play.crowd import Crowd
from demo.play.keys import server_key
from demo.play.pace import Pace
from demo.play.player import World

_PER_SECOND, _BURST = 12.0, 3  # requests: never more, however many play


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
        cast, queues = load_cast(), open_queues()
        if not cast:
            raise CommandError(_("There is no demo season here. Make one with demo_season."))
        if not queues:
            raise CommandError(_("Every queue of the demo is closed. Open one in the admin."))
        logging.getLogger("httpx").setLevel(logging.WARNING)  # else a line a request
        https = settings.PUBLIC_URL.startswith("https://")
        api = Client(
            options["url"], server_key(), pace=Pace(_PER_SECOND, burst=_BURST), https=https
        )
        world = World(api, cast, queues, options["seed"], paired=paired_queues())
        luck = random.Random(options["seed"])  # noqa: S311 - a simulation
        crowd = Crowd(world, luck, fewest=options["fewest"], most=options["most"])
        if options["sign"]:
            options["sign"].touch()
        try:
            asyncio.run(_live(crowd))
        except RefusalError as refusal:
            raise CommandError(
                _("The key of the simulated players no longer works: %s") % refusal
            ) from refusal


async def _live(crowd: Crowd) -> None:
    """Let them live until a signal to stop."""
    task = asyncio.create_task(crowd.live())
    loop = asyncio.get_running_loop()
    for kind in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(kind, task.cancel)
    try:
        await asyncio.wait([task])
    finally:
        await crowd.world.api.close()
    if not task.cancelled():
        task.result()
