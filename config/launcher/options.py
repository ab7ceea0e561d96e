"""What `bin/run` may be told, and the environment that follows from it."""

import argparse
import errno
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from config.embedded.paths import PROJECT, StartError, data_dir, run_dir
from config.embedded.processes import wait_until
from config.launcher.orphans import MARK
from config.release import VERSION


@dataclass(frozen=True)
class Options:
    """The choices of one start."""

    data: Path
    port: int
    bind: str
    workers: bool
    demo: bool = False

    @property
    def local_url(self) -> str:
        """Where this process itself reaches the site."""
        host = "127.0.0.1" if self.bind in {"", "0.0.0.0"} else self.bind  # noqa: S104 - compared
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    def environment(self, environ: Mapping[str, str]) -> dict[str, str]:
        """The environment of everything started; what the operator set stays."""
        return {
            "DJANGO_SETTINGS_MODULE": "config.settings.production",
            "EVENMATCH_PUBLIC_URL": f"http://localhost:{self.port}",
            "PYTHONUNBUFFERED": "1",
            **environ,
            "PROMETHEUS_MULTIPROC_DIR": str(run_dir(self.data) / "metrics"),
            "EVENMATCH_DATA_DIR": str(self.data),
            "EVENMATCH_PORT": str(self.port),
            "EVENMATCH_BIND": self.bind,
            MARK: str(self.data.resolve()),
            # Simulated matches take the place of nobody's backups.
            **({"EVENMATCH_DEMO": "1", "EVENMATCH_BACKUP_DIR": ""} if self.demo else {}),
        }


def read_options(arguments: list[str], environ: Mapping[str, str]) -> Options:
    """Options from the command line, else from the environment, else the defaults."""
    parser = argparse.ArgumentParser(prog="bin/run", description="Install and run Evenmatch.")
    parser.add_argument(
        "--port", type=_port, default=environ.get("EVENMATCH_PORT") or "8000", help="default: 8000"
    )
    parser.add_argument(
        "--data-dir", type=Path, help="where everything is kept; default: var/ in this folder"
    )
    parser.add_argument(
        "--demo",
        action="store_true",
        help="a league of simulated players, in a folder of its own; default: var/demo/",
    )
    parser.add_argument(
        "--no-workers", action="store_true", help="the web site only: no workers, no timer"
    )
    parser.add_argument("--version", action="version", version=f"Evenmatch {VERSION}")
    given = parser.parse_args(arguments)
    # simulated players never get into the folder that the environment names for real ones
    usual = PROJECT / "var" / "demo" if given.demo else data_dir(environ)
    data = given.data_dir.expanduser().absolute() if given.data_dir else usual
    bind = environ.get("EVENMATCH_BIND") or "127.0.0.1"
    return Options(
        data=data, port=given.port, bind=bind, workers=not given.no_workers, demo=given.demo
    )


def _port(text: str) -> int:
    if text.isdecimal() and 1 <= int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(
        f"{text!r} is not a port: give a number from 1 to 65535, by --port or EVENMATCH_PORT"
    )


def refuse_taken_port(options: Options, *, patience: float = 0.0) -> None:
    """Raise a StartError when the port cannot be listened on, nor becomes free within so many seconds."""
    wait_until(lambda: _why_not_to_listen(options) != errno.EADDRINUSE, seconds=patience)
    if why := _why_not_to_listen(options):
        raise StartError(
            f"Port {options.port} of {options.bind} cannot be used: "
            f"{os.strerror(why)}. Choose another with --port."
        )


def _why_not_to_listen(options: Options) -> int:
    """The number of the system's error; 0 where it can be listened on."""
    family = socket.AF_INET6 if ":" in options.bind else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((options.bind, options.port))
            probe.listen(1)
        except (
            socket.gaierror
        ):  # a name that nothing here has; its numbers are not those of the system
            return errno.EADDRNOTAVAIL
        except OSError as error:
            return error.errno or errno.EINVAL
    return 0
