"""Connectors: how a game server that cannot call the API is heard, and what was heard so far."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from ratings.models.logs import GameServer


class ConnectorKind(models.TextChoices):
    """The way in which a server sends."""

    SOURCE = "source", _("Half-Life and Source: log lines by UDP")
    CS2 = "cs2", _("Counter-Strike 2: log lines by HTTP")
    MATCHZY = "matchzy", _("MatchZy and Get5: events by HTTP")


class ServerConnector(models.Model):
    """What a server sends of its own accord becomes events of its matches.

    `state` is all that must be known to read on: it is written in the transaction of what was read, so that whoever
    receives may stop anywhere. Only a digest of the secret is kept.
    """

    server = models.OneToOneField(
        GameServer,
        verbose_name=_("game server"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="connector",
    )
    kind = models.CharField(_("kind"), max_length=20, choices=ConnectorKind)
    secret_digest = models.CharField(
        _("digest of the secret"), max_length=64, blank=True, editable=False
    )
    address = models.GenericIPAddressField(
        _("address"),
        null=True,
        blank=True,
        help_text=_("From which it sends. Empty: from any, the secret is enough."),
    )
    port = models.PositiveIntegerField(
        _("port"), null=True, blank=True, help_text=_("From which it sends. Empty: from any.")
    )
    by_name = models.BooleanField(
        _("players by name"),
        default=False,
        help_text=_("Players are told apart by their names, instead of by their Steam ids."),
    )
    free_for_all = models.BooleanField(
        _("free for all"),
        default=False,
        help_text=_("Everybody plays alone, whatever team the log says."),
    )
    created_at = models.DateTimeField(_("created"), db_default=Now(), editable=False)
    state = models.JSONField(_("state"), default=dict, editable=False)
    received = models.BigIntegerField(_("received"), default=0, help_text=_("Lines, or messages."))
    told = models.BigIntegerField(_("told"), default=0, help_text=_("Events that came of them."))
    known = models.BigIntegerField(_("doubled"), default=0, help_text=_("Came again; count once."))
    unread = models.BigIntegerField(_("unreadable"), default=0)
    late = models.BigIntegerField(
        _("too late"), default=0, help_text=_("Of a match that was over when they came.")
    )
    lost = models.BigIntegerField(
        _("lost"), default=0, help_text=_("Known never to have come: rounds, or pieces of the log.")
    )
    refused = models.BigIntegerField(
        _("refused"), default=0, help_text=_("Not taken, such as names that the site keeps.")
    )
    dropped = models.BigIntegerField(
        _("dropped"), default=0, help_text=_("Not from this server: a wrong secret or address.")
    )
    unreconciled = models.BigIntegerField(
        _("unreconciled"),
        default=0,
        help_text=_("Frags by which the totals of matches differ from what was told."),
    )
    last_received_at = models.DateTimeField(_("last received"), null=True, editable=False)
    last_dropped_at = models.DateTimeField(_("last dropped"), null=True, editable=False)

    class Meta:
        verbose_name = _("connector of a game server")
        verbose_name_plural = _("connectors of game servers")
        constraints = [
            models.UniqueConstraint(
                "secret_digest", name="connector_secret_unique", condition=~Q(secret_digest="")
            ),
            # Who sends no secret is known by where it sends from, and by nothing else.
            models.UniqueConstraint(
                "address",
                "port",
                name="connector_source_unique",
                condition=Q(secret_digest=""),
            ),
            models.CheckConstraint(
                condition=~Q(secret_digest="")
                | Q(kind="source", address__isnull=False, port__isnull=False),
                name="connector_is_known_by_something",
            ),
            models.CheckConstraint(
                condition=Q(port__isnull=True) | Q(port__gte=1, port__lte=65535),
                name="connector_port",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.server_id}: {self.get_kind_display()}"
