"""`manage.py rate_frags`: the shooter ladder of a frag log, without a database."""

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from ratings.importing.frag_log import play_log, read_log
from ratings.management.frag_files import frag_file, print_rows
from ratings.management.track_arguments import add_param_argument
from ratings.systems import ParameterError
from ratings.systems.frags import (
    EVENT_WEIGHTS,
    Competitor,
    Deathmatch,
    FragsParameters,
    LadderRow,
    Overall,
    Side,
    by_clan,
    by_player,
    by_role,
    overall,
)

__all__ = ["Command"]

RATED: dict[str, Callable[[Side], Competitor]] = {
    "player": by_player,
    "clan": by_clan,
    "role": by_role,
}
_UNITS = {"d": 86_400.0, "h": 3_600.0, "s": 1.0}
_MOST = 1_000_000.0


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Rate a frag log, each frag a duel of 1:0 in the order of the log, and print the ladder. "
        'One JSON object per line: {"at", "killer", "victim", "weapon", "event"}; docs/systems/frags.md tells more. '
        "Nothing is stored."
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", help="the log; - reads standard input")
        parser.add_argument(
            "--by", choices=sorted(RATED), default="player", help="who is rated (default player)"
        )
        add_param_argument(parser, "parameter of the system frags, such as k=20 or decay=5")
        parser.add_argument(
            "--weight",
            action="append",
            default=[],
            type=_weight,
            metavar="EVENT=FRAGS",
            help="how many frags an event is worth (frag=1 and capture=7 are known); may be repeated",
        )
        parser.add_argument(
            "--every",
            type=_seconds,
            metavar="LENGTH",
            help="take the parameter decay from everybody after each 7d, 12h, 60s",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        known = {parameter.name: parameter for parameter in FragsParameters.described()}
        given: dict[str, object] = {}
        try:
            for text in options["param"]:
                name, _equals, value = text.partition("=")
                given[name] = known[name].parse(value) if name in known else value
            parameters = FragsParameters.build(given)
        except ParameterError as error:
            raise CommandError(str(error)) from error
        if (options["every"] is None) != (parameters.decay == 0):
            raise CommandError(_("Decay needs both: --param decay=POINTS and --every LENGTH."))
        weights = {**EVENT_WEIGHTS, **dict(options["weight"])}
        stream = Deathmatch(parameters, rated=RATED[options["by"]], weights=weights)
        with frag_file(options["file"]) as lines:
            events = play_log(stream, read_log(lines), every=options["every"])
        ladder = stream.standings()
        # Each player over all roles, best first.
        roles: dict[str, list[LadderRow]] = {}
        for one in ladder if options["by"] == "role" else ():
            roles.setdefault(one.competitor.name, []).append(one)
        found = {
            name: overall(parameters, [one.rating for one in own], [one.games for one in own])
            for name, own in roles.items()
            if any(one.games for one in own)
        }
        by_name = dict(sorted(found.items(), key=lambda one: (-one[1].value, one[0])))
        if options["json"]:
            rows = [{**one.competitor._asdict(), **asdict(one)} for one in ladder]
            for row in rows:
                del row["competitor"]
            record = {
                "events": events,
                "skipped": stream.skipped,
                "parameters": stream.parameters.as_dict(),
                "ladder": rows,
                "overall": {name: asdict(one) for name, one in by_name.items()},
            }
            self.stdout.write(json.dumps(record))
            return
        self._show(ladder, by_name)
        self.stdout.write(_("Events: %s") % f"{events:,}")
        if stream.skipped:
            text = _("Not rated, as nobody was known on another team: %s")
            self.stdout.write(text % f"{stream.skipped:,}")

    def _show(self, ladder: list[LadderRow], by_name: dict[str, Overall]) -> None:
        with_roles = bool(by_name)
        who = (_("Player"), _("Role")) if with_roles else (_("Player"),)
        counted = (_("Frags"), _("Deaths"), _("Suicides"), _("Team kills"), _("Other events"))
        rows = []
        for one in ladder:
            name = f"[{one.competitor.name}]" if one.competitor.is_clan else one.competitor.name
            names = (name, one.competitor.role) if with_roles else (name,)
            counts = (one.frags, one.deaths, one.suicides, one.team_kills, one.events)
            figures = (f"{one.rating:.0f}", *(f"{count:,}" for count in counts))
            rows.append((f"{one.place:,}", *names, *figures))
        print_rows(self.stdout, ("#", *who, _("Rating"), *counted), rows, names=len(who))
        if with_roles:
            self.stdout.write("")
            lines = [
                ("", name, f"{one.value:.0f} ± {2 * one.deviation:.0f}", f"{one.games:,}")
                for name, one in by_name.items()
            ]
            titles = ("", _("Player"), _("All roles"), _("Events"))
            print_rows(self.stdout, titles, lines, names=1)


def _weight(text: str) -> tuple[str, float]:
    name, _equals, value = text.rpartition("=")
    try:
        weight = float(value)
    except ValueError:
        weight = -1.0
    if not name or not 0 <= weight <= _MOST:
        raise argparse.ArgumentTypeError(
            f"{text}: must be EVENT=FRAGS, such as capture=7, from 0 to {_MOST:g}"
        )
    return name, weight


def _seconds(text: str) -> float:
    try:
        seconds = float(text[:-1]) * _UNITS[text[-1:]]
    except (KeyError, ValueError):
        seconds = 0.0
    if not 1 <= seconds <= 36_525 * 86_400:
        raise argparse.ArgumentTypeError(
            f"{text}: must be from 1s to 36525d, such as 7d, 12h or 60s"
        )
    return seconds
