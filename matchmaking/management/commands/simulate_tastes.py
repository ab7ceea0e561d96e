"""`manage.py simulate_tastes`: how often players enjoy whom they meet, by what is made of feedback, simulated."""

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand
from rich.table import Table

from matchmaking.pairing.conditions.taste import TasteSection
from matchmaking.pairing.taste.gate import Judgement, judge
from matchmaking.preview.simulation.tastes import (
    KINDS,
    WAYS,
    LeagueFigures,
    draw_words,
    play_league,
)
from ratings.management.judgement_tables import console_on

__all__ = ["Command"]

_WIDTH = 110


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Simulate leagues whose players have hidden tastes, once without heeding feedback, once by the graph of likes "
        "and once by what is learned. Shows how many enjoy whom they meet, newcomers apart, the gap in rating points, "
        "in what share of the last rounds what was learned was heeded, and how well the graph and what was learned "
        "foretell words that were held out (AUC). Means of all seeds, and the least and the largest."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--kinds", nargs="*", choices=[*KINDS], default=[*KINDS], metavar="KIND"
        )
        parser.add_argument("--ways", nargs="*", choices=WAYS, default=[*WAYS], metavar="WAY")
        parser.add_argument("--players", type=int, default=300, help="in a league")
        parser.add_argument("--words", type=int, default=20_000, help="of feedback until it ends")
        parser.add_argument(
            "--worth",
            type=float,
            default=TasteSection().seconds,
            help="seconds, as in the queue's settings",
        )
        parser.add_argument("--seeds", type=int, default=3, help="how many seeds (default 3)")
        parser.add_argument("--first-seed", type=int, default=1, metavar="N")
        parser.add_argument(
            "--by-lot",
            action="store_true",
            help="play nothing: judge words of pairs drawn by lot",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object a league")

    def handle(self, *args: Any, **options: Any) -> None:
        seeds = range(options["first_seed"], options["first_seed"] + options["seeds"])
        table = Table(title=f"{options['players']} players, {options['words']} words of feedback")
        table.add_column("tastes")
        for column in (
            ("AUC graph", "learned", "better by", "used")
            if options["by_lot"]
            else ("heeded", "enjoyed", "newcomers", "gap", "learned used", "AUC graph", "learned")
        ):
            table.add_column(column, justify="left" if column == "heeded" else "right")
        for kind in options["kinds"]:
            if options["by_lot"]:
                table.add_row(kind, *self._by_lot(kind, seeds, options))
                continue
            for way in options["ways"]:
                table.add_row(kind, way, *self._played(kind, way, seeds, options))
        if not options["json"]:
            console = console_on(self.stdout)
            console.width = max(console.width, _WIDTH)
            console.print(table)

    def _by_lot(self, kind: str, seeds: Iterable[int], options: dict[str, Any]) -> list[str]:
        size = {name: options[name] for name in ("players", "words")}
        found = list[Judgement]()
        for seed in seeds:
            found.append(judge(draw_words(kind, **size, seed=seed)))
            self._tell(options, {"kind": kind, "seed": seed, **asdict(found[-1])})
        used = sum(one.is_better for one in found)
        return [*_areas(found, "gain_at_least"), f"{used} of {len(found)}"]

    def _played(
        self, kind: str, way: str, seeds: Iterable[int], options: dict[str, Any]
    ) -> list[str]:
        size = {name: options[name] for name in ("players", "words", "worth")}
        found = list[LeagueFigures]()
        for seed in seeds:
            found.append(play_league(kind, way, **size, seed=seed))
            self._tell(options, {"kind": kind, "way": way, "seed": seed, **asdict(found[-1])})
        judged = [one.judgement for one in found if one.judgement is not None]
        return [
            _spread([one.liked for one in found], _percent),
            _spread([one.newcomers for one in found], _percent),
            _spread([one.gap for one in found], "{:.0f}".format),
            _spread([one.learned for one in found], _percent),
            *_areas(judged),
        ]

    def _tell(self, options: dict[str, Any], what: dict[str, Any]) -> None:
        if options["json"]:
            self.stdout.write(json.dumps(what))
            self.stdout.flush()


def _areas(judged: Sequence[Judgement], *more: str) -> list[str]:
    return [
        _spread(
            [value for one in judged if (value := getattr(one, name)) is not None], "{:.3f}".format
        )
        for name in ("graph", "learned", *more)
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _spread(values: Sequence[float], shown: Callable[[float], str]) -> str:
    """The mean, and the least and the largest where they differ."""
    if not values:
        return "–"
    mean, ends = shown(sum(values) / len(values)), [shown(min(values)), shown(max(values))]
    return mean if ends[0] == ends[1] else f"{mean} ({ends[0]}–{ends[1]})"
