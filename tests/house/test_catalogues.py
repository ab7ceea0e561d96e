"""The message catalogues are complete, and the compiled ones say the same."""

import gettext
import re
from pathlib import Path

import pytest

from config.embedded.paths import PROJECT
from tests.house.messages import messages_in_sources, read_po

CATALOGUES = sorted(PROJECT.glob("locale/*/LC_MESSAGES/django.po"))


def test_there_is_a_german_catalogue() -> None:
    assert "de" in {path.parents[1].name for path in CATALOGUES}


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parents[1].name)
def test_every_message_is_translated(path: Path) -> None:
    entries = read_po(path)
    assert [entry.key for entry in entries if "fuzzy" in entry.flags] == []
    assert [entry.key for entry in entries if not all(entry.translations)] == []


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parents[1].name)
def test_no_message_of_the_sources_is_missing(path: Path) -> None:
    known = {entry.key for entry in read_po(path)}
    missing = {key: where for key, where in messages_in_sources().items() if key not in known}
    assert missing == {}


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parents[1].name)
def test_the_compiled_catalogue_says_the_same(path: Path) -> None:
    with path.with_suffix(".mo").open("rb") as stream:
        compiled = gettext.GNUTranslations(stream)
    differing = []
    for entry in read_po(path):
        context, _, message = entry.key.rpartition("\x04")
        plural = entry.texts.get("msgid_plural")
        if plural is not None:
            # the forms of one and of many things; a language may have more in between
            forms = [compiled.ngettext(message, plural, count) for count in (1, 1_000)]
            same = set(forms) <= set(entry.translations)
        elif context:
            same = compiled.pgettext(context, message) == entry.translations[0]
        else:
            same = compiled.gettext(message) == entry.translations[0]
        if not same:
            differing.append(entry.key)
    assert differing == [], "run manage.py compilemessages"


def test_english_writes_shares_without_a_space() -> None:
    """As pages do: "35%". German has "35 %", and may be quoted with it."""
    pages = [*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md")]
    found = {
        path.name: re.findall(r"(?<!“)\b\d+(?:\.\d+)?[ \u00a0\u202f]%", path.read_text("utf-8"))
        for path in pages
    }
    assert len(pages) > 20
    assert {name: shares for name, shares in found.items() if shares} == {}


def test_apostrophes_are_of_one_kind() -> None:
    """The straight one, as on every keyboard and in the docs. Django's own texts are as they are."""
    assert [
        (message, where)
        for message, where in messages_in_sources().items()
        if "’" in message and Path(where).name != "catalogue_texts.py"
    ] == []
    docs = [PROJECT / "README.md", *PROJECT.glob("docs/*.md"), *PROJECT.glob("docs/systems/*.md")]
    assert [path.name for path in docs if "’" in path.read_text(encoding="utf-8")] == []


def test_per_cent_is_written_as_the_language_writes_it() -> None:
    """English has no space before the sign, German has one."""
    spaced = re.compile(r"(\d|\)[sd])[ \u00a0\u202f]%(?!\()")
    assert [message for message in messages_in_sources() if spaced.search(message)] == []
    (german,) = (path for path in CATALOGUES if path.parents[1].name == "de")
    joined = re.compile(r"\d%%?(?![\w(])")
    entries = read_po(german)
    assert [
        entry.key for entry in entries for text in entry.translations if joined.search(text)
    ] == []


def test_messages_are_found_in_code_and_templates() -> None:
    """The finder works: without this, a catalogue could not miss anything."""
    found = messages_in_sources()
    assert "English" in found
    assert len([where for where in found.values() if where.endswith(".html")]) > 1
