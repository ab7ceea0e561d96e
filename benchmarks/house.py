"""Facts about the source itself: how large folders, files and functions are, and what stands in the way of a reader.

    python -m benchmarks.house [--list FACT]

Prints one JSON object; `--list` prints what stands behind one of its facts. Counted are the applications' Python files
in the current folder that are under version control, without numbered migrations, tests and benchmarks; empty files
are counted nowhere.

Definitions, so that one day can be compared with another:

- a private function with one caller is one whose name begins with one underscore and is mentioned once in the
  product outside its own body: called, passed on or named in a table. Those that a decorator hands on are left out;
- a circle is a set of modules of which each needs, through the others, itself: imports inside functions count, those
  for types alone do not, and a name imported from a package is looked for in the module that it comes from;
- a file of one definition has exactly one function or class at its top level.
"""

import argparse
import ast
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import median, quantiles

APPLICATIONS = (
    "accounts",
    "api",
    "challenges",
    "config",
    "demo",
    "events",
    "foundation",
    "leaderboards",
    "matchmaking",
    "moderation",
    "notifications",
    "people",
    "ratings",
    "rooms",
    "talk",
)
MOST_COLUMNS = 120
SMALL = 40  # lines
_HANDED_ON = frozenset(
    {"action", "connect", "display", "filter", "receiver", "register", "shared_task", "simple_tag"}
)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """One Python file."""

    path: str
    text: str
    tree: ast.Module = field(repr=False)

    @property
    def module(self) -> str:
        """Its dotted name; of a package's `__init__` the package's."""
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def lines(self) -> int:
        """Blank ones included."""
        return self.text.count("\n")

    @property
    def is_package(self) -> bool:
        """Whether it is the `__init__` of one."""
        return self.path.endswith("__init__.py")


@dataclass(frozen=True)
class Function:
    """A function or method, and the class around it."""

    source: Source
    node: _Function
    owner: str
    is_inner: bool

    @property
    def lines(self) -> int:
        """From `def` to the last one."""
        return (self.node.end_lineno or self.node.lineno) - self.node.lineno + 1

    @property
    def is_private(self) -> bool:
        """Whether its name says so."""
        return self.node.name.startswith("_") and not self.node.name.startswith("__")

    @property
    def where(self) -> str:
        """For a reader: file, line, name."""
        name = f"{self.owner}.{self.node.name}" if self.owner else self.node.name
        return f"{self.source.path}:{self.node.lineno} {name}"


class House:
    """The whole source."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.sources = [
            Source(path, text, ast.parse(text))
            for path in self._tracked("*.py")
            if path.split("/")[0] in APPLICATIONS and "/migrations/0" not in path
            for text in [(root / path).read_text(encoding="utf-8")]
            if text.strip()
        ]
        self._by_module = {source.module: source for source in self.sources}

    def facts(self) -> Mapping[str, object]:
        """Everything that is counted."""
        folders = self.folders()
        sizes = [source.lines for source in self.sources]
        lengths = [function.lines for function in self.functions]
        template_lines = list(self._template_lines())
        return {
            "files": len(self.sources),
            "lines": sum(sizes),
            "files in a folder, most": max(folders.values()),
            "folders over 20 files": sum(count > 20 for count in folders.values()),
            "lines of a file, median": median(sizes),
            "lines of a file, nine tenths below": round(quantiles(sizes, n=10)[8]),
            "functions": len(lengths),
            "lines of a function, median": median(lengths),
            "lines of a function, nine tenths below": round(quantiles(lengths, n=10)[8]),
            "private functions with one caller": len(self.with_one_caller()),
            "their share of all functions, per cent": _per_cent(
                len(self.with_one_caller()), len(lengths)
            ),
            "circles of imports": len(self.circles()),
            "files of one definition": len(self.of_one_definition()),
            f"files under {SMALL} lines with one importer": len(self.small_with_one_importer()),
            "template lines": len(template_lines),
            f"template lines over {MOST_COLUMNS} columns, per cent": _per_cent(
                len(self.long_template_lines()), len(template_lines)
            ),
            "templates in a folder, most": max(self._count_by_folder("templates").values()),
            "test modules in a folder, most": max(self._count_by_folder("tests/*.py").values()),
        }

    def folders(self) -> Counter[str]:
        """Files by folder."""
        return Counter(str(Path(source.path).parent) for source in self.sources)

    @cached_property
    def functions(self) -> list[Function]:
        """All of them, methods and inner ones too."""
        return [one for source in self.sources for one in _functions_in(source, source.tree)]

    def with_one_caller(self) -> list[str]:
        """Private functions that are mentioned once."""
        files_with = defaultdict[str, set[str]](set)
        for source in self.sources:
            for word in set(re.findall(r"\b_[a-zA-Z]\w*", source.text)):
                files_with[word].add(source.module)
        found = []
        for one in self.functions:
            if not one.is_private or _is_handed_on(one.node):
                continue
            name = one.node.name
            mentions = _mentions(one.source.tree, name, without=one.node)
            for module in files_with[name] - {one.source.module}:
                mentions += self._mentions_elsewhere(self._by_module[module], one)
            if mentions == 1:
                found.append(one.where)
        return found

    def _mentions_elsewhere(self, other: Source, function: Function) -> int:
        """A method that has the same name in another file is another one; a function has to be imported."""
        name = function.node.name
        if function.owner:
            is_own = any(isinstance(n, _Function) and n.name == name for n in ast.walk(other.tree))
            return 0 if is_own else _mentions(other.tree, name)
        return sum(
            alias.name == name
            for node in ast.walk(other.tree)
            if isinstance(node, ast.ImportFrom)
            and self._base_of(other, node) == function.source.module
            for alias in node.names
        )

    def circles(self) -> list[str]:
        """Sets of modules that need each other."""
        needed = {
            source.module: {module for module, _ in self._imports(source)} - {source.module}
            for source in self.sources
        }
        return [" ".join(sorted(one)) for one in _strongly_connected(needed) if len(one) > 1]

    def of_one_definition(self) -> list[str]:
        """Files with one function or class."""
        return [
            source.path
            for source in self.sources
            if sum(isinstance(n, _Function | ast.ClassDef) for n in source.tree.body) == 1
        ]

    def small_with_one_importer(self) -> list[str]:
        """Files that could stand in the only one that needs them."""
        importers = defaultdict[str, set[str]](set)
        for source in self.sources:
            for module, is_re_export in self._imports(source):
                if not is_re_export:
                    importers[module].add(source.module)
        return [
            f"{source.path} <- {next(iter(importers[source.module]))}"
            for source in self.sources
            if source.lines < SMALL
            and not source.is_package
            and len(importers[source.module] - {source.module}) == 1
        ]

    def long_template_lines(self) -> list[str]:
        """Where templates are too wide to be read."""
        return [where for where, line in self._template_lines() if len(line) > MOST_COLUMNS]

    def _template_lines(self) -> Iterator[tuple[str, str]]:
        for path in self._tracked("templates"):
            lines = (self._root / path).read_text(encoding="utf-8").splitlines()
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield f"{path}:{number}", line

    def _imports(self, source: Source) -> Iterator[tuple[str, bool]]:
        """Modules of the product that this one needs, each with whether it only passes a name of it on."""
        for node in _imports_in(source.tree):
            if isinstance(node, ast.Import):
                yield from ((a.name, False) for a in node.names if a.name in self._by_module)
                continue
            base = self._base_of(source, node)
            for alias in node.names:
                module = f"{base}.{alias.name}"
                if module not in self._by_module:
                    module = self._home_of(base, alias.name)
                if module in self._by_module:
                    yield module, source.is_package

    def _home_of(self, module: str, name: str) -> str:
        """Where a name comes from that a package passes on."""
        while (source := self._by_module.get(module)) is not None and source.is_package:
            further = next(
                (
                    self._base_of(source, node)
                    for node in source.tree.body
                    if isinstance(node, ast.ImportFrom)
                    if any((alias.asname or alias.name) == name for alias in node.names)
                ),
                None,
            )
            if further is None or further == module:
                break
            module = further
        return module

    def _base_of(self, source: Source, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = source.module.split(".")
        parts = parts[: len(parts) - node.level + source.is_package]
        return ".".join([*parts, node.module] if node.module else parts)

    def _count_by_folder(self, pattern: str) -> Counter[str]:
        paths = [Path(path) for path in self._tracked(pattern)]
        return Counter(str(p.parent) for p in paths if p.name not in ("__init__.py", "README.md"))

    def _tracked(self, pattern: str) -> list[str]:
        command = ["git", "ls-files", "-z", pattern]
        found = subprocess.run(command, cwd=self._root, check=True, capture_output=True, text=True)
        return sorted(path for path in found.stdout.split("\0") if path)


def _functions_in(
    source: Source, node: ast.AST, owner: str = "", *, inner: bool = False
) -> Iterator[Function]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _functions_in(source, child, child.name, inner=inner)
        elif isinstance(child, _Function):
            yield Function(source, child, "" if inner else owner, inner)
            yield from _functions_in(source, child, owner, inner=True)
        else:
            yield from _functions_in(source, child, owner, inner=inner)


def _is_handed_on(function: _Function) -> bool:
    names = (ast.unparse(one).split("(")[0].rpartition(".")[2] for one in function.decorator_list)
    return not _HANDED_ON.isdisjoint(names)


def _mentions(tree: ast.AST, name: str, without: ast.AST | None = None) -> int:
    """How often a name is used, as such, as an attribute or in quotes; not inside `without`."""
    count = 0
    for child in ast.iter_child_nodes(tree):
        if child is without:
            continue
        count += (
            (isinstance(child, ast.Name) and child.id == name and isinstance(child.ctx, ast.Load))
            or (isinstance(child, ast.Attribute) and child.attr == name)
            or (isinstance(child, ast.Constant) and child.value == name)
        )
        count += _mentions(child, name, without)
    return count


def _imports_in(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """All but those that only the type checker sees."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            yield from _imports_in(ast.Module(child.orelse, []))
        else:
            yield from _imports_in(child)


def _strongly_connected(needed: Mapping[str, Collection[str]]) -> list[list[str]]:
    """Tarjan, Depth-first search and linear graph algorithms, 1972."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_ones: list[str] = []
    found: list[list[str]] = []

    def visit(one: str) -> None:
        number[one] = lowest[one] = len(number)
        open_ones.append(one)
        for other in needed[one]:
            if other not in number:
                visit(other)
            if other in open_ones:
                lowest[one] = min(lowest[one], lowest[other])
        if lowest[one] == number[one]:
            at = open_ones.index(one)
            found.append(open_ones[at:])
            del open_ones[at:]

    sys.setrecursionlimit(10_000)
    for one in needed:
        if one not in number:
            visit(one)
    return found


def _per_cent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1)


def _folder_lines(folders: Counter[str]) -> Iterable[str]:
    return (f"{count} {folder}" for folder, count in folders.most_common())


def main() -> None:
    """Print the facts, or one of them in detail."""
    house = House(Path.cwd())
    lists = {
        "folders": lambda: _folder_lines(house.folders()),
        "one-caller": house.with_one_caller,
        "circles": house.circles,
        "one-definition": house.of_one_definition,
        "small": house.small_with_one_importer,
        "templates": house.long_template_lines,
    }
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--list", choices=lists, help="print what stands behind a fact")
    given = parser.parse_args()
    if given.list:
        sys.stdout.writelines(f"{line}\n" for line in lists[given.list]())
    else:
        sys.stdout.write(json.dumps(house.facts(), indent=2) + "\n")


if __name__ == "__main__":
    main()
