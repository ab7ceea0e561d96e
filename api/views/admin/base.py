"""What all endpoints for setting up have in common: whose games a key may set up, and how a value is refused."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.audit import acting_through
from api.auth.access import needs
from api.auth.scopes import Scope
from api.contract.bodies import Body
from api.contract.field_errors import pointer_to, shown_at
from api.contract.fields import HIGHEST_NUMBER, TextField
from api.contract.problems import ProblemError
from api.models import ServerKey
from api.views.base import ApiView
from foundation.postgresql.transactions import briefly
from ratings.admin.parameter_form import describe
from ratings.archiving import ArchivedError
from ratings.models import Game
from ratings.systems import ParameterError

__all__ = ["ADMIN", "AdminView", "NotedBody", "ValueField"]

ADMIN = needs(Scope.ADMIN)


class NotedBody(Body):
    """What may be said of every change."""

    note = TextField(
        required=False, max_length=2000, allow_blank=True, help_text="Why: kept in the audit log."
    )


@extend_schema_field({"type": ["number", "boolean", "string"]})
class ValueField(serializers.Field[Any, Any, Any, Any]):
    """A value of a parameter. Whether it is right is known to whoever declares the parameter."""

    def to_internal_value(self, data: Any) -> Any:
        """Take what JSON has besides objects, lists and null."""
        if isinstance(data, str) and "\0" in data:
            raise serializers.ValidationError(_("Null characters are not allowed."))
        if not isinstance(data, bool | int | float | str):
            raise serializers.ValidationError(_("Must be a number, a text, true or false."))
        if isinstance(data, int | float) and abs(data) > HIGHEST_NUMBER:
            raise serializers.ValidationError(_("The number is too large."))
        return data


class AdminView(ApiView):
    """Base of these endpoints."""

    tag = "Setting up"

    @property
    def key(self) -> ServerKey:
        """The key that calls. No token has the scope."""
        assert self.caller.server_key is not None  # noqa: S101
        return self.caller.server_key

    @property
    def games(self) -> QuerySet[Game]:
        """The games that the key may set up."""
        games = Game.objects.all()
        return games if self.key.game_id is None else games.filter(pk=self.key.game_id)

    def game_of(self, given: dict[str, Any]) -> Game:
        """The game in which a body makes something; the key's own where it names none.

        Refuses with `invalid_body`, and with ArchivedError: nothing begins in an archived game.
        """
        slug = given.get("game") or (self.key.game.slug if self.key.game else None)
        if slug is None:
            raise self.refusal(("game",), _("Name the game: the key is for all of them."))
        game = self.games.filter(slug=slug).first()
        if game is None:
            raise self.refusal(("game",), _("There is no such game, or the key is not for it."))
        if game.archived_at is not None:
            raise ArchivedError(game)
        return game

    def place_of(self, name: str) -> tuple[str, ...]:
        """Where in the body a parameter or column stands; by default under its own name."""
        return (name,)

    @contextmanager
    def acting(self) -> Iterator[None]:
        """Do all within the block or nothing of it, in the log under the key. What is refused of a value names its
        place in the body.
        """
        try:
            with acting_through(f"{self.key.name} (em_srv_{self.key.prefix})"), briefly():
                yield
        except ParameterError as error:
            raise self.refusal(self.place_of(error.parameter), describe(error, {})) from error
        except ValidationError as error:
            whole = {NON_FIELD_ERRORS: error.messages}
            told = error.message_dict if hasattr(error, "error_dict") else whole
            first, *others = [(name, words) for name, said in told.items() for words in said]
            refusal = self.refusal(self._step(first[0]), first[1])
            for name, words in others:
                refusal.errors += self.refusal(self._step(name), words).errors or []  # type: ignore[operator]
            raise refusal from error

    def refusal(self, steps: tuple[str, ...], words: str) -> ProblemError:
        """The refusal of what stands at a place of the body."""
        error = {"pointer": pointer_to(*steps), "code": "invalid", "detail": words}
        error |= shown_at(self.request.data, steps)
        told = _("Something in the body is wrong. Each error names a field.")
        return ProblemError("invalid_body", told, errors=[error])

    def _step(self, name: str) -> tuple[str, ...]:
        return () if name in (NON_FIELD_ERRORS, "slug") else self.place_of(name)
