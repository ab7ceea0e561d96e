"""The description of the API (OpenAPI 3.1), made from the code: sign-in, scopes and problems of every endpoint."""

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any, TypeVar, cast

from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from accounts.texts.current import site_texts
from api.auth.access import Access
from api.auth.people import LONGEST_ID
from api.contract.bodies import Body
from api.contract.fields import TextField
from api.contract.idempotency import KEPT_FOR, LONGEST_KEY
from api.contract.player_stats_fields import MOST, ByPlayerField
from api.contract.problems import CODES, MEDIA_TYPE, PROBLEMS
from api.schema.examples import EXAMPLES, LINKS

if TYPE_CHECKING:
    from api.views.base import ApiView

F = TypeVar("F", bound="serializers.Field[Any, Any, Any, Any]")

__all__ = ["ApiSchema", "add_headers"]

PREFIX = "/api/v1"
_ALWAYS = (
    "invalid_parameter",
    "not_acceptable",
    "rate_limited",
    "internal_error",
    "unavailable",
)
_SIGNED_IN = ("authentication_required", "invalid_token", "expired_token", "revoked_token")
_WITH_BODY = (
    "malformed_body",
    "invalid_body",
    "length_required",
    "body_too_slow",
    "body_too_large",
    "unsupported_media_type",
    "busy",
    "no_room",
)
_ERRORS = {
    "invalid_body": {
        "pointer": "#/party",
        "code": "invalid",
        "detail": "A valid integer is required.",
        "given": '"twelve"',
    },
    "invalid_parameter": {
        "parameter": "limit",
        "code": "max_value",
        "detail": "Ensure this value is less than or equal to 200.",
        "given": '"1000"',
    },
    "wrong_wishes": {
        "pointer": "#/maps/veto/0",
        "code": "invalid",
        "detail": "“Mor” is no map of this queue. Its maps are Canyon, Moor.",
    },
}
# Further members of problems, and the address where that has another form.
_MEMBERS: dict[str, dict[str, Any]] = {
    "player_merged": {"instance": f"{PREFIX}/players/35", "merged_into": 33},
    "missing_scope": {"needed": ["tickets:write"]},
    "answer_gone": {"done": 201},
    "events_gone": {
        "instance": f"{PREFIX}/events?after=6a1f8c2e90b3d417-2c1-0",
        "after": "6a1f8c2e90b3d417-2f8-0",
        "kept_days": 7,
    },
    "cannot_change": {
        "instance": f"{PREFIX}/admin/ladders/squads",
        "field": "team_size",
        "present": 2,
    },
    "suspended": {
        "player": 33,
        "suspended_from": "all",
        "until": "2026-12-01T18:00:00Z",
        "appeal": "",
    },
    "already_searching": {"ticket": 512},
    "already_in_party": {"instance": f"{PREFIX}/parties/join", "party": 12},
    "already_playing": {"player": 33, "match": 881},
}
_WITH_KEY = ("invalid_idempotency_key", "idempotency_key_reused", "in_progress", "answer_gone")


_ANY_TEXT = r"^[^\u0000]*$"
_SOME_TEXT = r"^[^\u0000]*[^\s\u0000][^\u0000]*$"
_NUMBER = {"type": "integer", "minimum": 0}
_PLAYER = {"type": "string", "minLength": 1, "maxLength": LONGEST_ID, "pattern": _ANY_TEXT}
# Space at the ends is no part of a header.
_KEY = {
    "type": "string",
    "minLength": 1,
    "maxLength": LONGEST_KEY,
    "pattern": "^[ -~]*[!-~][ -~]*$",
}
_HEADERS: dict[str, tuple[str, dict[str, Any]]] = {
    "RateLimit-Limit": ("Requests in a window.", _NUMBER),
    "RateLimit-Remaining": ("How many more there may be now.", _NUMBER),
    "RateLimit-Reset": ("Seconds until there is room for one more.", _NUMBER),
    "Retry-After": (
        "Seconds to wait; with 409 only where the code is `in_progress` or `cooling_off`.",
        _NUMBER,
    ),
    "WWW-Authenticate": ("What is asked for.", {"type": "string"}),
    "Location": ("Address of what was made.", {"type": "string", "format": "uri-reference"}),
    "ETag": ("Names what the answer says.", {"type": "string"}),
    "Idempotent-Replayed": (
        "`true` where it is the answer of before.",
        {"type": "string", "enum": ["true"]},
    ),
}


class FieldErrorBody(serializers.Serializer[Any]):
    """What is wrong with one field or parameter."""

    pointer = serializers.CharField(required=False, help_text="JSON pointer into the body.")
    parameter = serializers.CharField(
        required=False, help_text="Name of a parameter of the address."
    )
    code = serializers.CharField()
    detail = serializers.CharField()
    given = serializers.CharField(
        required=False, help_text="What stands there, as JSON, cut short."
    )


def _further(kind: type[F], words: str, **more: Any) -> F:
    """A member that only problems of some codes have."""
    return kind(required=False, help_text=words, **more)


class ProblemBody(serializers.Serializer[Any]):
    """A refusal (RFC 9457). Which further members there are depends on `code`."""

    type = serializers.CharField(help_text="Address of the page that explains the code.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="In words, for people. May change.")
    code = serializers.ChoiceField(choices=CODES, help_text="For programs. Stable.")
    instance = serializers.CharField(help_text="The address that was asked for.")
    errors = FieldErrorBody(many=True, required=False)  # type: ignore[assignment]
    # Of single codes.
    player = _further(serializers.IntegerField, "Id of the player who is in the way.")
    merged_into = _further(serializers.IntegerField, "Id of the player to ask for instead.")
    leader = _further(serializers.IntegerField, "Id of the leader, of a party or a clan.")
    feature = _further(serializers.CharField, "Name of the feature that is not declared.")
    ticket = _further(serializers.IntegerField, "Id of the search that is in the way.")
    offer = _further(serializers.IntegerField, "Id of the offer that is over.")
    challenge = _further(
        serializers.IntegerField, "Id of the challenge that is in the way, or over."
    )
    opens_at = _further(serializers.DateTimeField, "From when on one may say to be there.")
    party = _further(serializers.IntegerField, "Id of the party that is in the way.")
    match = _further(serializers.IntegerField, "Id of the match that is in the way.")
    matches = _further(
        serializers.ListField,
        "Ids of disputed matches, of which one must be decided first.",
        child=serializers.IntegerField(),
    )
    external_id = _further(serializers.CharField, "The match's id in the game.")
    game = _further(serializers.CharField, "Short name of the game.")
    ladder = _further(serializers.CharField, "Short name of the ladder.")
    queue = _further(serializers.CharField, "Short name of the queue.")
    server = _further(serializers.CharField, "Short name of the game server.")
    state = _further(serializers.CharField, "How the ticket, match or room stands.")
    room = _further(serializers.IntegerField, "Id of the room that is in the way.")
    host = _further(serializers.IntegerField, "Id of the room's host.")
    seat = _further(serializers.IntegerField, "Number of the seat.")
    seats = _further(serializers.IntegerField, "Seats that the room has.")
    free = _further(serializers.IntegerField, "Seats that are free.")
    not_ready = _further(serializers.IntegerField, "Players who are not ready.")
    reason = _further(serializers.CharField, "Why a room refuses a player, for programs.")
    picked = _further(serializers.JSONField, "What cannot be picked.")
    maps = _further(
        serializers.ListField, "Maps that can be picked.", child=serializers.CharField()
    )
    differs = _further(
        serializers.ListField,
        "What is not as it was reported or decided.",
        child=serializers.CharField(),
    )
    corrections = _further(serializers.IntegerField, "How many the match has now.")
    suspended_from = _further(serializers.CharField, "From what the player is suspended.")
    until = _further(
        serializers.DateTimeField,
        "When the suspension ends; null: when an operator lifts it.",
        allow_null=True,
    )
    appeal = _further(serializers.CharField, "Where to appeal; may be empty.")
    needed = _further(
        serializers.ListField,
        "Scopes of which one is enough.",
        child=serializers.CharField(),
    )
    limit = _further(serializers.IntegerField, "The most allowed: bytes, disputes, or challenges.")
    largest = _further(serializers.IntegerField, "Members that a party may have.")
    most = _further(
        serializers.IntegerField,
        "The most that is allowed: players on a list, rooms of a game, members of a group.",
    )
    least = _further(serializers.IntegerField, "The fewest members that there may be.")
    request = _further(serializers.IntegerField, "Id of the request for a partner.")
    group = _further(serializers.IntegerField, "Id of the group.")
    clan = _further(serializers.IntegerField, "Id of the clan.")
    owner = _further(serializers.IntegerField, "Id of the group's owner.")
    players = _further(serializers.IntegerField, "How many the party has.")
    team_size = _further(serializers.IntegerField, "Players in a team of the queue.")
    field = _further(serializers.CharField, "What does not change, or cannot be had.")
    present = _further(serializers.JSONField, "What it is.")
    done = _further(serializers.IntegerField, "Status of the answer that is kept no more.")
    after = _further(serializers.CharField, "The cursor from which to go on.")
    retry_after = _further(serializers.IntegerField, "Seconds to wait, as in `Retry-After`.")
    kept_days = _further(serializers.FloatField, "For how many days events are kept.")


class CallerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Server keys and player tokens."""

    target_class = "api.auth.authentication.BearerAuthentication"
    name = ["serverKey", "playerToken"]

    def get_security_definition(self, auto_schema: AutoSchema) -> list[dict[str, str]]:
        """Both are bearer tokens."""
        return [
            _bearer("A server key, `em_srv_…`: acts for one game and its players."),
            _bearer("A player's token, `em_ply_…`: acts as this player."),
        ]

    def get_security_requirement(self, auto_schema: AutoSchema) -> list[dict[str, list[str]]]:
        """Which of them, by the scopes that the endpoint needs."""
        access = _access(auto_schema)
        both: list[dict[str, list[str]]] = [{"serverKey": []}, {"playerToken": []}]
        if not access.scopes:
            return [*both, {}]
        wanted = (access.for_servers, access.for_players)
        return [scheme for scheme, is_wanted in zip(both, wanted, strict=True) if is_wanted]


class ApiSchema(AutoSchema):
    """Adds to each operation what follows from the attributes of its `ApiView`."""

    def get_tags(self) -> list[str]:
        return [_view(self).tag]

    def get_operation_id(self) -> str:
        """`get_ladders_by_slug_leaderboard`: from the address, so that it changes only with that."""
        steps = [step for step in self.path.removeprefix(PREFIX).split("/") if step]
        words = [re.sub(r"{(\w+)}", r"by_\1", step).replace("-", "_") for step in steps]
        return "_".join([self.method.lower(), *(words or ["index"])])

    def get_override_parameters(self) -> list[Any]:
        query = _view(self).query.get(self.method)
        found: list[Any] = [] if query is None else [query]
        if self.method != "POST":
            return found
        hours = KEPT_FOR.total_seconds() // 3600
        words = _(
            "The same key again within %(hours)d hours: the same answer, and no second effect."
        )
        said = str(words % {"hours": hours})
        return [*found, OpenApiParameter("Idempotency-Key", _KEY, "header", description=said)]

    def get_description(self) -> str:  # type: ignore[override]
        access = _access(self)
        said = str(super().get_description())
        scopes = " / ".join(f"`{scope.value}`" for scope in access.scopes)
        return f"{said}\n\nScope: {scopes}." if scopes else said

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        operation = super().get_operation(*args, **kwargs)
        if operation is not None:
            if example := EXAMPLES.get(operation["operationId"]):
                responses = operation["responses"]
                shown = [(responses[str(good)], it) for good, it in example.by_status.items() if it]
                if example.requests:
                    shown.append((operation["requestBody"], example.requests))
                for described, bodies in shown:
                    (content,) = described["content"].values()
                    content["examples"] = {name: {"value": body} for name, body in bodies.items()}
            for good, links in LINKS.get(operation["operationId"], {}).items():
                told = {name: link.described() for name, link in links.items()}
                operation["responses"][str(good)]["links"] = told
            for status, codes in self._problems().items():
                operation["responses"].setdefault(status, self._problem(codes))
            is_tagged = "304" in operation["responses"]
            for status, response in operation["responses"].items():
                if names := self._headers(status, is_tagged=is_tagged):
                    response["headers"] = {
                        name: {"$ref": f"#/components/headers/{name}"} for name in names
                    }
        return operation

    def _headers(self, status: str, *, is_tagged: bool) -> list[str]:
        """Names of the headers that an answer has besides those of HTTP itself."""
        names = [name for name in _HEADERS if name.startswith("RateLimit")]
        names += ["Retry-After"] * (status in ("409", "429", "503"))
        names += ["WWW-Authenticate"] * (status == "401")
        names += ["ETag"] * (is_tagged and status in ("200", "304"))
        if self.method == "POST" and status.startswith("2"):
            names += ["Idempotent-Replayed"]
            names += ["Location"] * (status == "201" and _view(self).has_address)
        return names

    def _map_serializer(self, serializer: Any, *args: Any, **kwargs: Any) -> Any:
        """Bodies are closed: what they do not name is refused. Answers may gain members."""
        schema = super()._map_serializer(serializer, *args, **kwargs)  # type: ignore[no-untyped-call]
        if isinstance(serializer, Body):
            schema["additionalProperties"] = False
        return schema

    def _map_serializer_field(self, field: Any, *args: Any, **kwargs: Any) -> Any:
        """Texts hold no NUL, and where they may not be empty, more than space."""
        schema = super()._map_serializer_field(field, *args, **kwargs)  # type: ignore[no-untyped-call]
        if isinstance(field, TextField) and "pattern" not in schema:
            schema["pattern"] = _ANY_TEXT if field.allow_blank else _SOME_TEXT
        if isinstance(field, ByPlayerField):
            schema |= {"propertyNames": _PLAYER, "maxProperties": MOST}
        return schema

    def _insert_field_validators(self, field: Any, schema: dict[str, Any]) -> None:
        """Texts that may be empty say so by their pattern. As one of two shapes, both of which are right for an empty
        text, it would be forbidden.
        """
        super()._insert_field_validators(field, schema)  # type: ignore[no-untyped-call]
        if isinstance(field, TextField) and "oneOf" in schema:
            schema |= schema.pop("oneOf")[0]

    def _problems(self) -> dict[str, list[str]]:
        """Codes by status."""
        access = _access(self)
        codes = [*_ALWAYS, *(_SIGNED_IN if access.scopes else _SIGNED_IN[1:])]
        codes += ["key_in_browser"] * (access.for_servers or not access.scopes)
        codes += ["missing_scope"] * bool(access.scopes) + ["not_found"] * ("{" in self.path)
        codes += _WITH_BODY if self.method in ("POST", "PUT", "PATCH") else ()
        codes += _WITH_KEY if self.method == "POST" else ()
        codes += _view(self).problems.get(self.method, ())
        found: dict[str, list[str]] = defaultdict(list)
        for code in codes:
            found[str(int(PROBLEMS[code].status))].append(code)
        return dict(sorted(found.items()))

    def _problem(self, codes: list[str]) -> dict[str, Any]:
        body = self.resolve_serializer(ProblemBody, "response").ref
        lines = [f"- `{code}`: {PROBLEMS[code].meaning}" for code in codes]
        examples: dict[str, Any] = {}  # references to those that all endpoints share
        for code in codes:
            problem = PROBLEMS[code]
            said: dict[str, Any] = {
                "type": problem.get_absolute_url(),
                "title": str(problem.title),
                "status": int(problem.status),
                "detail": str(problem.meaning),
                "code": code,
                "instance": f"{PREFIX}/tickets",
            }
            said |= _MEMBERS.get(code, {})
            if code in _ERRORS:
                said["errors"] = [_ERRORS[code]]
            component = ResolvedComponent(
                name=code, type=ResolvedComponent.EXAMPLE, schema={"value": said}, object=code
            )  # type: ignore[no-untyped-call]
            self.registry.register_on_missing(component)
            examples[code] = component.ref
        content = {MEDIA_TYPE: {"schema": body, "examples": examples}}
        return {"description": "\n".join(lines), "content": content}


def add_headers(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Put the headers where operations refer to them, and the site's name. A hook after everything else."""
    result["info"]["title"] = f"{site_texts().name()} API"
    result["components"]["headers"] = {
        name: {"description": words, "schema": shape} for name, (words, shape) in _HEADERS.items()
    }
    return result


def _view(schema: AutoSchema) -> "ApiView":
    return cast("ApiView", schema.view)


def _access(schema: AutoSchema) -> Access:
    return _view(schema).access[schema.method]


def _bearer(words: str) -> dict[str, str]:
    return {"type": "http", "scheme": "bearer", "description": words}
