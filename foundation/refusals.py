"""Refusals: what the rules do not allow, told to whoever asked. Nothing has been changed when one is raised."""

from http import HTTPStatus
from typing import ClassVar

from django.utils.functional import Promise

__all__ = ["RefusedError"]


class RefusedError(Exception):
    """A request that cannot be carried out. Subclasses give the code, which is stable; the words may change.

    code      stable name of what is wrong, for programs
    status    of the answer over HTTP
    is_busy   whether others are at it only now, so that the same may be done in a moment
    detail    what is wrong and what would be right, in plain words for people
    on_pages  the detail as pages show it, with times in the reader's zone: a text or safe HTML
    extra     further members of the answer, such as the id of what is in the way; must be JSON
    """

    code: ClassVar[str] = "refused"
    status: ClassVar[HTTPStatus] = HTTPStatus.CONFLICT
    is_busy: ClassVar[bool] = False

    def __init__(self, detail: str | Promise, **extra: object) -> None:
        super().__init__(detail)
        self.detail = detail
        self.on_pages = str(detail)
        self.extra = extra

    def __str__(self) -> str:
        return str(self.detail)
