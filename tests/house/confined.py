"""Commands as somebody with fewer rights: as an ordinary user, or as root in a container.

The latter is `python -m tests.house.confined COMMAND …`.

With the capabilities that Docker gives unless told otherwise, so without SYS_PTRACE and SYS_ADMIN, and with a kernel
that refuses new namespaces, as Docker's filter of system calls does.
"""

import ctypes
import os
import platform
import struct
import sys

from config.embedded.privileges import NOBODY

__all__ = ["AS_NOBODY", "DOCKERS", "IN_A_CONTAINER", "main"]

# An ordinary user who may read everything, as the checkout under test may lie in root's home.
AS_NOBODY = (
    "setpriv",
    f"--reuid={NOBODY}",
    f"--regid={NOBODY}",
    "--clear-groups",
    "--inh-caps=+dac_read_search",
    "--ambient-caps=+dac_read_search",
)

DOCKERS = (
    *("chown", "dac_override", "fowner", "fsetid", "kill", "setgid", "setuid", "setpcap"),
    *("net_bind_service", "net_raw", "sys_chroot", "mknod", "audit_write", "setfcap"),
)
IN_A_CONTAINER = (sys.executable, "-m", "tests.house.confined")
_UNSHARE = {"x86_64": 272, "aarch64": 97}
_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 22, 2
# Classic BPF: load the number of the call, refuse one with EPERM, allow the rest.
_LOAD, _IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050001


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def main(command: list[str]) -> None:
    """Give up what a container does not have, and become the command."""
    _refuse_namespaces()
    kept = ",".join(f"+{name}" for name in DOCKERS)
    os.execvp("setpriv", ["setpriv", f"--bounding-set=-all,{kept}", "--inh-caps=-all", *command])  # noqa: S606


def _refuse_namespaces() -> None:
    """Ask the kernel to refuse unshare(2), for this process and all that it starts. Takes SYS_ADMIN, as root has."""
    steps = (
        (_LOAD, 0, 0, 0),
        (_IF_EQUAL, 0, 1, _UNSHARE[platform.machine()]),
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
    )
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = _Program(len(steps), ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0):
        raise OSError(ctypes.get_errno(), "the kernel takes no filter of system calls")


if __name__ == "__main__":
    main(sys.argv[1:])
