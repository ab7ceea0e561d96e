"""Shapes of answers: one declaration of their fields, which renders them and describes them in OpenAPI."""

from collections.abc import Callable, Iterable
from functools import cache, cached_property, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from rest_framework import serializers

if TYPE_CHECKING:
    from api.auth.callers import Caller

__all__ = ["Answer", "Shape"]

Answer = dict[str, Any]


class _Part(NamedTuple):
    """A field of a shape: where its value comes from, and how that is rendered (None: as it is)."""

    name: str
    value_of: Callable[[Any], Any]
    render: Callable[[Any], Any] | None
    is_required: bool


class Shape(serializers.Serializer[Any]):
    """Base of every answer. Made with the `view` in its context, as by `ApiView.shown`.

    The value of a field is the member of its name, where a dictionary is rendered and has one (a field with
    `required=False` is left out where it has none); else what the method `get_<field>` returns; else the attribute that
    `source` names, by default the field's own name; a path of one that may be null may end early. A field that is a
    shape renders its value by that, one with a method `in_answers` by this. All other values are left as they are, for
    JSON: a test holds every answer against the description.
    """

    @cached_property
    def _caller(self) -> "Caller":
        """On whose behalf the answer is made."""
        caller: Caller = self.context["view"].caller
        return caller

    def _url_of(self, thing: Any) -> str:
        """The address of the page for people about a thing."""
        url: str = self.context["view"].request.build_absolute_uri(thing.get_absolute_url())
        return url

    def to_representation(self, instance: Any) -> Answer:
        """Render; much faster than fields that convert each value."""
        found: Answer = {}
        is_dict = isinstance(instance, dict)
        for name, value_of, render, is_required in self._parts:
            if is_dict and name in instance:
                value = instance[name]
            elif is_dict and not is_required:
                continue
            else:
                value = value_of(instance)
            found[name] = value if render is None or value is None else render(value)
        return found

    @cached_property
    def _parts(self) -> list[_Part]:
        parts: list[_Part] = []
        for name, method, follow, shape, is_many, in_answers, is_required in _fields_of(type(self)):
            render = in_answers
            if shape is not None:
                one = shape(context=self.context).to_representation
                render = partial(_each, one) if is_many else one
            value_of = getattr(self, method) if method else follow
            parts.append(_Part(name, value_of, render, is_required))
        return parts


class _Field(NamedTuple):
    """What is the same of a field in all answers. `method`: its name, empty for none."""

    name: str
    method: str
    follow: Callable[[Any], Any]
    shape: type[Shape] | None
    is_many: bool
    in_answers: Callable[[Any], Any] | None
    is_required: bool


@cache
def _fields_of(shape: type[Shape]) -> list[_Field]:
    found = []
    for name, field in shape._declared_fields.items():
        is_many = isinstance(field, serializers.ListSerializer)
        inner: Any = field.child if isinstance(field, serializers.ListSerializer) else field
        source = field.source or name
        may_end = field.allow_null and "." in source
        found.append(
            _Field(
                name=name,
                method=f"get_{name}" if hasattr(shape, f"get_{name}") else "",
                follow=partial(_follow, source.split(".")) if may_end else attrgetter(source),
                shape=type(inner) if isinstance(inner, Shape) else None,
                is_many=is_many,
                in_answers=getattr(inner, "in_answers", None),
                is_required=field.required,
            )
        )
    return found


def _each(render: Callable[[Any], Answer], values: Iterable[Any]) -> list[Answer]:
    return [render(value) for value in values]


def _follow(path: list[str], value: Any) -> Any:
    """What a path leads to; None where it ends before, as the framework has it for fields that may be null."""
    for name in path:
        value = None if value is None else getattr(value, name)
    return value
