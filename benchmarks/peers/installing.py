"""Installing the peers, once, into an environment of their own."""

import hashlib
import subprocess
import sys
from pathlib import Path

__all__ = ["peers_python"]

PROJECT = Path(__file__).resolve().parents[2]
REQUIREMENTS = Path(__file__).with_name("requirements.txt")
HOME = PROJECT / "var" / "peers"


def peers_python() -> Path:
    """Return the Python that has the peers; installs them where they are missing or have changed."""
    python, stamp = HOME / "bin" / "python", HOME / "requirements.installed"
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        print("Installing the rating libraries to compare with…", file=sys.stderr)
        _run(sys.executable, "-m", "venv", "--clear", str(HOME))
        pip = (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        _run(*pip, "--require-hashes", "-r", str(REQUIREMENTS))
        stamp.write_text(wanted)
    return python


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=sys.stderr)
