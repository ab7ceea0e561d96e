"""One kind of refusal, as it is declared."""

from dataclasses import dataclass
from http import HTTPStatus

from django.urls import reverse
from django.utils.functional import Promise

__all__ = ["Problem", "Words"]

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Problem:
    """One kind of refusal. `meaning` says why it comes and what helps."""

    code: str
    status: HTTPStatus
    title: Words
    meaning: Words

    def get_absolute_url(self) -> str:
        """Address of the page that explains it: the `type` of the problem."""
        return reverse("api:problem", args=[self.code])
