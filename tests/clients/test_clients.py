"""Two clients made of the description by others' generators: compiled strictly, and run against a live server."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from api.auth.issue import issue_key
from api.auth.scopes import SERVER_SCOPES
from config.embedded.paths import PROJECT
from matchmaking.models import Queue
from ratings.models import Game, Ladder
from tests.clients.tools import FOLDER, find_typescript
from tests.config.web.serving import Web

pytestmark = pytest.mark.django_db(transaction=True)
HERE = Path(__file__).parent
DONE = "the season is over"


@pytest.fixture
def environ(web: Web) -> dict[str, str]:
    """A game with a ladder and a queue, and what its server must know."""
    game = Game.objects.create(slug="go", name="Go")
    ladder = Ladder.objects.create(game=game, slug="duel", name="Duel")
    Queue.objects.create(ladder=ladder, slug="duel", name="Duel")
    key = issue_key(game=game, name="clients", scopes=SERVER_SCOPES)[1]
    return {**os.environ, "API": f"http://127.0.0.1:{web.port}/api/v1", "KEY": key}


@pytest.fixture
def description(web: Web, tmp_path: Path) -> Path:
    """The description as the server sends it."""
    path = tmp_path / "schema.json"
    path.write_bytes(web.get("/api/v1/schema?format=json").content)
    return path


def run(*command: str | Path, folder: Path, environ: dict[str, str] | None = None) -> str:
    """What a program says; it must end well."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.full
def test_a_python_client(description: Path, environ: dict[str, str], tmp_path: Path) -> None:
    tools = Path(sys.executable).parent
    names = tmp_path / "names.yml"
    names.write_text(
        "project_name_override: em_client\npackage_name_override: em_client\npost_hooks: []\n"
    )
    made = run(
        *(tools / "openapi-python-client", "generate", "--path", description, "--meta", "none"),
        *("--config", names, "--output-path", tmp_path / "em_client", "--fail-on-warning"),
        folder=tmp_path,
    )
    assert "WARNING" not in made
    shutil.copy(HERE / "season.py", tmp_path)
    cache = PROJECT / ".mypy_cache" / "clients"
    strictly = ("-m", "mypy", "--strict", "--config-file", os.devnull, "--cache-dir", cache)
    run(sys.executable, *strictly, "season.py", "em_client", folder=tmp_path)
    assert DONE in run(sys.executable, "season.py", folder=tmp_path, environ=environ)


@pytest.mark.typescript
def test_a_typescript_client(description: Path, environ: dict[str, str], tmp_path: Path) -> None:
    packages = find_typescript()
    assert packages is not None
    (tmp_path / "node_modules").symlink_to(packages)
    for name in ("package.json", "season.ts", "tsconfig.json"):
        shutil.copy(FOLDER / name, tmp_path)
    run(
        *(packages / ".bin" / "openapi-typescript", description, "-o", tmp_path / "api.d.ts"),
        "--default-non-nullable=false",  # what has a default may be left out
        folder=tmp_path,
    )
    run(packages / ".bin" / "tsc", folder=tmp_path)
    built = tmp_path / "built" / "season.js"
    assert DONE in run("node", built, folder=tmp_path, environ=environ)
