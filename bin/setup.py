"""Makes .venv and keeps it in step with the requirements files, then runs one command in it.

Runs on a bare Python 3.11 or newer, before anything is installed: standard library only.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
REQUIREMENTS = {
    "run": ["requirements.txt"],
    "upgrade": ["requirements.txt"],
    "bench": ["requirements.txt"],
    "test": ["requirements.txt", "requirements-dev.txt"],
}
STARTS = {
    "run": [str(ROOT / "config" / "launcher" / "__main__.py")],
    "upgrade": [str(ROOT / "config" / "upgrade" / "__main__.py")],
    "bench": [str(ROOT / "benchmarks" / "__main__.py")],
    "test": ["-m", "pytest"],
}


def main(command: str, arguments: list[str]) -> None:
    """Install what the command needs, then become it."""
    try:
        install(REQUIREMENTS[command])
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        sys.exit(f"Cannot make {VENV}: {error.strerror} ({error.filename}).")
    if command == "test":
        os.chdir(ROOT)
        # The tests start hundreds of processes: compile every module once, not in each.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        chosen = any(word.startswith(("-n", "--numprocesses", "--pdb")) for word in arguments)
        # Two more than the cores of a small machine: some tests mostly wait for processes that they started.
        arguments = arguments if chosen else ["-n", "4", "--dist", "loadfile", *arguments]
    os.execv(PYTHON, [str(PYTHON), *STARTS[command], *arguments])  # noqa: S606 - a shell is what it avoids


def install(files: list[str]) -> None:
    """Install these requirements files where their stamps in .venv tell another digest."""
    handle = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)  # two first starts at once: the second finds it done
        if not works():
            make_venv()
        for name in files:
            if stamp(name) != digest(name):
                install_file(name)
    finally:
        os.close(handle)


def works() -> bool:
    """Whether .venv has a Python that runs and is new enough."""
    test = "import sys; sys.exit(sys.version_info < (3, 11))"
    try:
        return (
            subprocess.run([PYTHON, "-c", test], capture_output=True, check=False).returncode == 0
        )
    except OSError:
        return False


def make_venv() -> None:
    """Make .venv anew, with uv if it is here."""
    if VENV.is_symlink():
        sys.exit(f"{VENV} is a link to an environment that does not work. Remove it and try again.")
    if uv := shutil.which("uv"):
        command = [uv, "venv", "--quiet", "--clear", "--no-project", "--python", sys.executable]
        step("Making .venv", [*command, str(VENV)])
        return
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        sys.exit(
            "This Python cannot make virtual environments: python3-venv is missing. "
            f"Install it (apt install python{version}-venv), or install uv."
        )
    step("Making .venv", [sys.executable, "-m", "venv", "--clear", str(VENV)])


def install_file(name: str) -> None:
    """Install one requirements file, every package checked against its hash, and stamp it."""
    if uv := shutil.which("uv"):
        command = [uv, "pip", "install", "--quiet", "--python", str(PYTHON)]
    else:
        command = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    what = "Installing developer tools" if "dev" in name else "Installing"
    step(what, [*command, "--require-hashes", "-r", str(ROOT / name)])
    stamp_file(name).write_text(digest(name))


def step(what: str, command: list[str]) -> None:
    """Run one step behind one line of progress; its own words are shown only when it fails."""
    began = time.monotonic()
    print(f"{what + '…':<28}", end="", file=sys.stderr, flush=True)
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, env=environ, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if done.returncode != 0:
        words = (done.stderr + done.stdout).decode(errors="replace").strip()
        lines = "\n".join(f"  {line}" for line in words.splitlines()[-8:])
        sys.exit(f"failed\n{what} failed ({Path(command[0]).name}):\n{lines}")
    print(f"done ({time.monotonic() - began:.0f} s)", file=sys.stderr)


def digest(name: str) -> str:
    """SHA-256 of a requirements file."""
    return hashlib.sha256((ROOT / name).read_bytes()).hexdigest()


def stamp(name: str) -> str:
    """Digest of the file as it was when installed; empty when it never was."""
    try:
        return stamp_file(name).read_text()
    except OSError:
        return ""


def stamp_file(name: str) -> Path:
    """Where the digest is kept."""
    return VENV / f"{name}.installed"


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
