"""`manage.py why`: why a waiting ticket is not matched yet."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from rich.table import Table

from matchmaking.models import Ticket
from matchmaking.sweep.why_waiting import why_waiting
from matchmaking.sweep.why_words import WhyInWords, why_in_words
from ratings.management.judgement_tables import console_on

__all__ = ["Command"]


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Why a waiting ticket is not matched yet: how many others each condition keeps away, what the next sweep "
        "does, and when somebody fits. Reads only. The same is on the ticket's page in the admin."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("ticket", type=int, metavar="TICKET", help="number of the ticket")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            why = why_waiting(options["ticket"])
        except Ticket.DoesNotExist as error:
            raise CommandError(
                _("there is no ticket %(number)s; the admin lists those that wait under Tickets")
                % {"number": options["ticket"]}
            ) from error
        said = why_in_words(why, shows_sanctions=True)
        for line in said.about:
            self.stdout.write(line)
        if said.rows:
            console = console_on(self.stdout)
            console.width = max(console.width, 100)
            console.print(_conditions(said))
        for line in said.verdict:
            self.stdout.write(line)
        if said.match or said.following:
            self.stdout.write("  " + ", ".join(map(str, said.match or said.following)))


def _conditions(said: WhyInWords) -> Table:
    headings = (_("Use"), _("Accepts"), _("Nearest"))
    counts = (_("It refuses"), _("Refuse it"), _("Kept away"), _("In turn"), _("Left"))
    table = Table(_("Condition"), *headings)
    for heading in counts:
        table.add_column(heading, justify="right")
    for row in said.rows:
        numbers = (row.by_ticket, row.by_other, row.alone, row.then, row.left)
        table.add_row(row.name, row.use, row.accepted, row.nearest, *map(str, numbers))
    return table
