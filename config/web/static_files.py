"""Static files beside those of the release before: its pages name them, and its processes still hand them out."""

import gzip
import re
import zlib
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from django.core.files.base import File
from whitenoise.storage import CompressedManifestStaticFilesStorage

__all__ = ["StaticFiles"]

_HASHED = re.compile(r"\.[0-9a-f]{12}(?:\.[^./]+)?(?P<made_of_it>\.(?:gz|br|part))?$")


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Collects for a release without touching what is handed out meanwhile.

    A file that is named by its hash is written once, whole. Those that neither this release nor the one collected
    before it has are deleted.
    """

    _collects = False

    def post_process(self, *args: Any, **options: Any) -> Iterator[Any]:
        """Hash, compress, and delete what two releases ago was needed."""
        before = set(self.hashed_files.values())
        self._collects = True
        try:
            yield from super().post_process(*args, **options)
        finally:
            self._collects = False
        if not options.get("dry_run"):
            self._keep_only(before | set(self.hashed_files.values()))

    def compress_files(self, paths: Iterable[str]) -> Iterator[Any]:
        """Compress those that are not yet."""
        yield from super().compress_files([path for path in paths if not self._is_compressed(path)])

    def delete(self, name: str) -> None:
        """Delete a file; while a release is collected nothing, for what is about to be written replaces it."""
        if not self._collects:
            super().delete(name)

    def _save(self, name: str, content: "File[bytes]") -> str:
        path, data = Path(self.path(name)), b"".join(content.chunks())
        if not (path.is_file() and path.read_bytes() == data):
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f"{path.name}.part")
            part.write_bytes(data)
            if self.file_permissions_mode is not None:
                part.chmod(self.file_permissions_mode)
            part.replace(path)
        return name

    def _is_compressed(self, name: str) -> bool:
        """Whether it is there compressed, and whole: whoever compressed it may have been killed."""
        path = Path(self.path(name))
        try:
            return gzip.decompress(Path(f"{path}.gz").read_bytes()) == path.read_bytes()
        except (OSError, EOFError, zlib.error):
            return False

    def _keep_only(self, names: Collection[str]) -> None:
        root = Path(self.location)
        for path in root.rglob("*"):
            found = _HASHED.search(path.name)
            if found is None or not path.is_file():
                continue
            name = path.relative_to(root).as_posix().removesuffix(found["made_of_it"] or "")
            if name not in names or found["made_of_it"] == ".part":
                path.unlink(missing_ok=True)
