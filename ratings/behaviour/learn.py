"""Learning from behaviour: of each shown track anew once a day, where more has been told of its matches."""

from datetime import datetime, timedelta

import structlog
from django.db.models import Q

from foundation import clock
from foundation.postgresql.transactions import briefly
from ratings.behaviour.read import Established, read_established
from ratings.models import Behaviour, BehaviourModel, Feature, RatingTrack
from ratings.systems.behaviour import WINDOWS, judge, learn, means_of_last
from ratings.tracks.parameters import current_version, system_of

__all__ = ["due_tracks", "learn_track", "start_of_new"]

log = structlog.get_logger(__name__)

_OFTEN = timedelta(hours=20)


def due_tracks() -> list[int]:
    """Tracks that players see whose game has features: those not learned of yet, or not for a day while more was told.

    Also those whose features in use are others now. What is kept of tracks that players do not see any more goes.
    """
    public = RatingTrack.objects.public()
    BehaviourModel.objects.exclude(track__in=public).delete()
    now, due = clock.now(), list[int]()
    for track in public.filter(ladder__game__features__is_used=True).distinct().order_by("pk"):
        made = BehaviourModel.objects.filter(track=track).order_by("made_at").first()
        names = _names(track)
        told = Behaviour.objects.filter(participant__match__ladder=track.ladder_id)
        if made is None or made.features != names:
            is_due = told.exists()
        else:
            is_due = made.made_at < now - _OFTEN and told.filter(given_at__gt=made.made_at).exists()
        if is_due:
            due.append(track.pk)
    without = ~Q(track__ladder__game__features__is_used=True)
    BehaviourModel.objects.filter(without).delete()
    return due


def learn_track(track_id: int) -> list[BehaviourModel]:
    """Learn what established players of a track do, judge it on players held out, and keep it where it is better."""
    began = clock.now()
    track = RatingTrack.objects.public().filter(pk=track_id).first()
    if track is None:
        return []
    names = _names(track)
    told = read_established(track, names)
    start = start_of_new(track)
    made = [_model(told, window, names, start, began) for window in WINDOWS]
    with briefly():
        if not RatingTrack.objects.public().filter(pk=track_id).exists():
            return []
        BehaviourModel.objects.filter(track=track_id).delete()
        for model in made:
            model.track = track
        BehaviourModel.objects.bulk_create(made)
    log.info(
        "behaviour.learned",
        track=track_id,
        players=len(told.ratings),
        chosen=[model.chosen for model in made],
    )
    return made


def start_of_new(track: RatingTrack) -> float:
    """What the track gives new players."""
    system = system_of(current_version(track), track.period_days)
    return float(system.initial(1).value[0])


def _names(track: RatingTrack) -> list[str]:
    used = Feature.objects.filter(game__ladders=track.ladder_id, is_used=True)
    return list(used.order_by("name").values_list("name", flat=True))


def _model(
    told: Established, window: int, names: list[str], start: float, began: datetime
) -> BehaviourModel:
    """Of the players of whom so many matches are told."""
    players = len(told.ratings)
    features, counted = means_of_last(told.player, told.values, players=players, matches=window)
    enough = counted == window
    features, ratings = features[enough], told.ratings[enough]
    judged = judge(features, ratings, start=start)
    learned = learn(judged.chosen, features, ratings).as_json() if judged.chosen else None
    return BehaviourModel(
        matches=window,
        made_at=began,
        features=names,
        players=judged.players,
        errors=dict(judged.errors),
        folds=dict(judged.folds),
        gain_at_least=judged.gain_at_least,
        chosen=judged.chosen,
        worth=list(judged.worth),
        learned=learned,
    )
