"""When to play: who searches, the best hours, and rounds at set times."""

from rest_framework import serializers

from api.contract.shapes import Answer, Shape
from matchmaking.pool.best_hour import BestHours, HalfHour
from matchmaking.pool.near import SearchingNow
from matchmaking.rounds.to_come import ComingRound

__all__ = ["EntryShape", "HoursShape", "RoundShape", "hours_answer", "round_answer"]


class HalfHourShape(Shape):
    """A half hour of the week, by the clocks of the zone that was asked for."""

    weekday = serializers.IntegerField(help_text="1 is Monday, 7 Sunday.")
    at = serializers.CharField(help_text="When it begins: `19:30`.")
    wait = serializers.FloatField(
        help_text="Seconds within which half of those who found a match did."
    )
    searches = serializers.IntegerField(help_text="How many it is known from.")


class HoursShape(Shape):
    """Who searches now, and when one finds a match soonest."""

    zone = serializers.CharField(help_text="Whose clocks.")
    waiting = serializers.IntegerField(help_text="Players searching now.")
    near = serializers.ChoiceField(
        choices=["nobody", "some", "several"],
        allow_null=True,
        help_text="How many searches are near the player that the token acts for: roughly, and on ranked ladders "
        "alone; else null.",
    )
    today = HalfHourShape(allow_null=True, help_text="The best of what is left of today.")
    week = HalfHourShape(allow_null=True, help_text="The best of the week; null: too little known.")
    known = serializers.IntegerField(help_text="Half hours of the week of which enough is known.")


class RoundShape(Shape):
    """A round at a set time: all who joined and are there begin to search at once."""

    id = serializers.IntegerField()
    queue = serializers.CharField(help_text="Short name of the queue.")
    starts_at = serializers.DateTimeField()
    joined = serializers.IntegerField(help_text="Players who have joined.")
    is_joined = serializers.BooleanField(
        allow_null=True, help_text="Whether the player has joined; null: no player asks."
    )
    is_there = serializers.BooleanField(
        allow_null=True, help_text="Whether the player counts as being there, as after joining."
    )


class EntryShape(Shape):
    """A player in a round."""

    round = serializers.IntegerField(help_text="Id of the round.")
    player = serializers.IntegerField(help_text="Id of the player.")
    starts_at = serializers.DateTimeField(help_text="When the round begins.")
    is_there = serializers.BooleanField(
        help_text="Whether this counts as being there: joined again within 15 minutes before."
    )


def hours_answer(zone: str, searching: SearchingNow, best: BestHours) -> Answer:
    """What `HoursShape` shows."""
    return {
        "zone": zone,
        "waiting": searching.players,
        "near": searching.near,
        "today": _half_hour(best.today),
        "week": _half_hour(best.week),
        "known": best.known,
    }


def _half_hour(found: HalfHour | None) -> Answer | None:
    if found is None:
        return None
    return {
        "weekday": found.weekday,
        "at": f"{found.at:%H:%M}",
        "wait": found.wait,
        "searches": found.searches,
    }


def round_answer(coming: ComingRound, slug: str, *, is_asked_by_player: bool) -> Answer:
    """What `RoundShape` shows."""
    found = coming.round
    return {
        "id": found.pk,
        "queue": slug,
        "starts_at": found.starts_at,
        "joined": coming.joined,
        "is_joined": coming.is_in if is_asked_by_player else None,
        "is_there": coming.is_there if is_asked_by_player else None,
    }
