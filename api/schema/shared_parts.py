"""The description without repetition: what several operations have alike stands in it once, and they refer to it."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

__all__ = ["share"]

Part = dict[str, Any]
_LONG = 200  # signs of an example from which on a reference is shorter


def share(schema: Part) -> Part:
    """Move to the components what stands there more than once: refusals, parameters, links, long examples.
    Changes it.
    """
    operations = [it for methods in schema["paths"].values() for it in methods.values()]
    refusals = _Shared("responses")
    parameters = _Shared("parameters")
    examples = _Shared("examples")
    links = _share_links(operations)
    for operation in operations:
        for status, response in _refusals(operation):
            refusals.count(f"Error{status}", response)
        for parameter in operation.get("parameters", ()):
            words = parameter["name"].replace("-", "_").split("_")
            parameters.count("".join(map(str.capitalize, words)), parameter)
        for shown in _shown(operation):
            for example in shown.values():
                examples.count("Example", example)
    for operation in operations:
        for status, response in _refusals(operation):
            operation["responses"][status] = refusals.refer(response)
        if asked := operation.get("parameters"):
            operation["parameters"] = [parameters.refer(parameter) for parameter in asked]
        for shown in _shown(operation):
            for name, example in shown.items():
                shown[name] = examples.refer(example)
    for shared in (refusals, parameters, examples, links):
        present = schema["components"].get(shared.kind, {})
        schema["components"][shared.kind] = dict(sorted({**present, **shared.components}.items()))
    return schema


class _Shared:
    """Parts of one kind: how often each stands there, and the names of those that do so more than once."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.components: dict[str, Part] = {}
        self._times: Counter[str] = Counter()
        self._names: dict[str, str] = {}

    def count(self, name: str, part: Part) -> None:
        """Note that it stands there, under this name once there are two of it; another one gets a number."""
        key = json.dumps(part, sort_keys=True)
        if self.kind == "examples" and len(key) < _LONG:
            return
        self._times[key] += 1
        if self._times[key] == 2:
            taken = sum(1 for other in self.components if other.partition("-")[0] == name)
            self._names[key] = f"{name}-{taken + 1}" if taken else name
            self.components[self._names[key]] = part

    def refer(self, part: Part) -> Part:
        """The part, or where it stands."""
        name = self._names.get(json.dumps(part, sort_keys=True))
        return part if name is None else {"$ref": f"#/components/{self.kind}/{name}"}


def _share_links(operations: Iterable[Part]) -> _Shared:
    """Refer to what leads to the same place from several answers."""
    answers = [answer for operation in operations for answer in operation["responses"].values()]
    linked: list[dict[str, Part]] = [answer["links"] for answer in answers if "links" in answer]
    links = _Shared("links")
    for ways in linked:
        for link in ways.values():
            links.count("Link", link)
    for ways in linked:
        for name, link in ways.items():
            ways[name] = links.refer(link)
    return links


def _refusals(operation: Part) -> Iterator[tuple[str, Part]]:
    return iter([it for it in operation["responses"].items() if int(it[0]) >= 400])


def _shown(operation: Part) -> Iterator[dict[str, Part]]:
    """The examples of what an operation takes, and of what it gives when all is well, by their names."""
    good = [it for status, it in operation["responses"].items() if int(status) < 300]
    for place in (operation.get("requestBody", {}), *good):
        for media in place.get("content", {}).values():
            yield media.get("examples", {})
