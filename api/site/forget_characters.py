"""Characters called after a person who is taken out of the site: in searches, in matches, and what ratings are of."""

from collections.abc import Iterable, Sequence
from itertools import chain

from django.db import connection
from django.db.models import F

from api.site.naming import Naming
from api.site.taken import Taken
from foundation.postgresql.lease import Lock, hold_firmly
from matchmaking.models import Preference, TicketMember
from ratings.models import Facet, Participant, Player, Rating, RatingChange, RatingTrack

__all__ = ["forget_in_characters"]

_LONGEST = 60  # of a character's name


def forget_in_characters(players: Sequence[Player], naming: Naming, taken: Taken) -> None:
    """Give characters of the same games other names where theirs name the person, wherever they stand.

    No two become one, so ratings stay what they are, also when they are replayed.
    """
    games = {one.game_id for one in players}
    played = Participant.objects.filter(player__game__in=games)
    searched = TicketMember.objects.filter(player__game__in=games)
    kept = Preference.objects.filter(player__game__in=games)
    tracks = RatingTrack.objects.filter(ladder__game__in=games, facet=Facet.CHARACTER)
    rated = Rating.objects.filter(track__in=tracks)
    # Few names stand in many rows: each is looked at once.
    known = {
        *played.order_by().values_list("character", flat=True).distinct(),
        *searched.order_by().values_list("character", flat=True).distinct(),
        *kept.order_by().values_list("character", flat=True).distinct(),
        *rated.order_by().values_list("facet", flat=True).distinct(),
    }
    new_names = _new_names(known, naming)
    if not new_names:
        return
    for ladder in sorted(set(tracks.values_list("ladder", flat=True))):
        hold_firmly(Lock.LADDER, ladder)
    tracks.update(revision=F("revision") + 1)  # runs under way start over, and read the new names
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL evenmatch.forget_in_ledger = 'on'")
    for old, new in new_names.items():
        taken.replace(played.filter(character=old), character=new)
        taken.replace(searched.filter(character=old), character=new)
        taken.replace(kept.filter(character=old), character=new)
        of_it = rated.filter(facet=old)
        whose = sorted(set(of_it.values_list("player", flat=True)))
        changes = RatingChange.objects.filter(track__in=tracks, player__in=whose, facet=old)
        taken.replace(changes, facet=new)
        taken.replace(of_it, facet=new)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL evenmatch.forget_in_ledger = 'off'")


def _new_names(known: Iterable[str], naming: Naming) -> dict[str, str]:
    """What those that name the person are called from now on: names that no other has."""
    used, found = set(known), dict[str, str]()
    for old in sorted(name for name in used if name and naming.are_in(name)):
        cut = naming.cut_from(old)
        others = (f"{cut[: _LONGEST - 8]} ({number})" for number in range(2, 1_000_000))
        new = next(name for name in chain([cut[:_LONGEST]], others) if name not in used)
        used.add(new)
        found[old] = new
    return found
