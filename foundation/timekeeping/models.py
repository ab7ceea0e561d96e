"""Heartbeats: when each machine was last seen, by the database's clock and by the machine's own that nobody sets."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Heartbeat(models.Model):
    """The last moment at which time was steady on one machine since it booted."""

    machine = models.CharField(
        _("machine"), max_length=80, primary_key=True, help_text=_("Since it booted: its boot id.")
    )
    at = models.DateTimeField(_("time"))
    uptime = models.FloatField(_("seconds since it booted"))
    # The last jump ahead that was believed, by which deadlines from before are still judged.
    turned_at = models.DateTimeField(null=True, editable=False)
    turned_by = models.FloatField(null=True, editable=False)
    # The last outage that was noted here: nothing had been written on any machine.
    outage_since = models.DateTimeField(null=True, editable=False)
    outage_until = models.DateTimeField(null=True, editable=False)

    class Meta:
        app_label = "foundation"
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")
        ordering = ["-at"]

    def __str__(self) -> str:
        return self.machine


class ClockPause(models.Model):
    """The clock has jumped. While this row is there, nothing ends by time alone; there is one at most."""

    singleton = models.BooleanField(primary_key=True, default=True, editable=False)
    trusted_at = models.DateTimeField(
        _("last steady time"), help_text=_("What is over by then is closed; nothing after it.")
    )
    off_by = models.FloatField(
        _("seconds off"), help_text=_("How far the clock was from what it should have said.")
    )
    # From here steady time is counted.
    machine = models.CharField(_("machine"), max_length=80)
    at = models.DateTimeField(_("steady since"))
    uptime = models.FloatField(_("seconds since it booted"))
    seen_at = models.DateTimeField(_("last looked at"))

    class Meta:
        app_label = "foundation"
        verbose_name = _("pause of the clock")
        verbose_name_plural = _("pauses of the clock")
        constraints = [
            models.CheckConstraint(condition=Q(singleton=True), name="clock_pause_at_most_one")
        ]

    def __str__(self) -> str:
        return str(self._meta.verbose_name)

    @property
    def turn(self) -> datetime:
        """Halfway from the time before the jump to the time after it: between what began before and what after."""
        half = timedelta(seconds=self.off_by / 2)
        return self.trusted_at + half
