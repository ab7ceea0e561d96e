"""Bodies and parameters: read strictly. What is not known is refused by name, so that a slip is not passed over."""

import json
import math
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from typing import IO, Any, NoReturn

from django.conf import settings
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ParseError, ValidationError
from rest_framework.parsers import BaseParser

from api.contract.field_errors import MOST_NAMED
from api.contract.problems import ProblemError

__all__ = ["MOST_VALUES", "Body", "JsonParser", "NothingBody", "RawParser", "WordField"]

MOST_VALUES = 20_000  # of a body of JSON; batches have their own
_BEGINNINGS = b",", b":", b"[", b"{"
_READERS = 400  # of each body in each language: more than there are


class Body(serializers.Serializer[Any]):
    """Base of every serializer that reads: a field it does not declare is an error. It knows of no request."""

    default_error_messages = {"invalid": gettext_lazy("Must be an object.")}

    @classmethod
    def read(cls, data: Any) -> tuple[Any, Any]:
        """The checked values, or None and what is wrong, as the framework has it."""
        try:
            return _reader(cls, get_language()).run_validation(data), None
        except ValidationError as error:
            return None, error.detail

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = [str(name) for name in data if name not in self.fields]
            if unknown:
                words = ErrorDetail(_("There is no such field."), code="unknown_field")
                raise ValidationError({name: [words] for name in islice(unknown, MOST_NAMED + 1)})
        return super().to_internal_value(data)


@lru_cache(_READERS)
def _reader(body: type[Body], _language: str | None) -> Body:
    """One for all requests in a language: to copy its fields takes longer than to read.

    It remembers nothing of what it reads, but the framework keeps the first text of some errors.
    """
    return body()


class NothingBody(Body):
    """Nothing: an empty object, or no body at all."""


class WordField(serializers.ChoiceField):
    """One of some words, which an error lists."""

    default_error_messages = {
        "invalid_choice": gettext_lazy("“{input}” is none of these: {known}.")
    }

    def fail(self, key: str, **kwargs: Any) -> NoReturn:
        super().fail(key, known=", ".join(map(str, self.choices)), **kwargs)


class RawParser(BaseParser):
    """Takes a JSON body as it came, in bytes, no longer than the view's `max_body` and of no more than about its
    `max_values`: for views that read it otherwise.
    """

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        view = (parser_context or {}).get("view")
        limit = getattr(view, "max_body", None) or settings.API_MAX_BODY
        request = (parser_context or {}).get("request")
        announced = int(request.META.get("CONTENT_LENGTH") or 0) if request else 0
        raw = b"" if announced > limit else stream.read(limit + 1)  # nobody waits for the rest
        if announced > limit or len(raw) > limit:
            words = _("The body is larger than %(limit)d bytes.") % {"limit": limit}
            raise ProblemError("body_too_large", words, limit=limit)
        # Each value costs a hundred times what its bytes do: where none can be right with so many, none is read.
        most = getattr(view, "max_values", MOST_VALUES)
        if sum(map(raw.count, _BEGINNINGS)) > most:
            words = _(
                "The body holds more than %(most)d values, names and texts with commas included."
            )
            raise ParseError(words % {"most": most})
        return raw


class JsonParser(RawParser):
    """Reads such a body."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        raw = super().parse(stream, media_type, parser_context)
        try:
            found = json.loads(
                raw.decode(),
                parse_constant=_refuse,
                parse_float=_finite,
                object_pairs_hook=_each_once,
            )
            # Half a character can be neither stored nor sent back.
            if b"\\ud" in raw or b"\\uD" in raw:
                json.dumps(found, ensure_ascii=False).encode()
            return found
        except UnicodeDecodeError as error:
            words = _("The body is not UTF-8: byte %(number)s cannot be read.")
            raise ParseError(words % {"number": error.start + 1}) from None
        except UnicodeEncodeError as error:
            half = f"\\u{ord(error.object[error.start]):04x}"
            words = _("The body has half a character: %(half)s stands without its other half.")
            raise ParseError(words % {"half": half}) from None
        except RecursionError:
            raise ParseError(_("The body is nested too deeply.")) from None
        except json.JSONDecodeError as error:
            words = _("The body is not JSON from line %(line)d, column %(column)d on.")
            raise ParseError(words % {"line": error.lineno, "column": error.colno}) from None
        except ValueError as error:
            raise ParseError(_("The body is not JSON: %(error)s") % {"error": error}) from None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object. JSON leaves open which of two values of one name counts: whoever sends both means one of them."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = Counter(name for name, _value in pairs)
        name = next(name for name, count in names.items() if count > 1)
        words = _("The body names “%(name)s” twice in one object.")
        raise ParseError(words % {"name": name[:100].encode(errors="replace").decode()})
    return found


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no number in JSON")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text[:40]} is too large a number")
    return number
