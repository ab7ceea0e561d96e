"""A player's public ratings by map and by character, and their mean."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from ratings.ledger.forecasts import Belief, Forecaster, aged
from ratings.models import Facet, MatchState, Participant, Rating, RatingTrack, Status
from ratings.tracks.facet_values import Overall, overall_of

__all__ = ["FacetRating", "FacetRatings", "facets_by_ladder", "with_gaps"]


@dataclass(frozen=True, slots=True)
class FacetRating:
    """A rating on one map or with one character, as of now."""

    rating: Rating
    belief: Belief

    @property
    def name(self) -> str:
        """Of the map or character; words where a game did not name one."""
        return self.rating.facet or _("not specified")


@dataclass(frozen=True, slots=True)
class FacetRatings:
    """All of a player's ratings by map, or by character, the one played most first.

    `gap`: matches counted here that the rating as a whole doesn't count yet; below 0 it is the other way round.
    """

    track: RatingTrack
    overall: Overall
    ratings: Sequence[FacetRating]
    gap: int = 0

    @property
    def missing(self) -> int:
        """Matches that the rating as a whole counts already."""
        return -self.gap

    @property
    def title(self) -> str:
        """Which of the two."""
        return _("By map") if self.track.facet == Facet.MAP else _("By character")

    @property
    def status(self) -> Status:
        """Of the mean: established when most of its games belong to established ratings."""
        certain = sum(
            one.rating.games for one in self.ratings if one.belief.status == Status.ESTABLISHED
        )
        return Status.ESTABLISHED if certain * 2 > self.overall.games else Status.PROVISIONAL

    @property
    def is_provisional(self) -> bool:
        """Whether the mean carries the mark."""
        return self.status != Status.ESTABLISHED


def facets_by_ladder(
    rows: Iterable[Rating], forecasters: dict[int, Forecaster], now: datetime
) -> dict[int, list[FacetRatings]]:
    """Sort public ratings of one player by ladder and track; maps before characters."""
    by_track: dict[int, list[Rating]] = {}
    for row in rows:
        by_track.setdefault(row.track_id, []).append(row)
    found: dict[int, list[FacetRatings]] = {}
    for pk in sorted(by_track, key=lambda pk: forecasters[pk].track.facet, reverse=True):
        track = forecasters[pk].track
        ordered = sorted(by_track[pk], key=lambda row: (-row.games, row.facet))
        ratings = [FacetRating(row, aged(forecasters[pk], row, now)) for row in ordered]
        found.setdefault(track.ladder_id, []).append(
            FacetRatings(track, overall_of(ordered), ratings)
        )
    return found


def with_gaps(
    found: Mapping[int, Sequence[FacetRatings]], wholes: Sequence[Rating]
) -> dict[int, list[FacetRatings]]:
    """The same by ladder, each with its gap to the player's rating as a whole. One query, and only where one was rated
    further than the other: tracks with periods of their own wait for different days.
    """
    reached = {row.track.ladder_id: row.track.rated_seq for row in wholes}
    facets = [one for of_ladder in found.values() for one in of_ladder]
    counts, signs, anywhere = {}, {}, Q()
    for track in (one.track for one in facets):
        low, high = sorted((track.rated_seq, reached.get(track.ladder_id, track.rated_seq)))
        if low < high:
            between = Q(
                match__ladder=track.ladder_id,
                match__ladder_seq__gt=low,
                match__ladder_seq__lte=high,
            )
            counts[f"of_{track.pk}"] = Count("pk", filter=between)
            signs[f"of_{track.pk}"] = 1 if high == track.rated_seq else -1
            anywhere |= between
    # Looked for among the few matches in between, and not among all that the player has had.
    played = Participant.objects.filter(anywhere, match__state=MatchState.CONFIRMED)
    told = played.filter(player=wholes[0].player_id).aggregate(**counts) if counts else {}
    gaps = {name: signs[name] * number for name, number in told.items()}
    return {
        ladder: [replace(one, gap=gaps.get(f"of_{one.track.pk}", 0)) for one in of_ladder]
        for ladder, of_ladder in found.items()
    }
