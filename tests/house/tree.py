"""The files that make up the project, without what tools and installations leave beside them."""

import os
from collections.abc import Iterator
from pathlib import Path

from config.embedded.paths import PROJECT

TEXT = {".cfg", ".css", ".csv", ".html", ".in", ".ini", ".js", ".json", ".md", ".mjs", ".po"}
TEXT |= {".py", ".sh", ".svg", ".toml", ".txt", ".xml", ".yaml", ".yml"}


def text_files() -> Iterator[Path]:
    """Every text file; folders that are hidden (.ci apart), ignored or data are left out."""
    for folder, folders, names in os.walk(PROJECT):
        folders[:] = [name for name in folders if _is_ours(name)]
        for name in sorted(names):
            path = Path(folder) / name
            if path.suffix in TEXT or path.parent.name in {"bin", ".ci"}:
                yield path


def _is_ours(folder: str) -> bool:
    hidden = folder.startswith(".") and folder != ".ci"
    return not hidden and folder not in {"__pycache__", "var", "static-collected", "node_modules"}
