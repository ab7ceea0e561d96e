"""`manage.py add_queue`: let players of a ladder search for matches."""

import argparse
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from matchmaking.beginning import begin_as_suits
from matchmaking.management.given_settings import read_settings
from matchmaking.models import Queue, Strategy
from matchmaking.rescaling import misfits
from ratings.models import Ladder
from ratings.systems.parameters import ParameterError

_SECONDS = {
    "accept": "how long an offer waits for answers",
    "heartbeat": "how long a ticket lives without a sign of life",
}


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Add a queue for a ladder: from then on its players can search for matches. "
        "It begins with gaps that suit the ladder's scale and its teams. "
        "What can be set, and what it does, is on its page in the admin."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("queue", metavar="SLUG", help="short name of the queue")
        parser.add_argument(
            "--ladder", required=True, metavar="SLUG", help="short name of the ladder"
        )
        parser.add_argument(
            "--name", default="", help="name of the queue; the ladder's unless given"
        )
        parser.add_argument(
            "--accepts-by-itself",
            action="store_true",
            help="matches begin at once, and nobody is asked to accept",
        )
        for name, words in _SECONDS.items():
            parser.add_argument(f"--{name}-seconds", type=int, metavar="N", help=words)
        parser.add_argument(
            "--strategy",
            default=Strategy.FILTERS.value,
            metavar="NAME",
            help=f"how it looks for matches: {', '.join(Strategy.values)}; filters unless given",
        )
        parser.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="SECTION.NAME=VALUE",
            help="a parameter such as language.use=must or teams.roles='tank 1; healer 1'; may be repeated",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        ladder = Ladder.objects.filter(slug=options["ladder"]).first()
        if ladder is None:
            raise CommandError(_("ladder %r: does not exist") % options["ladder"])
        there = Queue.objects.filter(slug=options["queue"]).first()
        if there is not None and there.ladder_id == ladder.pk:
            self.stdout.write(_("Queue %s already exists.") % there.slug)
            return
        queue = Queue(
            ladder=ladder,
            slug=options["queue"],
            name=options["name"] or ladder.name,
            accepts_by_itself=options["accepts_by_itself"],
            strategy=options["strategy"],
        )
        try:
            begin_as_suits(queue, read_settings(queue.strategy, options["set"]))
        except ParameterError as error:
            raise CommandError(str(error)) from error
        for name in (f"{name}_seconds" for name in _SECONDS):
            if options[name] is not None:
                setattr(queue, name, options[name])
        try:
            queue.full_clean()
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        queue.save()
        self.stdout.write(_("Queue %s was added.") % queue.slug)
        for warning in misfits(queue):
            self.stderr.write(warning)
