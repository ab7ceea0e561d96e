"""Keys of the games' servers, made, named and revoked. Keys with the scope `admin` are made by people only."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import audit
from accounts.audited_admin import snapshot
from accounts.audited_changes import change_columns
from api.auth.issue import end_of, issue_key, revoke_key
from api.auth.scopes import SERVER_SCOPE_NAMES, Scope
from api.contract.bodies import Body, WordField
from api.contract.fields import ListOfField, NumberField, ShortNameField, TextField
from api.contract.pages import page_by, page_shape
from api.models import ServerKey
from api.serializers.admin import KeyShape
from api.views.admin.base import ADMIN, AdminView
from api.views.games import OfGameBody, of_game

__all__ = ["KeyView", "KeysView"]

KeysShape = page_shape("KeysShape", KeyShape)


class KeyNameBody(Body):
    """What may be changed of a key."""

    name = TextField(max_length=80, help_text="To tell it from others later.")


class KeyBody(KeyNameBody):
    """A key to make."""

    game = ShortNameField(
        required=False, help_text="Short name of the game; of a key of one game: its own."
    )
    scopes = ListOfField(
        child=WordField(choices=SERVER_SCOPE_NAMES),
        default=SERVER_SCOPE_NAMES,
        min_length=1,
        max_length=20,
    )
    days = NumberField(
        required=False,
        allow_null=True,
        min_value=1 / 86_400,
        max_value=36_525,
        help_text="Until it expires; null: never. It ends with the key that makes it, if not before.",
    )


class KeyMadeShape(KeyShape):
    """A new key. Its secret is shown this once."""

    key = serializers.CharField(help_text="`em_srv_…`. Keep it; it is not shown again.")

    def get_key(self, _key: ServerKey) -> str:
        """Known at this moment only."""
        secret: str = self.context["secret"]
        return secret


class OfKeys(AdminView):
    """What knows the keys of the key's games."""

    @property
    def keys(self) -> QuerySet[ServerKey]:
        """Those that it may name and revoke: none that could do the same."""
        keys = ServerKey.objects.select_related("game").filter(game__in=self.games)
        return keys.exclude(scopes__contains=[Scope.ADMIN.value])


class KeysView(OfKeys):
    """The keys of the servers of the key's games."""

    access = {"GET": ADMIN, "POST": ADMIN}
    query = {"GET": OfGameBody}
    problems = {"POST": ("archived",)}
    is_secret = True
    has_address = True

    @extend_schema(summary="Keys of servers", responses=KeysShape)
    def get(self, request: Request) -> Response:
        """Oldest first, those that have ended too, without their secrets, and without keys that set up games."""
        given = self.parameters
        rows, after = page_by("pk", "k", of_game(self.keys, given), given)
        return self.page(KeysShape, rows, after)

    @extend_schema(summary="Make a key", request=KeyBody, responses={201: KeyMadeShape})
    def post(self, request: Request) -> Response:
        """A key for a server of the game. It never has the scope `admin`, and ends with the key that made it."""
        given = self.body(KeyBody)
        game = self.game_of(given)
        with self.acting():
            key, secret = issue_key(
                game=game,
                name=given["name"],
                scopes=given["scopes"],
                expires_at=end_of(given.get("days")),
                issued_by=self.key,
            )
        shown = self.shown(KeyMadeShape, key, secret=secret)
        where = request.build_absolute_uri(f"{request.path}/{key.pk}")
        return Response(shown, status=201, headers={"Location": where})


class KeyView(OfKeys):
    """One of them."""

    access = {"GET": ADMIN, "PUT": ADMIN, "DELETE": ADMIN}

    @extend_schema(summary="A key", responses=KeyShape)
    def get(self, request: Request, key_id: int) -> Response:
        """What a key may do, and until when. Its secret is kept nowhere."""
        return Response(self.shown(KeyShape, get_object_or_404(self.keys, pk=key_id)))

    @extend_schema(summary="Name a key", request=KeyNameBody, responses=KeyShape)
    def put(self, request: Request, key_id: int) -> Response:
        """Gives a key another name. What it may do stays: for that make another one, and revoke this one."""
        given = self.body(KeyNameBody)
        with self.acting():
            held = self.keys.select_for_update(of=("self",), no_key=True)
            key = get_object_or_404(held, pk=key_id)
            change_columns(key, given, actor=None)
        return Response(self.shown(KeyShape, key))

    @extend_schema(summary="Revoke a key", responses={204: None})
    def delete(self, request: Request, key_id: int) -> Response:
        """Ends a key, and the tokens it made, from the next request on, for good. Again: nothing changes."""
        with self.acting():
            key = get_object_or_404(self.keys.select_for_update(of=("self",)), pk=key_id)
            before = snapshot(key, ["revoked_at"])
            revoke_key(key)
            if before["revoked_at"] is None:
                after = snapshot(key, ["revoked_at"])
                audit.record(
                    actor=None, action="serverkey.changed", target=key, before=before, after=after
                )
        return Response(status=204)
