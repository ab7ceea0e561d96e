"""`manage.py rate`: rate what is due now, for installations without workers."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import ngettext

from ratings.management.catch_up import catch_up
from ratings.management.named_ladder import named_ladder
from ratings.models import Ladder
from ratings.runs.load import UnratableMatchError

__all__ = ["Command"]


class Command(BaseCommand):
    """See `help`."""

    help = "Rate what is due now: confirmed matches, and periods that are over. Workers do the same by themselves."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--ladder", metavar="SLUG", help="only this ladder")
        parser.add_argument("--quiet", action="store_true", help="no progress and no summary")

    def handle(self, *args: Any, **options: Any) -> None:
        quiet = options["quiet"] or options["verbosity"] == 0
        slug = options["ladder"]
        for ladder in Ladder.objects.order_by("pk") if slug is None else [named_ladder(slug)]:
            try:
                done = catch_up(ladder, quiet=quiet)
            except UnratableMatchError as error:
                raise CommandError(f"{ladder.slug}: {error}") from error
            if not quiet:
                matches = ngettext("%d match rated", "%d matches rated", done.matches)
                periods = ngettext("%d period closed", "%d periods closed", done.periods)
                words = f"{matches % done.matches}, {periods % done.periods}"
                self.stdout.write(f"{ladder.slug}: {words}")
