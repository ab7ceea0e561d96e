"""Where the tools of TypeScript are; a machine without them leaves its test out, unless they are required."""

import shutil
from pathlib import Path

__all__ = ["FOLDER", "find_typescript"]

FOLDER = Path(__file__).parent / "typescript"


def find_typescript() -> Path | None:
    """The folder of the packages that `npm ci` has installed, where there is node as well."""
    packages = FOLDER / "node_modules"
    return packages if shutil.which("node") and (packages / ".bin" / "tsc").exists() else None
