"""What annulling a match would do, before it is done: for the page on which an operator decides."""

from dataclasses import dataclass

from django.db.models import F, OuterRef, Q, Subquery

from ratings.models import Facet, Match, MatchState, RatingChange, RatingTrack, TrackState
from ratings.tracks.periods import start_of

__all__ = ["Annulment", "TrackAnnulled", "preview_annulment", "replays_under_way"]


@dataclass(frozen=True, slots=True)
class TrackAnnulled:
    """What becomes of one track.

    is_replayed  False where it has not come to the match yet: it will pass it over
    is_begun     it is being computed anew already, and starts over
    changes      rows of the ledger, with `points`: what the match did to its players, or their period with it
    """

    track: RatingTrack
    is_replayed: bool
    is_begun: bool
    changes: list[RatingChange]


@dataclass(frozen=True, slots=True)
class Annulment:
    """What would follow.

    later     confirmed matches after it in the ladder's sequence, whose changes are computed anew
    all       confirmed matches that every replay rates, for it begins with the first
    """

    later: int
    all: int
    tracks: list[TrackAnnulled]

    @property
    def replayed(self) -> int:
        """How many tracks are computed anew."""
        return sum(track.is_replayed for track in self.tracks)


def preview_annulment(match: Match, *, is_kept: bool = False) -> Annulment:
    """Say what annulling a confirmed match would do as things are now. Reads only; nothing is held.

    With `is_kept` it counts on, with another result.
    """
    seq = match.ladder_seq
    counting = Match.objects.filter(ladder=match.ladder_id, state=MatchState.CONFIRMED)
    sequenced = counting.filter(ladder_seq__isnull=False).exclude(pk=match.pk)
    later = 0 if seq is None else sequenced.filter(ladder_seq__gt=seq).count()
    earlier = 0 if seq is None else sequenced.filter(ladder_seq__lt=seq).count()
    tracks = RatingTrack.objects.filter(ladder=match.ladder_id)
    running = {track.replaces_id: track for track in tracks.filter(state=TrackState.REPLAY)}
    live = tracks.filter(state=TrackState.LIVE).select_related("ladder").order_by("-shown", "pk")
    annulled = []
    for track in live:
        # As `ratings.runs.replay` decides: a track that has come to the match, or counts periods from it, begins anew.
        nearest = running.get(track.pk) or track
        start = start_of(nearest, without=None if is_kept else match.pk)
        is_passed_over = seq is None or (
            nearest.rated_seq < seq and nearest.starts_at in (None, start)
        )
        changes: list[RatingChange] = []
        if seq is not None:
            cause = Q(match=match) | Q(period__first_seq__lte=seq, period__last_seq__gte=seq)
            participants = match.participants.values("player")
            rows = RatingChange.objects.filter(cause, track=track, player__in=participants)
            if track.facet == Facet.MAP:
                rows = rows.filter(facet=match.map)
            elif track.facet == Facet.CHARACTER:
                own = match.participants.filter(player=OuterRef("player"))
                rows = rows.filter(facet=Subquery(own.values("character")[:1]))
            named = rows.select_related("player", "period", "track__ladder").order_by("pk")
            changes = list(named.annotate(points=F("value_after") - F("value_before"))[:200])
        annulled.append(TrackAnnulled(track, not is_passed_over, track.pk in running, changes))
    kept = int(is_kept and seq is not None)
    return Annulment(later=later, all=later + earlier + kept, tracks=annulled)


def replays_under_way(ladder_id: int) -> list[RatingTrack]:
    """Return the replays of a ladder that have not taken their places yet, the shown one's first."""
    replays = RatingTrack.objects.filter(ladder=ladder_id, state=TrackState.REPLAY)
    return list(replays.select_related("ladder", "replaces").order_by("-replaces__shown", "pk"))
