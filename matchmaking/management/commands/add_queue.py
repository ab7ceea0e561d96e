"""`manage.py add_queue`: let players of a ladder search for matches."""

import argparse
import math
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from matchmaking.management.settings_arguments import add_set_argument, read_settings
from matchmaking.models import Queue
from matchmaking.models.queues import RANGES
from matchmaking.pairing.settings import STRATEGIES
from matchmaking.queues.add import COLUMNS, add_queue
from matchmaking.queues.rescale import misfits
from matchmaking.queues.settings import settings_of
from ratings.management.named_ladder import ladder_in_use
from ratings.systems.parameters import ParameterError

_SECONDS = {
    "accept": "how long an offer waits for answers",
    "heartbeat": "how long a ticket lives without a sign of life",
    "idle": "how long a page may be hidden and untouched before its player is asked “Still there?”; never unless given",
    "still-there": "how long that waits for an answer",
    "partner": "how long somebody waits before the game is asked for a partner; never unless given",
    "partner-answer": "how long the game has to supply one",
}
_GAPS = {
    "start": "rating points that players accept who have just begun to wait",
    "per-second": "how much more they accept for every second of waiting",
    "cap": "the largest gap; none unless given",
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
        parser.add_argument("--name", help="name of the queue; the ladder's unless given")
        parser.add_argument(
            "--accepts-by-itself",
            action="store_true",
            default=None,
            help="matches begin at once, and nobody is asked to accept",
        )
        for name, words in _SECONDS.items():
            parser.add_argument(f"--{name}-seconds", type=int, metavar="N", help=words)
        for name, words in _GAPS.items():
            parser.add_argument(f"--gap-{name}", type=_points, metavar="POINTS", help=words)
        parser.add_argument(
            "--strategy",
            metavar="NAME",
            help=f"how it looks for matches: {', '.join(STRATEGIES)}; filters unless given",
        )
        add_set_argument(parser, such_as="language.use=must or teams.roles='tank 1; healer 1'")

    def handle(self, *args: Any, **options: Any) -> None:
        ladder = ladder_in_use(options["ladder"])
        asked = {name: options[name] for name in COLUMNS if options.get(name) is not None}
        there = Queue.objects.filter(slug=options["queue"]).first()
        if there is not None and there.archived_at is not None:
            words = _("queue %r: is archived; restore it first, or name another")
            raise CommandError(words % there.slug)
        if there is not None and there.ladder_id == ladder.pk:
            # What was asked of a queue that is there has to be what it has.
            pairs = [(name, value, getattr(there, name)) for name, value in asked.items()]
            present = settings_of(there).as_dict()
            for section, chosen in read_settings(there.strategy, options["set"]).items():
                own = present[section]
                pairs += [(f"{section}.{name}", chosen[name], own[name]) for name in chosen]
            for name, value, has in pairs:
                if value != has:
                    text = _(
                        "the queue has %r already; leave it out here, and change it in the admin"
                    )
                    raise CommandError(f"{name} = {value!r}: {text % (has,)}")
            self.stdout.write(_("Queue %s already exists.") % there.slug)
            return
        try:
            given = read_settings(asked.get("strategy", "filters"), options["set"])
            queue = add_queue(ladder=ladder, slug=options["queue"], columns=asked, settings=given)
        except ParameterError as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            said = []  # each with its name and what was given
            for name, messages in error.message_dict.items():
                words = " ".join(messages)
                value = f" = {asked[name]!r}" if name in asked else ""
                said.append(words if name == NON_FIELD_ERRORS else f"{name}{value}: {words}")
            raise CommandError(" ".join(said)) from error
        self.stdout.write(_("Queue %s was added.") % queue.slug)
        for warning in misfits(queue):
            self.stderr.write(warning)


def _points(text: str) -> float:
    """Rating points: what is no number could not be compared."""
    try:
        points = float(text)
    except ValueError:
        points = math.nan
    least, most = RANGES["gap_start"]
    if not least <= points <= most:
        words = _("%(given)s is not a number from %(least)d to %(most)d.")
        raise argparse.ArgumentTypeError(words % {"given": text, "least": least, "most": most})
    return points
