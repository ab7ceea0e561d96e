"""A player with 20,000 games in one rating period: what pages that tell of them cost, closed and open."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks.figure import Figure

NAME = "busy-period"
FEW, MANY = 200, 20_000
OTHERS, DAYS, LOOKS = 100, 30.0, 5
START = datetime(2026, 1, 1, tzinfo=UTC)


def run() -> Iterator[Figure]:
    """CPU of each page; the peer is a player with 200 games."""
    from django.conf import settings
    from django.test import override_settings

    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    with override_settings(STORAGES={**settings.STORAGES, "staticfiles": plain}):
        costs = {
            (games, state): _costs(games, is_open=state == "open")
            for games in (FEW, MANY)
            for state in ("closed", "open")
        }
    for state in ("closed", "open"):
        for page, seconds in costs[MANY, state].items():
            few = costs[FEW, state][page]
            name = f"busy-period: {page} page, {MANY} games, {state}"
            peer = f"{FEW} games"
            yield Figure(name=name, value=seconds, unit="s CPU", peer=peer, peer_value=few)


def _costs(games: int, *, is_open: bool) -> dict[str, float]:
    from django.test import Client

    from foundation import clock

    site = make_site(games, is_open=is_open)
    now = START + timedelta(days=20 if is_open else 60)
    client, found = Client(headers={"host": "localhost"}), {}
    for page, address in site.items():
        with clock.at(now):
            answer = client.get(address)
            if answer.status_code != 200:
                raise RuntimeError(f"{address} answered {answer.status_code}")
            looks = [_cpu_of(client, address) for _ in range(LOOKS)]
        found[page] = round(sorted(looks)[LOOKS // 2], 4)
    return found


def _cpu_of(client: Any, address: str) -> float:
    began = time.process_time()
    client.get(address)
    return time.process_time() - began


def make_site(games: int, *, is_open: bool) -> dict[str, str]:
    """Addresses of the pages of a player who met a hundred others in turn, within 15 days."""
    from django.db import connection

    from foundation import clock
    from leaderboards.boards import refresh
    from ratings.models import Game, Ladder, Match, Participant, Player
    from ratings.runs.run import rate_track
    from ratings.tracks.parameters import create_track

    slug = f"busy-{games}-{'open' if is_open else 'closed'}"
    game = Game.objects.create(slug=slug, name=slug)
    ladder = Ladder.objects.create(game=game, slug=slug, name=slug)
    people = Player.objects.bulk_create(
        Player(game=game, external_id=name, name=name, skeleton=name)
        for name in (f"{slug} {number}" for number in range(OTHERS + 1))
    )
    moments = [START + timedelta(days=15 * number / games) for number in range(games)]
    matches = Match.objects.bulk_create(
        Match(
            ladder=ladder,
            game=game,
            external_id=f"{slug} {number}",
            state="confirmed",
            played_at=at,
            confirmed_at=at,
        )
        for number, at in enumerate(moments)
    )
    Participant.objects.bulk_create(
        Participant(
            match=match,
            player=people[0 if team == 0 else 1 + number % OTHERS],
            team=team,
            rank=int(team == number % 2),
        )
        for number, match in enumerate(matches)
        for team in (0, 1)
    )
    with clock.at(START + timedelta(days=20 if is_open else 60)):
        track = create_track(
            ladder=ladder, system="glicko", parameters={}, period_days=DAYS, shown=True
        )
        rate_track(track.pk)
        refresh.refresh(track.pk)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return {
        "player": f"/players/{people[0].pk}/",
        "match": f"/matches/{matches[games // 2].pk}/",
        "game": f"/games/{slug}/",
    }
