"""docs/quick-start.md, word for word: its commands in one shell, in order, beside its own `bin/run`.

What it shows as an answer must be what came: the same members with the same kinds of values, and the same words where
they do not depend on the day.
"""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from config.embedded.paths import PROJECT
from tests.house.site import Site, environment

TEXT = (PROJECT / "docs" / "quick-start.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [(kind, text) for kind, text in BLOCK.findall(TEXT) if kind in {"sh", "json"}]
START, *COMMANDS = [text for kind, text in BLOCKS if kind == "sh"]
END = "--- end of a block ---"
# What is another at each run; of these only the kind of value counts.
PASSING = re.compile(r"(_at|_since|_left|waited|token|url)$")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("quick start")).wait_until_up()
    yield site
    site.close()


@pytest.fixture(scope="module")
def answers(site: Site) -> list[str]:
    """What each block printed."""
    script = "".join(f"{block}\necho '{END}'\n" for block in COMMANDS)
    environ = environment(EVENMATCH_DATA_DIR=str(site.data), EVENMATCH_PORT=str(site.port))
    done = subprocess.run(
        ["/bin/bash", "-eu", "-c", script],
        cwd=PROJECT,
        env=environ,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split(f"{END}\n")[:-1]


def shown() -> list[str | None]:
    """The answer that the text shows after each block of commands, None where it shows none."""
    found: list[str | None] = []
    for kind, text in BLOCKS[1:]:
        if kind == "sh":
            found.append(None)
        else:
            assert found, "an answer before the first command"
            assert found[-1] is None, "two answers to one block"
            found[-1] = text
    return found


def read(text: str) -> list[Any]:
    """All JSON values in a text, one after the other."""
    decoder, found = json.JSONDecoder(), []
    while text := text.strip():
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:]
    return found


def lasting(value: Any, name: str = "") -> Any:
    """A value without what is another at each run."""
    match value:
        case dict():
            return {member: lasting(inner, member) for member, inner in value.items()}
        case list():
            return [lasting(inner, name) for inner in value]
        case None:
            return None
    return type(value).__name__ if PASSING.search(name) else value


def test_the_site_is_started_as_the_text_says() -> None:
    assert START.split() == ["bin/run"]
    assert os.access(PROJECT / "bin" / "run", os.X_OK)


def test_every_command_does_what_the_text_shows(answers: list[str]) -> None:
    assert len(answers) == len(COMMANDS)
    compared = 0
    for command, came, text in zip(COMMANDS, answers, shown(), strict=True):
        if text is not None:
            assert lasting(read(came)) == lasting(read(text)), command
            compared += 1
    assert compared == sum(kind == "json" for kind, _ in BLOCKS) > 5


def test_the_key_of_the_text_is_printed_alone(answers: list[str], site: Site) -> None:
    """The blocks before the first answer print what their commands say, and no secret."""
    assert answers[0].splitlines() == ["Ladder duel is there.", "Queue duel is there."]
    assert not any("em_srv_" in answer for answer in answers)
    assert "Traceback" not in site.output()


def test_the_pages_it_names_are_there(answers: list[str], site: Site) -> None:
    assert answers
    for path in ("/ladders/duel/", "/players/1/", "/matches/1/", "/api/v1/docs/"):
        assert site.status(path) == 200, path


def test_links_lead_to_files() -> None:
    links = re.findall(r"\]\(([^)#:]+\.md)\)", TEXT)
    assert links
    assert [link for link in links if not (Path(PROJECT) / "docs" / link).is_file()] == []
