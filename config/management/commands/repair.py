"""`manage.py repair`: find what faults have left behind, and mend it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from config.maintenance.repair import findings, trust_clock


class Command(BaseCommand):
    """See docs/operators.md, "When the clock was wrong"."""

    help = (
        "Look for what a wrong clock or a restore has left behind, say what was found, and mend it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--look", action="store_true", help="only say what is wrong")
        parser.add_argument(
            "--trust-clock",
            action="store_true",
            help="the time is right now: close periods again, without waiting for an hour",
        )
        parser.add_argument("--note", default="", help="why, for the audit log")

    def handle(self, *, look: bool, note: str, **options: Any) -> None:
        if options["trust_clock"] and not look and trust_clock(note=note):
            self.stdout.write(_("The clock is trusted again."))
        found = 0
        for finding in findings():
            found += 1
            self.stdout.write(finding.what)
            if finding.mend is not None and not look:
                self.stdout.write(f"  {finding.mend()}")
        if not found:
            self.stdout.write(_("Nothing is wrong."))
