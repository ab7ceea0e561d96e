"""The page that shows the core alone shows what runs, without the framework."""

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]


def test_the_example_runs_without_django() -> None:
    page = (PROJECT / "docs" / "rating-library.md").read_text(encoding="utf-8")
    code = page.split("```python\n")[1].split("```")[0]
    code += "import sys; print('django' in sys.modules, 'celery' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=PROJECT,
        env={"PATH": "/usr/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    chance, skills, loaded = done.stdout.splitlines()
    # Player 3 beat the one with whom player 0 only drew.
    assert 0.4 < float(chance.strip("[]")) < 0.5
    winner, *others = (float(skill) for skill in skills.strip("[]").split())
    assert winner > max(others)
    assert loaded == "False False"
