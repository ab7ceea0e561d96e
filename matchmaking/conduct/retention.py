"""What of conduct is kept no longer: offences that have faded, standings that nothing is left of, old absences."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from matchmaking.models import Absence, AppealState, ConductRules, ConductStanding, Offence
from ratings.models import OPEN, MatchState

__all__ = ["forgotten"]

_HALF_LIVES = 10  # after them less than a thousandth is left
_ABSENCES = timedelta(days=30)


def forgotten(now: datetime) -> dict[str, QuerySet[Any]]:
    """What may be deleted now, by name, in this order. One query."""
    rules = list(ConductRules.objects.values_list("game", "half_life_days"))
    usual = ConductRules().half_life_days
    faded = Q(at__lt=_faded_at(usual, now)) & ~Q(player__game__in=[game for game, _days in rules])
    for game, days in rules:
        faded |= Q(player__game=game, at__lt=_faded_at(days, now))
    own = Offence.objects.filter(Q(player=OuterRef("pk")) | Q(player__merged_into=OuterRef("pk")))
    undecided = [*OPEN, MatchState.DISPUTED]
    return {
        "offences": Offence.objects.filter(faded).exclude(appeal__state=AppealState.OPEN),
        "conduct_standings": ConductStanding.objects.filter(
            ~Exists(own), Q(cooling_until__isnull=True) | Q(cooling_until__lt=now)
        ),
        "absences": Absence.objects.filter(away_at__lt=now - _ABSENCES).exclude(
            match__state__in=undecided
        ),
    }


def _faded_at(half_life_days: float, now: datetime) -> datetime:
    """Offences of before then have faded. Of a half-life of years, none that is older than any site."""
    return now - timedelta(days=min(_HALF_LIVES * half_life_days, 36_500))
