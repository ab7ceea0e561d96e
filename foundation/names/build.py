"""Write the tables of this folder anew, from the libraries of a newer ICU: `python -m foundation.names.build FOLDER`.

ICU holds what Unicode publishes as confusables.txt, Scripts.txt and ScriptExtensions.txt. FOLDER holds libicudata,
libicuuc and libicui18n, as for example the wheel of `icu4py` brings them in `icu4py.libs`.
"""

import ctypes
import re
import sys
import unicodedata
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
NOTICE = """\
# {title}, Unicode {unicode}, as ICU {icu} holds it.
# Copyright © Unicode, Inc. Under the Unicode License v3: see LICENSE-UNICODE beside this file.
# Written by build.py. {form}
"""
_SURROGATES = range(0xD800, 0xE000)


class Icu:
    """The few functions of ICU that are asked here."""

    def __init__(self, folder: Path) -> None:
        names = {path.name: path for path in sorted(folder.glob("libicu*"))}
        data, common, i18n = (
            next(path for name, path in names.items() if name.startswith(f"libicu{part}"))
            for part in ("data", "uc", "i18n")
        )
        ctypes.CDLL(str(data), mode=ctypes.RTLD_GLOBAL)
        self._common = ctypes.CDLL(str(common), mode=ctypes.RTLD_GLOBAL)
        self._i18n = ctypes.CDLL(str(i18n), mode=ctypes.RTLD_GLOBAL)
        found = re.search(r"\.so\.(\d+)", i18n.name)
        if found is None:
            raise SystemExit(f"{i18n} does not name its version")
        self.version = int(found[1])
        self._error = ctypes.c_int(0)
        opened = self._function(self._i18n, "uspoof_open", ctypes.c_void_p)
        self._checker = ctypes.c_void_p(opened(ctypes.byref(self._error)))

    def unicode_version(self) -> str:
        """The version of Unicode that it knows."""
        numbers = (ctypes.c_uint8 * 4)()
        self._function(self._common, "u_getUnicodeVersion", None)(numbers)
        return ".".join(str(number) for number in numbers[:3])

    def skeleton(self, text: str) -> str:
        """The skeleton of UTS 39."""
        given, buffer = text.encode(), ctypes.create_string_buffer(400)
        size = self._function(self._i18n, "uspoof_getSkeletonUTF8", ctypes.c_int32)(
            self._checker, 0, given, len(given), buffer, 400, ctypes.byref(self._error)
        )
        if self._error.value > 0:
            raise SystemExit(f"ICU answers {self._error.value} to {text!r}")
        return buffer.raw[:size].decode()

    def scripts(self, sign: int) -> str:
        """Short names of the scripts in which a sign is used, separated by spaces."""
        codes = (ctypes.c_int32 * 40)()
        extensions = self._function(self._common, "uscript_getScriptExtensions", ctypes.c_int32)
        count = extensions(sign, codes, 40, ctypes.byref(self._error))
        name = self._function(self._common, "uscript_getShortName", ctypes.c_char_p)
        return " ".join(sorted(name(code).decode() for code in codes[:count]))

    def _function(self, library: ctypes.CDLL, name: str, result: type | None) -> Any:
        function = getattr(library, f"{name}_{self.version}")
        function.restype = result
        return function


def confusables(icu: Icu) -> Iterator[str]:
    """One line a prototype: its signs, a colon, and the signs that look like it."""
    sources: dict[str, list[int]] = {}
    for sign in signs():
        if unicodedata.normalize("NFD", chr(sign)) != chr(sign):
            continue  # its parts stand for themselves
        prototype = icu.skeleton(chr(sign))
        if prototype not in ("", chr(sign)):
            sources.setdefault(prototype, []).append(sign)
    for prototype in sorted(sources):
        yield f"{hexed(map(ord, prototype))}: {hexed(sources[prototype])}"


def scripts(icu: Icu) -> Iterator[str]:
    """One line a range of signs: first and last, a colon, and their scripts; those of every script are left out."""
    for names, group in groupby(signs(), key=icu.scripts):
        run = list(group)
        if names not in ("Zyyy", "Zinh", "Zzzz"):
            yield f"{run[0]:04X} {run[-1]:04X}: {names}"


def signs() -> Iterator[int]:
    """Every code point that may be a character."""
    return (sign for sign in range(0x110000) if sign not in _SURROGATES)


def hexed(given: Iterator[int] | list[int]) -> str:
    """Code points as Unicode writes them."""
    return " ".join(f"{sign:04X}" for sign in given)


def main(folder: Path) -> None:
    """Write both tables."""
    icu = Icu(folder)
    tables = {
        "confusables": (confusables(icu), "Each line: what is looked like, then what looks so."),
        "scripts": (scripts(icu), "Each line: first and last sign, then their scripts."),
    }
    for title, (lines, form) in tables.items():
        known = {"title": title, "unicode": icu.unicode_version(), "icu": icu.version}
        text = NOTICE.format(form=form, **known) + "".join(f"{line}\n" for line in lines)
        (HERE / f"{title}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
