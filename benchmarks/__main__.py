"""`bin/bench`: runs benchmarks on servers of their own and prints one JSON object a line.

A benchmark is a module of this folder with `NAME`, a docstring and `run() -> Iterator[Figure]`.
With DATABASE_URL and REDIS_URL set it measures those servers instead, and may fill them.
"""

import argparse
import ast
import json
import os
import signal
import sys
from contextlib import AbstractContextManager, nullcontext
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
    unknown = sorted(set(given.names) - set(known))
    if unknown:
        parser.error(f"no benchmark {unknown[0]!r}; there are: {', '.join(known) or 'none'}")
    if given.list:
        for name, (_, purpose) in known.items():
            print(f"{name:<20}{purpose}")
        return 0
    signal.signal(signal.SIGTERM, _terminate)
    return measure([known[name][0] for name in given.names or known])


def benchmarks() -> dict[str, tuple[str, str]]:
    """Name to (module, first line of its docstring), read without importing: imports want servers."""
    found = {}
    for path in sorted(HERE.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            match node:
                case (
                    ast.Assign(targets=[ast.Name(id="NAME")], value=ast.Constant(value=str(name)))
                    | ast.AnnAssign(target=ast.Name(id="NAME"), value=ast.Constant(value=str(name)))
                ):
                    purpose = (ast.get_docstring(tree) or "").partition("\n")[0]
                    found[name] = (f"benchmarks.{path.stem}", purpose)
    return found


def measure(modules: list[str]) -> int:
    """Run these modules on one pair of servers; 1 with one line when the servers do not start."""
    from config.embedded import StartError

    try:
        with _servers() as words:
            os.environ.update({name: os.environ.get(name) or words[name] for name in words})
            os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")
            os.environ.setdefault("EVENMATCH_LOG_LEVEL", "WARNING")
            _make_tables()
            for module in modules:
                for figure in import_module(module).run():
                    print(json.dumps(figure.as_record()), flush=True)
    except StartError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _servers() -> AbstractContextManager[dict[str, str]]:
    from config.embedded.throwaway import throwaway

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
