"""A part of the tests runs alone: `bin/test tests/end_to_end`."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOAD = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"


def test_what_a_folder_of_tests_begins_with_needs_no_django_yet() -> None:
    """Pytest reads the conftest.py of the folders it is given before the servers are there and Django is set up."""
    files = [path.relative_to(ROOT) for path in (ROOT / "tests").glob("*/**/conftest.py")]
    assert files
    names = [".".join(path.with_suffix("").parts) for path in files]
    environ = {name: value for name, value in os.environ.items() if "DJANGO" not in name}
    loaded = subprocess.run(
        [sys.executable, "-c", LOAD, *sorted(names)],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert loaded.returncode == 0, loaded.stderr
