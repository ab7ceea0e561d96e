"""PostgreSQL refuses to run as root; this finds whom to run it as."""

import os
import shutil
import subprocess
from pathlib import Path

from config.embedded.errors import StartError

NOBODY = 65534


def unprivileged_prefix(folders: list[Path], *, owned: Path, programs: Path) -> list[str]:
    """What to put before a command of PostgreSQL so that it does not run as root.

    Nothing for an ordinary user. For root, the owner of `owned` (the cluster) if that is somebody
    else; else a user namespace, in which root's files belong to an ordinary number; where the
    kernel refuses namespaces, `nobody`, who is given the folders.
    """
    if os.geteuid() != 0:
        return []
    owner = owned.stat().st_uid if owned.exists() else 0
    if owner == 0 and (namespace := _namespace()):
        return namespace
    user = owner or NOBODY
    prefix = _as_user(user)
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        _give(folder, user)
        _refuse_unreachable(prefix, folder)
    _refuse_unreachable(prefix, programs)
    return prefix


def _namespace() -> list[str]:
    program = shutil.which("unshare")
    if program is None:
        return []
    prefix = [program, "--user", "--map-user=1000", "--map-group=1000"]
    tried = subprocess.run([*prefix, "true"], capture_output=True, check=False)
    return prefix if tried.returncode == 0 else []


def _as_user(user: int) -> list[str]:
    program = shutil.which("setpriv")
    if program is None:
        raise StartError(
            "PostgreSQL does not run as root, and neither unshare nor setpriv is here. "
            "Install util-linux, or start Evenmatch as an ordinary user."
        )
    return [program, f"--reuid={user}", f"--regid={user}", "--clear-groups"]


def _give(folder: Path, user: int) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, user, user, follow_symlinks=False)


def _refuse_unreachable(prefix: list[str], folder: Path) -> None:
    tried = subprocess.run([*prefix, "test", "-x", str(folder)], capture_output=True, check=False)
    if tried.returncode != 0:
        raise StartError(
            f"PostgreSQL does not run as root, and user {prefix[1].partition('=')[2]} cannot reach "
            f"{folder}. Use folders all users may enter, or start Evenmatch as an ordinary user."
        )
