"""A player's public ratings by map and by character, and their mean."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from ratings.ledger.forecasts import Belief, Forecaster, aged
from ratings.models import Facet, Rating, RatingTrack, Status
from ratings.tracks.facet_values import Overall, overall_of

__all__ = ["FacetRating", "FacetRatings", "facets_by_ladder"]


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
    """All of a player's ratings by map, or by character, the one played most first."""

    track: RatingTrack
    overall: Overall
    ratings: Sequence[FacetRating]

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
