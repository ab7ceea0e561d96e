"""What server keys and player tokens have in common."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from api.auth.scopes import Scope

__all__ = ["Held", "constraints_of"]


class Held(models.Model):
    """A secret that somebody holds: found by its prefix, known by its digest, good until it expires or is revoked."""

    name = models.CharField(_("name"), max_length=80, help_text=_("To tell it from others later."))
    prefix = models.CharField(_("begins with"), max_length=8, unique=True, editable=False)
    digest = models.CharField(_("SHA-256"), max_length=64, editable=False)
    scopes = ArrayField(models.CharField(max_length=20, choices=Scope), verbose_name=_("scopes"))
    created_at = models.DateTimeField(_("created"), db_default=TransactionNow(), editable=False)
    expires_at = models.DateTimeField(
        _("expires"), null=True, blank=True, help_text=_("Empty: good until it is revoked.")
    )
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True, editable=False)
    last_used_at = models.DateTimeField(
        _("last used"), null=True, editable=False, help_text=_("To the minute.")
    )

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix})"


def constraints_of(name: str, scopes: tuple[Scope, ...]) -> list[models.BaseConstraint]:
    """What the database holds of either kind; `scopes` are those it may have."""
    allowed = [scope.value for scope in scopes]
    return [
        models.CheckConstraint(condition=~Q(name=""), name=f"{name}_has_a_name"),
        models.CheckConstraint(
            condition=Q(prefix__regex=r"^[a-z0-9]{8}$", digest__regex=r"^[0-9a-f]{64}$"),
            name=f"{name}_secret_is_a_digest",
        ),
        models.CheckConstraint(
            condition=Q(scopes__contained_by=allowed, scopes__len__gte=1), name=f"{name}_scopes"
        ),
        models.CheckConstraint(
            condition=Q(expires_at__isnull=True) | Q(expires_at__gt=F("created_at")),
            name=f"{name}_expires_after_it_is_made",
            violation_error_message=_("The expiry date must be in the future."),
        ),
        models.CheckConstraint(
            condition=Q(revoked_at__isnull=True) | Q(revoked_at__gte=F("created_at")),
            name=f"{name}_revoked_after_it_is_made",
        ),
    ]
