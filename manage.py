#!/usr/bin/env python3
"""Django's command line for this installation; starts its servers for the command if need be."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

PYTHON = Path(__file__).resolve().parent / ".venv" / "bin" / "python"
TRIED = "EVENMATCH_OWN_PYTHON"


def use_own_python() -> None:
    """Start again with the Python of .venv, in which Django is."""
    if os.environ.get(TRIED) or not os.access(str(PYTHON), os.X_OK):
        sys.exit("Django is not installed here. Run bin/run first: it makes .venv.")
    os.environ[TRIED] = "1"
    os.execv(str(PYTHON), [str(PYTHON), *sys.argv])  # noqa: S606 - no shell is wanted


if __name__ == "__main__":
    if sys.version_info < (3, 11) or find_spec("django") is None:
        use_own_python()
    os.environ.pop(TRIED, None)
    from config.command_line import main

    main(sys.argv)
