"""What learns takes long to import: no process that only serves, or reads an estimate, waits for it."""

import subprocess
import sys

from config.embedded.paths import PROJECT

ASKED = """
import django, sys
django.setup()
import api.urls, config.urls, config.workers.processes, ratings.tasks
from ratings.systems.behaviour import from_json
print([name for name in sys.modules if name.partition(".")[0] in ("sklearn", "joblib")])
"""


def test_serving_imports_nothing_that_learns() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASKED], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
