"""nginx in front of two groups, as deploy/proxies/nginx-groups.conf has it, and what it has answered."""

import json
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from config.embedded.paths import PROJECT
from config.embedded.processes import wait_until

__all__ = ["Answer", "Proxy"]

_EXAMPLE = PROJECT / "deploy" / "proxies" / "nginx-groups.conf"
_ADDRESSES = ("10.0.0.1:8000", "10.0.0.2:8000")  # of the example
_OF_TLS = re.compile(r"^ *(?:listen|http2|ssl_\w+|server_name) .*\n", re.MULTILINE)
_FRAME = """
pid {folder}/nginx.pid;
error_log {folder}/error.log;
worker_processes 2;
events {{ worker_connections 1024; }}
http {{
    log_format json escape=json '{{"at":$msec,"seconds":$request_time,"method":"$request_method","path":"$uri",'
        '"status":$status,"from":"$upstream_addr","said":"$upstream_status"}}';
    access_log {folder}/access.log json;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{site}
}}
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the proxy has answered: `at` in seconds of the clock when it was done, `group` that it came from at last.

    tries  how many groups were asked
    """

    at: float
    seconds: float
    method: str
    path: str
    status: int
    group: str
    tries: int


class Proxy:
    """Runs until stopped. `groups` are addresses by the name of the group."""

    def __init__(self, folder: Path, port: int, groups: Mapping[str, str]) -> None:
        program = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
        if program is None:
            raise RuntimeError("nginx is missing (on Debian: apt install nginx-light)")
        folder.mkdir(mode=0o711)
        self._folder, self._port, self._groups = folder, port, groups
        self._command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf")]
        self._write(resting="")
        self._process = subprocess.Popen([*self._command, "-g", "daemon off;"])
        self._workers: set[int] = set()
        if not wait_until(self._has_new_workers, seconds=60.0):
            raise RuntimeError((folder / "error.log").read_text("utf-8"))
        self._workers = self._children()

    def rest(self, group: str) -> None:
        """Send this group nothing from now on; all others again. Empty: all are there."""
        self._write(resting=group)
        self._workers = self._children()
        self._process.send_signal(signal.SIGHUP)
        if not wait_until(self._has_new_workers, seconds=60.0):
            raise RuntimeError("nginx does not take the new configuration")

    def answers(self) -> list[Answer]:
        """All that it has answered so far."""
        lines = (self._folder / "access.log").read_text("utf-8").splitlines()
        return [self._answer(json.loads(line)) for line in lines]

    def stop(self) -> None:
        """End it at once."""
        self._process.terminate()
        self._process.wait()

    def _write(self, *, resting: str) -> None:
        site = _EXAMPLE.read_text("utf-8").partition("server {\n    listen 80;")[0]
        site = _OF_TLS.sub("", site)
        site = site.replace("server {\n", f"server {{\n    listen 127.0.0.1:{self._port};\n", 1)
        for example, (name, address) in zip(_ADDRESSES, self._groups.items(), strict=True):
            mark = " down" if name == resting else ""
            site = site.replace(f"server {example}", f"server {address}{mark}")
        text = _FRAME.format(folder=self._folder, site=site)
        (self._folder / "nginx.conf").write_text(text, "utf-8")

    def _children(self) -> set[int]:
        return {child.pid for child in psutil.Process(self._process.pid).children()}

    def _has_new_workers(self) -> bool:
        return bool(self._children() - self._workers)

    def _answer(self, said: Mapping[str, Any]) -> Answer:
        asked = said["from"].replace(" : ", ", ").split(", ")
        names = {address: name for name, address in self._groups.items()}
        return Answer(
            at=said["at"],
            seconds=said["seconds"],
            method=said["method"],
            path=said["path"],
            status=said["status"],
            group=names.get(asked[-1], ""),
            tries=len(asked),
        )
