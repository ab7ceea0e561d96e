"""What people decide about conduct: bad manners, reports that count, and what is taken back."""

from collections.abc import Collection
from datetime import datetime, timedelta

from accounts import audit
from accounts.models import User
from foundation.postgresql.transactions import briefly
from matchmaking.conduct.charge import Charge, charge, reckon
from matchmaking.conduct.refusals import NoTextError, OffenceTakenBackError
from matchmaking.conduct.rules import rules_of
from matchmaking.conduct.told import tell_taken_back
from matchmaking.models import Offence, OffenceKind
from ratings.models import Match, Player
from ratings.players.own_matters import check_not_own, met_by

__all__ = [
    "LONGEST_REASON",
    "MAY_TAKE_BACK",
    "confirm_bad_manners",
    "note_report",
    "take_back",
    "take_back_held",
]

LONGEST_REASON = 500
MAY_TAKE_BACK = "matchmaking.change_offence"


def confirm_bad_manners(
    player: Player,
    match: Match | None,
    by: User | None,
    reason: str,
    points: float | None = None,
    *,
    cools_for: timedelta | None = None,
) -> Offence:
    """Charge a player with bad manners, as a moderator who has looked into it. Audited.

    points     None: what the rules of the game say
    cools_for  how long the player cools off at least; None: as the rules say

    Raises NoTextError, and OwnMatterError where it concerns the moderator's own player.
    """
    said = _words(reason)
    check_not_own(by, {player.pk, *met_by(player.pk)}, right=MAY_TAKE_BACK)
    with briefly() as now:
        one = Charge(
            player_id=player.pk,
            kind=OffenceKind.MANNERS,
            at=now,
            match_id=None if match is None else match.pk,
            by_id=None if by is None else by.pk,
            reason=said,
            points=rules_of(player.game_id).manners if points is None else points,
            cools_for=cools_for,
        )
        offence = Offence.objects.get(pk=charge([one], now)[0])
        after = {"player": player.pk, "points": offence.points}
        audit.record(actor=by, action="offence.confirmed", target=offence, after=after, note=said)
    return offence


def note_report(
    player: Player, by: Player, match: Match | None, reason: str = ""
) -> Offence | None:
    """Count another player's report against a player. None where it counts nothing.

    Of one player one report counts within a half-life; and of all no more than the rules say.
    """
    rules = rules_of(player.game_id)
    with briefly() as now:
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        lately = Offence.objects.filter(
            player=player,
            kind=OffenceKind.REPORTED,
            at__gt=now - timedelta(days=rules.half_life_days),
            taken_back_at=None,
        )
        reporters = set(lately.values_list("reporter", flat=True))
        if player.pk == by.pk or by.pk in reporters or len(reporters) >= rules.reports_at_most:
            return None
        one = Charge(
            player_id=player.pk,
            kind=OffenceKind.REPORTED,
            at=now,
            match_id=None if match is None else match.pk,
            reporter_id=by.pk,
            reason=reason[:LONGEST_REASON],
        )
        new = charge([one], now)
        return Offence.objects.get(pk=new[0]) if new else None


def take_back(offence: Offence, by: User | None, reason: str) -> Offence:
    """Let an offence count no more, nor what it led to. Audited, and told to the player.

    Raises NoTextError, OffenceTakenBackError, and OwnMatterError where it concerns the operator's own player.
    """
    said = _words(reason)
    check_not_own(by, {offence.player_id, *met_by(offence.player_id)}, right=MAY_TAKE_BACK)
    with briefly() as now:
        held = Offence.objects.select_for_update(no_key=True).get(pk=offence.pk)
        if held.taken_back_at is not None:
            raise OffenceTakenBackError(held.pk)
        take_back_held([held.pk], now, by=by, reason=said)
        after = {"player": held.player_id, "taken_back": True}
        audit.record(actor=by, action="offence.taken_back", target=held, after=after, note=said)
    return Offence.objects.get(pk=offence.pk)


def take_back_held(
    offences: Collection[int], now: datetime, *, by: User | None = None, reason: str = ""
) -> None:
    """Take these back, reckon anew where their players stand, and tell them. In a transaction of the caller's."""
    rows = Offence.objects.filter(pk__in=offences, taken_back_at=None).order_by("player_id", "pk")
    concerned = list(rows.values_list("pk", "player_id"))
    Offence.objects.filter(pk__in=[pk for pk, _player in concerned]).update(
        taken_back_at=now, taken_back_by=by, taken_back_because=reason
    )
    reckon({player for _pk, player in concerned}, now)
    for pk, player in concerned:
        tell_taken_back(player, pk)


def _words(given: str) -> str:
    said = given.strip()
    if not said or len(said) > LONGEST_REASON:
        raise NoTextError(LONGEST_REASON)
    return said
