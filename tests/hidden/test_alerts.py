"""Alerts tell of no hidden rating: who is told of whose search, when and how is the same whatever they are."""

import pytest

from accounts.models import User
from matchmaking.alerts.send import tell_of_searches
from matchmaking.alerts.wish import switch_on
from matchmaking.models import AlertWish, SearchTold
from matchmaking.pairing.nearness import Nearness
from notifications.models import Choice, Delivery, Notice, PushSubscription, Way
from ratings.models import Mode
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db
PLAYERS = 6
RATINGS = [1200.0 + 90 * number for number in range(PLAYERS)]


def told_of_each(mode: Mode, ratings: list[float]) -> list[str]:
    """Each of a pool searches alone in turn; what the others are told, in the order in which it was written."""
    hall = make_hall(PLAYERS, mode=mode, gap_start=20, gap_per_second=5, gap_cap=300)
    hall.rate(dict(enumerate(ratings)))
    near = Nearness.CLOSE if mode == Mode.RANKED else Nearness.ANYBODY
    for number, player in enumerate(hall.players):
        player.user = User.objects.create_user(f"{hall.queue.slug}-{number}")
        player.save()
        PushSubscription.objects.create(
            account=player.user,
            endpoint=f"https://push.example.org/{player.pk}",
            p256dh="x",
            auth="x",
        )
        with hall.at_now():
            switch_on(player=player, queue=hall.queue, near=near, until=None)
    # As of a time when the ladder showed ratings, and by every way.
    AlertWish.objects.update(near=Nearness.CLOSE)
    Choice.objects.bulk_create(
        Choice(player=player, group="alerts", way=way, wanted=True)
        for player in hall.players
        for way in Way
    )
    hall.queue.settings = {"alerts": {"at_most": 2, "pause": 1, "again": 30}}
    hall.queue.save()
    found: list[str] = []
    for number in range(PLAYERS):
        hall.join(number)
        for _look in range(3):
            hall.wait(15)
            with hall.at_now():
                tell_of_searches()
            found += _told(hall, number)
        hall.cancel(number)
    return found


def _told(hall: Hall, searching: int) -> list[str]:
    """What is new, without what names players and rows by their keys."""
    numbers = {player.pk: number for number, player in enumerate(hall.players)}
    lines = [
        f"{hall.seconds} {searching} → {numbers[one.player_id]}: {one.kind} {sorted(one.data)} {one.on_site}"
        for one in Notice.objects.filter(player__in=numbers, created_at=hall.now).order_by("pk")
    ]
    lines += [
        f"{hall.seconds} {searching} → {numbers[one.notice.player_id]}: {one.way}"
        f" {one.due_at - hall.now} {one.until and one.until - hall.now}"
        for one in Delivery.objects.select_related("notice").order_by("pk")
    ]
    lines += [
        f"looked at: {SearchTold.objects.filter(ticket__queue=hall.queue, told_at=hall.now).count()}"
    ]
    Delivery.objects.all().delete()
    return lines


def test_where_ratings_are_hidden_they_change_nothing() -> None:
    plain = told_of_each(Mode.NORMAL, RATINGS)
    assert sum("push" in line for line in plain) > 10
    others = [RATINGS[::-1], [RATINGS[0]] + [9000.0] * (PLAYERS - 1)]
    for ratings in others:
        assert told_of_each(Mode.NORMAL, ratings) == plain


def test_the_same_reading_finds_those_that_a_ranked_ladder_shows() -> None:
    """Else what finds nothing would prove nothing."""
    plain = told_of_each(Mode.RANKED, RATINGS)
    assert sum("alert.near" in line for line in plain) > 5
    far = [RATINGS[0]] + [9000.0 + 1000 * number for number in range(PLAYERS - 1)]
    assert told_of_each(Mode.RANKED, far) != plain
