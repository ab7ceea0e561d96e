"""What an answer may betray: every way in which it tells players apart, whatever its form is.

Nothing is known of any page here. An answer is read as a tree, of JSON, of elements or of lines. Its smallest parts
that name two players of the pool compare them: by the numbers and words on either side, by a pair of numbers between
them, by who stands first. Parts that name one player give figures; rows give places.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

from tests.hidden.inference.strengths import Comparison

__all__ = ["Clues", "read"]

_OWN_PAGE = re.compile(r"/players/(\d+)/")
_NAME = re.compile(rf"{_OWN_PAGE.pattern}|\b[\w-]+\b")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WORD = re.compile(r"[^\W\d_]+")
_VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
_TELLING = ("class", "title", "aria-label", "href", "value", "datetime")
# Rows of a long table are many; more than so many people in one part are a list, not a match.
_LEAST_OF_A_LIST = 3


@dataclass(slots=True)
class Node:
    """A part of an answer: `text` of a leaf, else children. `people`: numbers of the players named in it."""

    key: str
    children: list["Node"] = field(default_factory=list)
    text: str = ""
    people: frozenset[int] = frozenset()


@dataclass(slots=True)
class Clues:
    """Everything that was read, each kind by where it stood."""

    comparisons: dict[str, list[Comparison]] = field(default_factory=lambda: defaultdict(list))
    figures: dict[str, list[tuple[int, float]]] = field(default_factory=lambda: defaultdict(list))
    meetings: dict[str, list[Comparison]] = field(default_factory=lambda: defaultdict(list))


def read(surface: str, address: str, text: str, names: Mapping[str, int], clues: Clues) -> None:
    """Add what one answer tells to the clues. `names`: numbers of players, by name, by id in the game, and by
    `/players/<id>/`.
    """
    head, _, body = text.partition("\n\n")
    tree = _tree(head, body)
    _find_people(tree, names)
    page_of = _OWN_PAGE.search(address)
    owner = names.get(page_of.group(0)) if page_of else None
    for node in _walk(tree):
        _clues_of(node, surface, clues)
        if owner is not None:
            _compare_with_owner(node, owner, surface, clues)


def _tree(head: str, body: str) -> Node:
    kind = next((line for line in head.split("\n") if line.startswith("Content-Type:")), "")
    if "json" in kind:
        return _of_json("", json.loads(body))
    if "html" in kind:
        reader = _Elements()
        reader.feed(body)
        return reader.root
    lines = (line.split(",") for line in body.split("\n"))
    told = [Node("line", [Node("", text=cell) for cell in cells]) for cells in lines]
    return Node("", [Node("headers", text=head), *told])


def _of_json(key: str, value: Any) -> Node:
    if isinstance(value, dict):
        return Node(key, [_of_json(name, part) for name, part in value.items()])
    if isinstance(value, list):
        return Node(key, [_of_json("", part) for part in value])
    text = f"/players/{value}/" if key == "player" and isinstance(value, int) else str(value)
    return Node(key, text=text)


class _Elements(HTMLParser):
    """Makes a tree of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Node("")
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Go down; what attributes say are leaves."""
        told = [Node(name, text=value) for name, value in attrs if name in _TELLING and value]
        node = Node(tag, told)
        self._open[-1].children.append(node)
        if tag not in _VOID:
            self._open.append(node)

    def handle_endtag(self, tag: str) -> None:
        """Go up to where it was opened."""
        for depth in range(len(self._open) - 1, 0, -1):
            if self._open[depth].key == tag:
                del self._open[depth:]
                return

    def handle_data(self, data: str) -> None:
        """Keep what is written."""
        if data.strip():
            self._open[-1].children.append(Node("", text=data))


def _find_people(node: Node, names: Mapping[str, int]) -> None:
    """Put `people` everywhere; a text that names several is cut into one part for each."""
    if node.text:
        hits = [(hit.start(), names.get(hit.group(0))) for hit in _NAME.finditer(node.text)]
        found = [(at, person) for at, person in hits if person is not None]
        node.people = frozenset(person for _, person in found)
        if len(node.people) > 1:
            starts = [0, *(at for at, _ in found[1:]), len(node.text)]
            node.children = [
                Node(node.key, text=node.text[start:end], people=frozenset([person]))
                for (start, end), (_, person) in zip(pairwise(starts), found, strict=True)
            ]
        return
    for child in node.children:
        _find_people(child, names)
    node.people = frozenset().union(*(child.people for child in node.children))


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _walk(child)


def _clues_of(node: Node, surface: str, clues: Clues) -> None:
    """Of a part that names several, none of whose own parts does."""
    if len(node.people) < 2:
        return
    rows = [child for child in node.children if len(child.people) == 1]
    for row in rows:
        (person,) = row.people
        for path, number in _numbers(row):
            clues.figures[f"{surface} {node.key}/{path}"].append((person, number))
    if len(rows) >= _LEAST_OF_A_LIST:
        for place, row in enumerate(rows):
            (person,) = row.people
            clues.figures[f"{surface} place in {node.key}"].append((person, place / len(rows)))
    if len(node.people) == 2 and all(len(child.people) < 2 for child in node.children):
        _compare(node, rows, surface, clues)


def _compare(node: Node, rows: list[Node], surface: str, clues: Clues) -> None:
    """What sets the two people of a part apart."""
    first = next(iter(rows[0].people))
    (second,) = node.people - {first}
    where = f"{surface} {node.key}"
    clues.meetings[where].append((first, second))
    clues.comparisons[f"{where} order"].append((first, second))
    told = {one: [row for row in rows if one in row.people] for one in (first, second)}
    numbers = {one: dict(pair for row in told[one] for pair in _numbers(row)) for one in told}
    for path in numbers[first].keys() & numbers[second].keys():
        if numbers[first][path] != numbers[second][path]:
            larger = numbers[first][path] > numbers[second][path]
            pair = (first, second) if larger else (second, first)
            clues.comparisons[f"{where} {path}"].append(pair)
    words = {one: {word for row in told[one] for word in _words(row)} for one in told}
    for one, other in ((first, second), (second, first)):
        for word in words[one] - words[other]:
            clues.comparisons[f"{where} “{word}”"].append((one, other))
    for child in node.children:
        between = [number for _, number in _numbers(child)] if not child.people else []
        if len(between) == 2 and between[0] != between[1]:
            pair = (first, second) if between[0] > between[1] else (second, first)
            clues.comparisons[f"{where} {child.key} between"].append(pair)


def _compare_with_owner(node: Node, owner: int, surface: str, clues: Clues) -> None:
    """Parts of a player's own page that name one other: by the words in them."""
    for row in node.children:
        if len(row.people) == 1 and len(node.people - {owner}) > 1 and owner not in row.people:
            (other,) = row.people
            clues.meetings[f"{surface} {node.key}"].append((owner, other))
            for word in set(_words(row)):
                clues.comparisons[f"{surface} {node.key} “{word}”"].append((owner, other))


def _numbers(node: Node, path: str = "") -> Iterator[tuple[str, float]]:
    """Numbers below a node, each with where it stands."""
    for nth, text in enumerate(_NUMBER.findall(node.text) if not node.children else []):
        yield f"{path}{node.key}#{nth}", float(text[:30])
    for child in node.children:
        yield from _numbers(child, f"{path}{node.key}/")


def _words(node: Node) -> Iterator[str]:
    if not node.children:
        yield from _WORD.findall(node.text.lower())
    for child in node.children:
        yield from _words(child)
