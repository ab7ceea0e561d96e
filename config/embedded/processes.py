"""Servers as processes of their own: started, looked at, stopped, their logs read."""

import errno
import os
import shutil
import signal
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

LOG_BYTES = 20_000_000  # a log longer than this is set aside as .1
_ASKS_FOR = 5.0  # seconds


def spawn(command: list[str], *, log: Path) -> int:
    """Start a process in a session of its own, out of reach of Ctrl-C; returns its id."""
    set_aside(log)
    log.parent.mkdir(parents=True, exist_ok=True)
    append = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    return os.posix_spawnp(
        command[0],
        command,
        dict(os.environ),
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(log), append, 0o640),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
        setsid=True,
    )


def alive(pid: int | None) -> bool:
    """Whether the process still runs; collects it first if it was our child and has ended.

    One that has ended and that its parent has not collected runs no more.
    """
    if not pid:
        return False
    with suppress(ChildProcessError):  # someone else's child
        os.waitpid(pid, os.WNOHANG)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    try:
        facts = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:  # no /proc: nobody can tell
        return True
    return facts.rpartition(")")[2].split()[:1] != ["Z"]  # a zombie, see proc_pid_stat(5)


def working_folder(pid: int) -> Path | None:
    """The folder a process works in, which tells a server from a stranger with its old number."""
    try:
        return Path(f"/proc/{pid}/cwd").readlink()
    except OSError:
        return None


def command_line(pid: int) -> list[str]:
    """The words a process was started with; empty where there is none, or nobody may know.

    Everybody may read them, also where the folder of another user's process is hidden from root, as in containers.
    """
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
    except OSError:
        return []
    return [os.fsdecode(word) for word in words] if words != [b""] else []


def running() -> Iterator[int]:
    """The numbers of all processes there are. None where there is no /proc."""
    with suppress(OSError):
        yield from (int(entry.name) for entry in os.scandir("/proc") if entry.name.isdecimal())


def listener(address: Path) -> int | None:
    """The process that listens on a Unix socket: found by its answer, whoever it is; None where nobody does."""
    with socket.socket(socket.AF_UNIX) as asking:
        asking.settimeout(_ASKS_FOR)
        try:
            asking.connect(os.fspath(address))
            told = asking.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        except (OSError, AttributeError):  # nobody, or not Linux
            return None
    pid: int = struct.unpack("3i", told)[0]
    return pid or None


def noted(file: Path) -> int | None:
    """The number in the first line of a pid file; None where there is none."""
    try:
        return int(file.read_text(encoding="utf-8").partition("\n")[0])
    except (OSError, ValueError):
        return None


def wait_until(condition: Callable[[], bool], *, seconds: float, every: float = 0.05) -> bool:
    """Ask again and again until the condition holds; False when it never did."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(every)
    return True


def comes_up(pid: int, answers: Callable[[], bool], *, seconds: float) -> bool:
    """Wait until a server that was started answers; False when it ended or never did."""
    return wait_until(lambda: answers() or not alive(pid), seconds=seconds) and alive(pid)


def stop(pid: int, *, gently: signal.Signals, seconds: float) -> None:
    """Ask a process to end, and make it when it has not after so many seconds."""
    for kind, patience in ((gently, seconds), (signal.SIGQUIT, 5.0), (signal.SIGKILL, 5.0)):
        with suppress(ProcessLookupError):
            os.kill(pid, kind)
        if wait_until(lambda: not alive(pid), seconds=patience):
            return


def last_lines(log: Path, count: int = 5, *, after: int = 0) -> str:
    """The end of a log after so many bytes, indented, to show below an error line; empty when there is none."""
    try:
        written = log.read_bytes()
    except OSError:
        return ""
    if len(written) >= after:  # else it has been cut since
        written = written[after:]
    lines = written.decode(errors="replace").splitlines()
    return "".join(f"\n  {line}" for line in lines[-count:])


def cut_long_log(log: Path) -> None:
    """Copy a long log to .1 and empty it under its writer, who appends."""
    if log.exists() and log.stat().st_size > LOG_BYTES:
        kept = log.with_name(log.name + ".1")
        try:
            shutil.copyfile(log, kept)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            kept.unlink(
                missing_ok=True
            )  # a full disk needs the room more than anybody needs old lines
        os.truncate(log, 0)


def set_aside(log: Path) -> None:
    """Keep a long log as .1 and begin it anew (before its writer starts)."""
    if log.exists() and log.stat().st_size > LOG_BYTES:
        log.replace(log.with_name(log.name + ".1"))
