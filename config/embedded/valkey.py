"""The private Valkey: started, watched and stopped. It keeps nothing on disk."""

import signal
from dataclasses import dataclass
from pathlib import Path

import redis

from config.embedded import paths, processes
from config.embedded.binaries import valkey_program
from config.embedded.paths import StartError


@dataclass(frozen=True)
class Valkey:
    """The Valkey of one data folder."""

    data: Path

    @property
    def log(self) -> Path:
        """Where the server writes."""
        return paths.log_dir(self.data) / "valkey.log"

    @property
    def _pid_file(self) -> Path:
        return paths.run_dir(self.data) / "valkey.pid"

    def pid(self) -> int | None:
        """The running server's process, or None: a number left by a crash does not count.

        Whoever answers on the socket is it, where the number is lost or nobody may see where it works.
        """
        pid = processes.noted(self._pid_file)
        ours = paths.valkey_dir(self.data).resolve()
        if pid and processes.alive(pid) and processes.working_folder(pid) == ours:
            return pid
        return processes.listener(paths.valkey_socket(self.data))

    def answers(self) -> bool:
        """Whether the server takes commands."""
        try:
            with redis.Redis.from_url(paths.redis_url(self.data), socket_timeout=5) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def start(self) -> None:
        """Start the server and wait until it answers."""
        folder, socket = paths.valkey_dir(self.data), paths.valkey_socket(self.data)
        paths.make_socket_dir(self.data)
        for each in (folder, self._pid_file.parent):
            each.mkdir(parents=True, exist_ok=True)
        options = {
            "port": "0",
            "unixsocket": str(socket),
            "unixsocketperm": "700",
            "dir": str(folder),
            "pidfile": str(self._pid_file),
            "save": "",
            "appendonly": "no",
            "loglevel": "warning",
            "always-show-logo": "no",
        }
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        pid = processes.spawn([str(valkey_program()), *words], log=self.log)
        try:
            self._pid_file.write_text(f"{pid}\n")
            if not processes.comes_up(pid, self.answers, seconds=60):
                raise StartError(
                    f"Valkey does not start; the end of {self.log}:"
                    + processes.last_lines(self.log)
                )
        except BaseException:
            processes.stop(pid, gently=signal.SIGTERM, seconds=5)
            raise

    def stop(self) -> None:
        """End the server."""
        if pid := self.pid():
            processes.stop(pid, gently=signal.SIGTERM, seconds=10)
        self._pid_file.unlink(missing_ok=True)
