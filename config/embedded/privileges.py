"""PostgreSQL refuses to run as root; this finds the user to run it as."""

import os
import shutil
import subprocess
from pathlib import Path

from config.embedded.paths import StartError

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
    if owner == 0 and (unshare := shutil.which("unshare")):
        prefix = [unshare, "--user", "--map-user=1000", "--map-group=1000"]
        if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0:
            return prefix
    user = owner or NOBODY
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        raise StartError(
            "PostgreSQL does not run as root, and neither unshare nor setpriv is here. "
            "Install util-linux, or start Evenmatch as an ordinary user."
        )
    prefix = [setpriv, f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        for path in (folder, *folder.rglob("*")):
            os.chown(path, user, user, follow_symlinks=False)
        _refuse_unreachable(prefix, folder)
    _refuse_unreachable(prefix, programs)
    return prefix


def _refuse_unreachable(prefix: list[str], folder: Path) -> None:
    tried = subprocess.run([*prefix, "test", "-x", str(folder)], capture_output=True, check=False)
    if tried.returncode != 0:
        raise StartError(
            f"PostgreSQL does not run as root, and user {prefix[1].partition('=')[2]} cannot reach "
            f"{folder}. Use folders all users may enter, or start Evenmatch as an ordinary user."
        )
