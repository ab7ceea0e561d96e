"""The description of the API as it is sent: built once in a process, in English, and packed once."""

import gzip
import json
import threading
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from django.utils.translation import override
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer

from accounts.texts.current import site_texts
from api.schema.shared_parts import share

__all__ = ["FORMS", "published"]

_RENDERERS = {"yaml": OpenApiYamlRenderer, "json": OpenApiJsonRenderer}
FORMS = tuple(_RENDERERS)
_building = threading.Lock()


@dataclass(frozen=True, slots=True)
class Published:
    """The description in one form; `etag` names its content."""

    media_type: str
    body: bytes
    packed: bytes
    etag: str


def published(form: str) -> Published:
    """The description as `yaml` or `json`. Whoever comes while it is built waits for it."""
    with override("en"):
        name = site_texts().name()
    with _building:
        return _build(form, name)


@lru_cache(maxsize=2 * len(_RENDERERS))
def _build(form: str, _name: str) -> Published:
    """Anew where the site has another name."""
    renderer = _RENDERERS[form]()
    with override("en"):
        schema = share(SchemaGenerator().get_schema(public=True))  # type: ignore[no-untyped-call]
        text = renderer.render(schema, renderer_context={})
    if form == "json":  # for programs: without the space between its parts, which is half of it
        text = json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False)
    body = text.encode() if isinstance(text, str) else text
    name = sha256(body).hexdigest()[:32]
    return Published(renderer.media_type, body, gzip.compress(body, 9, mtime=0), name)
