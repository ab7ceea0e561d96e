"""A server that is connected, and what has come of what it sent."""

from collections import Counter

from django.test import Client

from ratings.logs.connectors.connect import connect
from ratings.models import ConnectorKind, EventKind, GameServer, LogEvent, ServerConnector
from tests.ratings.logs.telling import make_server

__all__ = ["Connected", "connected", "counted"]


class Connected:
    """A server with its connector; `secret` is what it was given."""

    def __init__(self, server: GameServer, secret: str) -> None:
        self.server, self.secret = server, secret

    @property
    def counts(self) -> dict[str, int]:
        """What its connector has counted, without what is 0."""
        names = (
            "received",
            "told",
            "known",
            "unread",
            "late",
            "lost",
            "refused",
            "dropped",
            "unreconciled",
        )
        found = ServerConnector.objects.filter(pk=self.server.pk).values(*names).get()
        return {name: count for name, count in found.items() if count}

    def post(self, body: str | bytes, secret: str | None = None, **headers: str) -> int:
        """Send a body by HTTP, with the secret in the address; the status of the answer."""
        address = f"/connect/arena/{self.server.slug}/{self.secret if secret is None else secret}"
        answer = Client().post(address, body, content_type="text/plain", headers=headers)
        return answer.status_code


def connected(kind: ConnectorKind, slug: str = "dm1", **options: object) -> Connected:
    """A server of the game `arena`, connected in this way."""
    server = make_server(slug, start=1000)
    return Connected(server, connect(server, kind, **options))  # type: ignore[arg-type]


def counted(server: GameServer) -> dict[str, int]:
    """Events that a server has told, by their types."""
    kinds = LogEvent.objects.filter(log__server=server).values_list("kind", flat=True)
    return dict(Counter(EventKind(kind).name.lower() for kind in kinds))
