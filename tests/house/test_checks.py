"""What the tools and the house rules say about the whole tree, each in a test of its own."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.apps import apps
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from config.embedded.paths import PROJECT
from tests.house.tree import text_files

LONGEST = 400  # lines of a file
GENERATED = {"requirements.txt", "requirements-dev.txt"}
CODE = {".css", ".html", ".js", ".py", ".sh"}
REGISTRIES = re.compile(r"pypi\.(?:org|python)|pythonhosted\.|npmjs\.|crates\.io\b")
MACHINES = re.compile(r"(?<![\w.~-])/(?:work|root|Users)/\w|/tmp/(?:team|house)\b")


def run(*command: str, **environ: str) -> None:
    """Run a tool on the project; its words are the failure."""
    done = subprocess.run(
        command, cwd=PROJECT, env=os.environ | environ, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.fail(f"{' '.join(command)}\n{done.stdout}{done.stderr}", pytrace=False)


def tool(name: str) -> str:
    """A program of .venv."""
    return str(Path(sys.executable).with_name(name))


def test_ruff_finds_nothing() -> None:
    run(tool("ruff"), "check", "--output-format=concise", ".")


def test_code_is_formatted() -> None:
    run(tool("ruff"), "format", "--check", ".")


def test_types_hold() -> None:
    """What mypy finds out about packages takes a minute, and is the same in all checkouts: the user keeps it."""
    kept = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "evenmatch-tests"
    try:
        kept.mkdir(parents=True, exist_ok=True)
    except OSError:  # a user without a home
        kept = PROJECT
    run(tool("mypy"), "--cache-dir", str(kept / ".mypy_cache"))


def test_imports_keep_their_direction() -> None:
    run(tool("lint-imports"))


def test_no_migration_is_missing() -> None:
    """As `makemigrations --check` sees it, without a process that loads the project once more."""
    loader = MigrationLoader(None)
    assert loader.detect_conflicts() == {}
    models = ProjectState.from_apps(apps)
    changes = MigrationAutodetector(loader.project_state(), models).changes(graph=loader.graph)
    assert changes == {}


def test_deployment_checks_are_clean(tmp_path: Path) -> None:
    run(
        sys.executable,
        *("manage.py", "check", "--deploy", "--fail-level", "WARNING"),
        DJANGO_SETTINGS_MODULE="config.settings.production",
        EVENMATCH_PUBLIC_URL="https://play.example.org",
        EVENMATCH_DATA_DIR=str(tmp_path),
    )


@pytest.mark.parametrize("stem", ["requirements", "requirements-dev"])
def test_requirements_are_in_step(stem: str) -> None:
    """Every name of the .in file is pinned, within its bounds, with hashes."""
    pinned = pins(PROJECT / f"{stem}.txt")
    wrong = []
    for line in (PROJECT / f"{stem}.in").read_text("utf-8").splitlines():
        if text := line.partition("#")[0].strip():
            wanted = Requirement(text)
            versions = pinned.get(canonicalize_name(wanted.name), [])
            if not versions or not all(map(wanted.specifier.contains, versions)):
                wrong.append(f"{text}: pinned {versions or 'not at all'}")
    assert wrong == []


def pins(path: Path) -> dict[str, list[str]]:
    """Name to pinned versions (several where they depend on the Python) of a compiled file."""
    found: dict[str, list[str]] = {}
    for block in re.split(r"\n(?=[A-Za-z0-9])", path.read_text("utf-8")):
        if match := re.match(r"([\w.-]+)(?:\[[^]]*\])?==([^\s;\\]+)", block):
            assert "--hash=sha256:" in block, f"{match[0]} has no hash in {path.name}"
            found.setdefault(canonicalize_name(match[1]), []).append(match[2])
    return found


def test_no_file_is_too_long() -> None:
    long = {
        str(path.relative_to(PROJECT)): lines
        for path in text_files()
        if path.suffix in CODE
        and path.parent.name != "migrations"  # written by makemigrations
        and (lines := len(path.read_bytes().splitlines())) > LONGEST
    }
    assert long == {}


@pytest.mark.parametrize("name", ["architecture.md", "glossary.md"])
def test_the_documents_name_what_there_is(name: str) -> None:
    text = (PROJECT / "docs" / name).read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+(?:/\w+)+(?:\.\w+|/)?)`", text))
    assert len(named) > 40
    assert sorted(path for path in named if not (PROJECT / path).exists()) == []


def test_nothing_names_a_registry_or_a_machine() -> None:
    """The project installs from wherever its user points it, on whatever machine."""
    found = []
    for path in text_files():
        if path == Path(__file__) or path.name in GENERATED:
            continue
        for number, line in enumerate(path.read_text("utf-8", errors="replace").splitlines(), 1):
            if REGISTRIES.search(line) or MACHINES.search(line):
                found.append(f"{path.relative_to(PROJECT)}:{number}: {line.strip()[:100]}")
    assert found == []


def test_requirements_name_no_index() -> None:
    for name in GENERATED:
        text = (PROJECT / name).read_text("utf-8")
        assert not re.search(
            r"^--(?:extra-)?index-url|^--find-links|^--trusted-host", text, re.MULTILINE
        )


def test_packages_have_what_they_offer() -> None:
    missing = []
    for path in text_files():
        if path.suffix != ".py" or "migrations" in path.parts:
            continue
        text = path.read_text("utf-8")
        if "__all__" not in text:
            continue  # to parse the whole tree takes seconds
        tree = ast.parse(text)
        offered = [
            ast.literal_eval(statement.value)
            for statement in tree.body
            if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__"
        ]
        there = {
            name.asname or name.name
            for statement in ast.walk(tree)
            if isinstance(statement, (ast.Import, ast.ImportFrom))
            for name in statement.names
        } | {
            name
            for statement in ast.walk(tree)
            for name in (
                [statement.name]
                if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
                else [statement.id]
                if isinstance(statement, ast.Name) and isinstance(statement.ctx, ast.Store)
                else []
            )
        }
        missing += [f"{path}: {name}" for names in offered for name in names if name not in there]
    assert missing == []
