"""What `backtest` and `tune` share: games of a file or of a ladder, in memory, and the system to try on them."""

import argparse
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from ratings.evaluation import FileError, Played, Setup, UnfitError, known_parameters, read_games
from ratings.importing import OptionError, read_period
from ratings.management.named_ladder import named_ladder
from ratings.management.track_arguments import add_param_argument, add_period_argument
from ratings.models import Ladder
from ratings.runs.columns import distinct
from ratings.runs.load import UnratableMatchError, load_matches
from ratings.runs.match_arrays import DuelMatches
from ratings.runs.position import format_of
from ratings.systems import Duels, ParameterError, System, UnknownSystemError, Value, names
from ratings.tracks.parameters import RESOLVED_RULES

__all__ = ["add_trial_arguments", "games_of", "played_of", "refusals", "setup_of", "share_of"]


def add_trial_arguments(parser: argparse.ArgumentParser, *, needs_system: bool) -> None:
    """The options that name the games, the system and its parameters."""
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="CSV (date,player_a,player_b,score_a) or JSON lines (date, teams, ranks); needs no database",
    )
    parser.add_argument("--ladder", metavar="SLUG", help="the matches of a ladder, instead of FILE")
    parser.add_argument(
        "--system",
        required=needs_system,
        metavar="NAME",
        help=f"rating system: {', '.join(names())}",
    )
    add_param_argument(
        parser, "parameter of the system, days_to_forget, pool_minimum or drift_days"
    )
    add_period_argument(parser)
    parser.add_argument(
        "--minutes",
        type=_minutes,
        metavar="N",
        help="how long every player took part, where the games do not say",
    )


def games_of(options: Mapping[str, Any], setup: Setup) -> Played:
    """Read the games that the options name. Raises CommandError, FileError, UnratableMatchError."""
    name, slug = options["file"], options["ladder"]
    if slug is not None:
        played = played_of(named_ladder(slug), setup.system())
    else:
        try:
            with Path(name).open(encoding="utf-8", newline="") as lines:
                played = read_games(lines)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise CommandError(f"{name!r}: {reason}") from error
        except UnicodeDecodeError as error:
            raise CommandError(_("%r is not UTF-8; save it as UTF-8 text") % name) from error
    minutes = options["minutes"]
    return played if minutes is None else played.lasting(minutes)


def setup_of(options: Mapping[str, Any]) -> Setup:
    """The system with what was given; on a ladder with the rules of the ladder.

    Raises CommandError, OptionError, ParameterError, UnknownSystemError.
    """
    if (options["file"] is None) == (options["ladder"] is None):
        raise CommandError(_("Give either a file or --ladder."))
    known = known_parameters(options["system"])
    given: dict[str, Value] = {}
    for text in options["param"]:
        name, equals, value = text.partition("=")
        if not equals:
            expected = _("must be name=value")
            raise OptionError(f"parameter {text!r}: {expected}")
        if name not in known:
            expected = _("must be one of %s") % ", ".join(sorted(known))
            raise OptionError(f"parameter {name!r}: {expected}")
        given[name] = known[name].parse(value)
    if options["ladder"] is not None:
        ladder = named_ladder(options["ladder"])
        own = {
            name: getattr(ladder, name) for name in (*RESOLVED_RULES, "drift_days") if name in known
        }
        if "c" in given:
            own.pop("days_to_forget", None)
        given = {**own, **given}
    days = None if options["period"] is None else read_period(options["period"])
    setup = Setup.of(options["system"], given, days)
    if options["period"] is not None and setup.period_days != days:
        text = _("period 'none': %s needs rating periods, such as 30d")
        raise OptionError(text % setup.name)
    return setup


@contextmanager
def refusals(options: Mapping[str, Any]) -> Iterator[None]:
    """Say what cannot be in the words of a command."""
    try:
        yield
    except FileError as error:
        text = _(error.template) % error.words if error.words else _(error.template)
        where = {"file": options["file"], "line": error.line, "text": text}
        raise CommandError(_("%(file)s, line %(line)d: %(text)s") % where) from error
    except UnfitError as error:
        raise CommandError(_(error.template) % error.words) from error
    except (OptionError, ParameterError, UnknownSystemError, UnratableMatchError) as error:
        raise CommandError(str(error)) from error


def share_of(text: str) -> float:
    """A share from 0 up to, but without, 1; as argparse wants it."""
    value = float(text)
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"{text}: must be from 0 up to, but without, 1")
    return value


def _minutes(text: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError(f"{text}: must be a positive number of minutes")
    return value


def played_of(ladder: Ladder, system: System) -> Played:
    """Read the confirmed matches of a ladder, in its sequence, that a system can rate.

    Raises UnratableMatchError naming the first that has not the format of the ladder.
    """
    match_format = format_of(ladder, system)
    matches = load_matches(ladder.pk, after=0, last=ladder.last_seq, match_format=match_format)
    players = distinct(matches.players)
    positioned = matches.with_positions(players)
    names = [str(pk) for pk in players.tolist()]
    if isinstance(positioned, DuelMatches):
        duels = Duels(
            positioned.first,
            positioned.second,
            positioned.score,
            positioned.side,
            positioned.points,
        )
        return Played(positioned.counts_at, duels, names)
    return Played(positioned.counts_at, positioned.contests(positioned.player), names)
