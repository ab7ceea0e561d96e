"""Message catalogues read in plain Python: machines without gettext's programs check them too."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from django.utils.translation.template import templatize

from config.embedded.paths import PROJECT

CONTEXT_END = "\x04"  # between context and message in a compiled catalogue
FUNCTIONS = {
    "_": 0,
    "gettext": 0,
    "gettext_lazy": 0,
    "gettext_noop": 0,
    "ngettext": 0,
    "ngettext_lazy": 0,
    "pgettext": 1,
    "pgettext_lazy": 1,
    "npgettext": 1,
    "npgettext_lazy": 1,
}  # name to the place of the message among the arguments; with 1, the context comes first
LITERAL = r"""u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
TEMPLATE_CALL = re.compile(
    rf"(?<![\w.])(n?p?gettext|_)\(\s*({LITERAL})(?:\s*,\s*({LITERAL}))?", re.DOTALL
)


@dataclass
class Entry:
    """One message of a .po file."""

    flags: set[str] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)  # msgctxt, msgid, msgid_plural, msgstr[0] …

    @property
    def key(self) -> str:
        """The message with its context, as a compiled catalogue has it."""
        context = self.texts.get("msgctxt")
        message = self.texts.get("msgid", "")
        return message if context is None else f"{context}{CONTEXT_END}{message}"

    @property
    def translations(self) -> list[str]:
        """Its translations: one, or one for each plural form."""
        return [text for name, text in self.texts.items() if name.startswith("msgstr")]


@cache
def read_po(path: Path) -> list[Entry]:
    """Every message of a catalogue, its header (whose message is empty) left out."""
    entries, entry, name = [], Entry(), ""
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        if not line.strip():
            entries.append(entry)
            entry = Entry()
        elif line.startswith("#,"):
            entry.flags |= {flag.strip() for flag in line[2:].split(",")}
        elif line.startswith("#"):
            continue
        else:
            word, _, rest = line.partition('"')
            name = word.strip() or name
            entry.texts[name] = entry.texts.get(name, "") + ast.literal_eval(f'"{rest}')
    return [entry for entry in entries if entry.texts.get("msgid")]


@cache
def messages_in_sources() -> dict[str, str]:
    """Every message of the project's code and templates, with the file it is in."""
    found: dict[str, str] = {}
    for folder in (path for path in PROJECT.iterdir() if is_source_folder(path)):
        for path in sorted(folder.rglob("*.py")):
            found |= dict.fromkeys(_in_python(path.read_text("utf-8")), str(path))
        for path in sorted((*folder.rglob("*.html"), *folder.rglob("*.txt"))):
            found |= dict.fromkeys(_in_template(path.read_text("utf-8")), str(path))
    return found


def is_source_folder(path: Path) -> bool:
    """Whether a folder of the project holds what is shown to users."""
    return path.is_dir() and ((path / "apps.py").exists() or path.name in {"templates", "config"})


def _in_python(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        place = FUNCTIONS.get(name)
        if place is None:
            continue
        words = [word.value for word in node.args if isinstance(word, ast.Constant)]
        strings = [word for word in words[: place + 1] if isinstance(word, str)]
        if len(strings) == place + 1:
            yield CONTEXT_END.join(strings)


def _in_template(text: str) -> Iterator[str]:
    for name, first, second in TEMPLATE_CALL.findall(templatize(text)):
        words = [ast.literal_eval(word) for word in (first, second) if word]
        yield CONTEXT_END.join(words[: FUNCTIONS[name] + 1])
