"""`bin/bench`: runs benchmarks on servers of their own and prints one JSON object a line.

A benchmark is a module in here with `NAME`, a docstring and `run() -> Iterator[Figure]`; one that says
`NEEDS_SERVERS = False` is measured without them.
With DATABASE_URL and REDIS_URL set it measures those servers instead, and may fill them.
"""

import argparse
import ast
import json
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import FrameType

HERE = Path(__file__).resolve().parent
sys.path[0] = str(HERE.parent)


def main(arguments: list[str]) -> int:
    """List the benchmarks, or run those named (all without a name)."""
    known = benchmarks()
    parser = argparse.ArgumentParser(prog="bin/bench", description="Measure Evenmatch.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="one of --list; default: all")
    parser.add_argument("--list", action="store_true", help="list the benchmarks and stop")
    given = parser.parse_args(arguments)
    chosen = [name for name in known if _is_named(name, given.names)]
    unknown = sorted(set(given.names) - set(known))
    if unknown:
        parser.error(f"no benchmark {unknown[0]!r}; there are: {', '.join(known) or 'none'}")
    if given.list:
        for name, benchmark in known.items():
            print(f"{name:<20}{benchmark.purpose}")
        return 0
    signal.signal(signal.SIGTERM, _terminate)
    return measure([known[name] for name in chosen])


def _is_named(name: str, names: list[str]) -> bool:
    """Whether a benchmark is asked for: by its name, or by that of the whole which it is a part of."""
    return not names or any(name == one or name.startswith(f"{one}-") for one in names)


@dataclass(frozen=True)
class Benchmark:
    """A module, what it measures in a line, and whether it needs PostgreSQL and Valkey."""

    module: str
    purpose: str
    needs_servers: bool

    def run(self) -> None:
        """Print its figures."""
        for figure in import_module(self.module).run():
            print(json.dumps(figure.as_record()), flush=True)


def benchmarks() -> dict[str, Benchmark]:
    """The benchmarks by name, read without importing them: imports want servers."""
    found = {}
    for path in sorted(HERE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        constants = dict(_constants(tree))
        if name := constants.get("NAME"):
            purpose = (ast.get_docstring(tree) or "").partition("\n")[0]
            needs = constants.get("NEEDS_SERVERS", True) is not False
            module = ".".join(path.relative_to(HERE.parent).with_suffix("").parts)
            found[str(name)] = Benchmark(module, purpose, needs)
    return found


def _constants(tree: ast.Module) -> Iterator[tuple[str, object]]:
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value))
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=value))
            ):
                yield name, value


def measure(chosen: list[Benchmark]) -> int:
    """Run those without servers, then the others on one pair of them; 1 with one line when they do not start."""
    from config.embedded.paths import StartError

    try:
        for benchmark in chosen:
            if not benchmark.needs_servers:
                benchmark.run()
        if on_servers := [benchmark for benchmark in chosen if benchmark.needs_servers]:
            with servers() as words:
                use(words)
                for benchmark in on_servers:
                    benchmark.run()
    except StartError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def use(words: Mapping[str, str]) -> None:
    """Let Django use these servers, with production's settings."""
    os.environ.update({name: os.environ.get(name) or words[name] for name in words})
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")
    os.environ.setdefault("EVENMATCH_LOG_LEVEL", "WARNING")
    _make_tables()


def servers() -> AbstractContextManager[dict[str, str]]:
    from tests.throwaway import throwaway

    given = os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")
    return nullcontext({}) if given else throwaway("benchmarks")


def _make_tables() -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", interactive=False, verbosity=0)


def _terminate(_kind: int, _frame: FrameType | None) -> None:
    sys.exit(128 + signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
