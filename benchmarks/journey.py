"""How many files a reader visits who follows one match: from the report that ends it to the page that shows the rating.

Each function of the product counts once, in the order in which it is first entered. A file is one in which a function
is entered; a return is a stretch in a file that had been left before. Rating systems are one file together: inside
they are mathematics. Left out are foundation and accounts, what runs on import, and the frame around every request.
"""

import sys
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from benchmarks.figure import Figure

NAME = "journey"
ROOT = f"{Path(__file__).resolve().parents[1]}/"
APPLICATIONS = ("api", "demo", "events", "leaderboards", "matchmaking", "ratings")
FRAME = ("/migrations/", "urls.py", "apps.py", "/templatetags/")
T = TypeVar("T")


class Journey:
    """The functions entered while steps are taken, in the order in which they are first entered."""

    def __init__(self) -> None:
        self._entered: dict[tuple[str, str], None] = {}

    def step(self, act: Callable[[], T]) -> T:
        """Note what is entered while this runs."""
        sys.setprofile(self._note)
        try:
            return act()
        finally:
            sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _value: Any) -> None:
        path = frame.f_code.co_filename
        name = frame.f_code.co_qualname
        if event != "call" or not path.startswith(ROOT) or "<" in name.rpartition(".")[2]:
            return
        path = path.removeprefix(ROOT)
        if path.startswith(APPLICATIONS) and not any(part in path for part in FRAME):
            room = "ratings/systems" if path.startswith("ratings/systems/") else path
            self._entered.setdefault((room, name))

    @property
    def functions(self) -> int:
        """How many were entered."""
        return len(self._entered)

    @property
    def stretches(self) -> list[str]:
        """The files in the order of the way; neighbours differ."""
        files: list[str] = []
        for path, _name in self._entered:
            if not files or files[-1] != path:
                files.append(path)
        return files


def run() -> Iterator[Figure]:
    """One match is played to fill caches, a second is followed."""
    from django.conf import settings
    from django.test import override_settings

    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    with override_settings(STORAGES={**settings.STORAGES, "staticfiles": plain}):
        journey = _follow()
    stretches = journey.stretches
    files = len(set(stretches))
    apps = [app for app, _stretch in groupby(path.partition("/")[0] for path in stretches)]
    yield Figure(name="journey: functions", value=journey.functions, unit="functions")
    yield Figure(name="journey: files", value=files, unit="files")
    yield Figure(name="journey: returns", value=len(stretches) - files, unit="returns")
    left = len(apps) - len(set(apps))
    yield Figure(name="journey: returns to an app", value=left, unit="returns")


def _follow() -> Journey:
    from django.contrib.auth import get_user_model
    from django.test import Client

    from events import outbox
    from ratings.matches.report import report
    from ratings.matches.start import start_match
    from ratings.models import Game, Ladder, Outcome, Player
    from ratings.tasks import rate_due_tracks
    from ratings.tracks.parameters import create_track

    game = Game.objects.create(slug="journey", name="Journey")
    ladder = Ladder.objects.create(game=game, slug="journey", name="Journey")
    users = [get_user_model().objects.create_user(username=f"journey-{n}") for n in range(2)]
    people = [
        Player.objects.create(
            game=game,
            user=user,
            external_id=user.username,
            name=user.username,
            skeleton=user.username,
        )
        for user in users
    ]
    create_track(ladder=ladder, system="elo", parameters={}, period_days=None, shown=True)
    visitor = Client(headers={"host": "localhost"})
    loser = Client(headers={"host": "localhost"})
    loser.force_login(users[1])
    for _ in range(2):
        journey = Journey()
        match = start_match(ladder=ladder, teams=[[player.pk] for player in people])
        report(match_id=match.pk, player_id=people[0].pk, outcome=Outcome.WON)
        outbox.deliver()
        address = f"/play/matches/{match.pk}/report/"
        reported = journey.step(lambda to=address: loser.post(to, {"outcome": "lost", "queue": ""}))  # type: ignore[misc]
        journey.step(rate_due_tracks)
        journey.step(outbox.deliver)
        page = journey.step(lambda to=f"/matches/{match.pk}/": visitor.get(to))  # type: ignore[misc]
        if (reported.status_code, page.status_code) != (302, 200):
            raise RuntimeError(f"answers {reported.status_code} and {page.status_code}")
    return journey
