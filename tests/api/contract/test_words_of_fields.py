"""What is wrong with a field is told with what would be right: of every field of every body there is."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework import serializers

from api.contract.bodies import Body, WordField
from api.urls import urlpatterns
from tests.api.world import World

assert urlpatterns  # reads every view, and with it every body
OWNER = "player-play"


def bodies(base: type[Body] = Body) -> Iterator[type[Body]]:
    for body in base.__subclasses__():
        yield body
        yield from bodies(body)


def fields(field: Any) -> Iterator[tuple[str, Any]]:
    """The fields in a field, with their paths."""
    yield "", field
    inner = getattr(field, "fields", None) or {}
    if child := getattr(field, "child", None):
        inner = {"*": child}
    for name, one in inner.items():
        for path, found in fields(one):
            yield f"{name}/{path}", found


ALL = [(f"{body.__name__}/{path}", one) for body in bodies() for path, one in fields(body())]


def test_there_are_many() -> None:
    assert len(ALL) > 300


def test_choices_name_what_there_is_to_choose() -> None:
    others = [
        path
        for path, one in ALL
        if isinstance(one, serializers.ChoiceField) and not isinstance(one, WordField)
    ]
    assert others == []


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        (serializers.RegexField, "invalid"),
        (serializers.DictField, "not_a_dict"),
        (serializers.ListField, "not_a_list"),
        (serializers.Serializer, "invalid"),
    ],
)
def test_no_words_of_the_framework_where_they_say_nothing(kind: type[Any], key: str) -> None:
    """Its own tell of required patterns and dictionaries."""
    ours = [path for path, one in ALL if isinstance(one, kind)]
    theirs = [
        path
        for path, one in ALL
        if isinstance(one, kind) and one.error_messages[key] == serializers_words(kind, key)
    ]
    assert ours
    assert theirs == []


def serializers_words(kind: type[Any], key: str) -> Any:
    return next(
        words[key]
        for one in kind.__mro__
        if key in (words := vars(one).get("default_error_messages", {}))
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "path", "body", "part"),
    [
        ("POST", "challenges", {"ladder": "go", "side": "left"}, "mine"),
        ("PATCH", "me/profile", {"country": "de"}, "DE"),
        ("POST", "me/random-group", {"language": "DEUTSCH"}, "pt-br"),
        ("PATCH", "me/contact", [], "object"),
        ("POST", "me/notices/read", {"ids": 7}, "list"),
        ("POST", "tickets", {"queue": "search", "own": 7}, "object"),
        ("GET", "groups?list=foo", None, "invited"),
    ],
)
def test_what_would_be_right_is_told(
    world: World, method: str, path: str, body: Any, part: str
) -> None:
    answer = world.call(method, path, OWNER, body=body if body is None else json.dumps(body))
    assert answer.status_code == (400 if method == "GET" else 422), answer.content
    (error,) = answer.json()["errors"]
    assert part in error["detail"]
