"""What may be shown: the shown tracks of ranked ladders. Every page begins here."""

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from ratings.models import Ladder, Match, RatingTrack

__all__ = ["ladders_of_matches", "public_ladders", "shown_tracks"]


def public_ladders() -> QuerySet[Ladder]:
    """Ranked ladders with their games, in the order of pages."""
    return Ladder.objects.public().select_related("game")


def shown_tracks(ladders: Iterable[Ladder]) -> dict[int, RatingTrack]:
    """The track that players see, by ladder id; ladders that are not public are left out. One query."""
    by_id = {ladder.pk: ladder for ladder in ladders}
    tracks = RatingTrack.objects.filter(
        Q(shown=True, facet=""), ladder__in=Ladder.objects.public().filter(pk__in=by_id)
    ).select_related("board")
    found = {track.ladder_id: track for track in tracks}
    for ladder_id, track in found.items():
        track.ladder = by_id[ladder_id]
    return found


def ladders_of_matches(matches: Iterable[Match]) -> list[Ladder]:
    """The ladders of matches that were read with them."""
    return list({match.ladder_id: match.ladder for match in matches}.values())
