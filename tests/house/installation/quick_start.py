"""docs/quick-start.md, taken apart: its commands, what it shows as answers, and what of an answer lasts."""

import json
import re
import subprocess
from typing import Any

from config.embedded.paths import PROJECT
from tests.house.site import PATIENCE, Site, environment

__all__ = ["COMMANDS", "START", "TEXT", "expected", "lasting", "read", "type_commands"]

TEXT = (PROJECT / "docs" / "quick-start.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [(kind, text) for kind, text in BLOCK.findall(TEXT) if kind in {"sh", "json"}]
START, *COMMANDS = [text for kind, text in BLOCKS if kind == "sh"]
END = "--- end of a block ---"
# What is another at each run; of these only the kind of value counts, and how a time is written.
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.?(\d*)Z")
PASSING = re.compile(r"(_at|_since|_left|waited|token|url)$")


def type_commands(site: Site) -> list[str]:
    """Type all commands into one shell, in order; gives what each block printed."""
    script = "".join(f"{block}\necho '{END}'\n" for block in COMMANDS)
    done = subprocess.run(
        ["/bin/bash", "-eu", "-c", script],
        cwd=PROJECT,
        env=environment(EVENMATCH_DATA_DIR=str(site.data), EVENMATCH_PORT=str(site.port)),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split(f"{END}\n")[:-1]


def expected() -> list[str | None]:
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
    if isinstance(value, str) and (time := TIME.fullmatch(value)):
        return f"a time, {len(time[1]) or 6} places"  # a whole second has none
    return type(value).__name__ if PASSING.search(name) else value
