"""What `manage.py` does before Django: have the servers of the data folder running if need be."""

import os
import signal
import sys
import warnings
from contextlib import AbstractContextManager, nullcontext
from types import FrameType

from config.embedded import StartError, data_dir
from config.embedded.servers import Servers

# These neither read nor write the database, so they do not wait for one to start.
WITHOUT_SERVERS = frozenset(
    {
        "check",
        "collectstatic",
        "compilemessages",
        "diffsettings",
        "findstatic",
        "help",
        "makemessages",
        "makemigrations",
        "rank_frags",
        "rate_frags",
        "spectacular",
        "startapp",
        "startproject",
        "version",
    }
)
# These work on a file alone, unless a ladder is named.
WITH_A_LADDER = frozenset({"backtest", "tune"})
# makemigrations looks at the database only to warn when its history is inconsistent.
NO_HISTORY = "Got an error checking a consistent migration history"


def main(arguments: list[str]) -> None:
    """Run one management command on the data folder; servers that run already are used as they are."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")
    os.environ.setdefault("EVENMATCH_LOG_LEVEL", "WARNING")  # commands speak for themselves
    signal.signal(signal.SIGTERM, _terminate)
    try:
        with _servers(arguments):
            from django.core.management import execute_from_command_line

            execute_from_command_line(arguments)
    except StartError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


def needs_servers(arguments: list[str]) -> bool:
    """Whether this command may want the database."""
    command = arguments[1] if len(arguments) > 1 else "help"
    asks_for_help = {"--help", "-h", "--version"} & set(arguments[1:])
    if command in WITH_A_LADDER:  # options may be cut short: --l is --ladder
        return not asks_for_help and any(word.startswith("--l") for word in arguments[2:])
    return not asks_for_help and command not in WITHOUT_SERVERS


def _servers(arguments: list[str]) -> AbstractContextManager[object]:
    if needs_servers(arguments):
        return Servers.wanted(data_dir(), os.environ).in_use()
    warnings.filterwarnings("ignore", message=NO_HISTORY)
    return nullcontext()


def _terminate(_kind: int, _frame: FrameType | None) -> None:
    """End through the finally blocks, which stop what was started for this command."""
    sys.exit(128 + signal.SIGTERM)
