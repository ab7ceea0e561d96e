"""The options that say how a track rates."""

import argparse

__all__ = ["add_param_argument", "add_period_argument"]


def add_period_argument(parser: argparse.ArgumentParser) -> None:
    """`--period`, as `read_period` takes it."""
    parser.add_argument(
        "--period",
        metavar="LENGTH",
        help="rating period: 30d, 12h, 60s, or none to rate each game at once",
    )


def add_param_argument(parser: argparse.ArgumentParser, what: str) -> None:
    """`--param`, any number of them; `what` is said of each."""
    parser.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"{what}; may be repeated",
    )
