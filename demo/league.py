"""The demo's game: its ladders, how they are rated, and where its players wait."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import time

from django.utils.translation import gettext_noop as _

from demo.formats import DUEL, FOUR, PAIRS, QUICK, DemoFormat
from foundation import clock
from matchmaking.models import Queue, RoundTime
from ratings.models import Facet, Game, Ladder, Mode
from ratings.tracks.parameters import create_track
from talk.models import TalkRules

__all__ = ["DESCRIPTIONS", "GAME", "PLANS", "ROUNDS_IN", "found_league"]

GAME = "demo"
ROUNDS_IN = "demo-blitz"  # the queue with rounds at set times
_ROUNDS_EVERY = 15  # minutes
MINUTE = 1 / 1440  # days
# TrueSkill on the scale that the other ladders have: 25 would be 1,500 there. See `demo.strength` for what is true.
# It starts as unsure as players differ: from 350, lucky beginners were 200 points too high on top of the boards.
_TRUESKILL = {
    "start": 1500.0,
    "deviation_start": 250.0,
    "beta": 220.0,
    "tau": 4.0,
    "draw_probability": 0.06,
    "deviation_min": 1.0,
    "provisional_deviation": 100.0,
}
# Shared by all ladders: a season of weeks must show who is established, and who has gone.
_RULES = {
    "established_after": 12,
    "pool_minimum": 20,
    "inactive_after_days": 14.0,
    "days_to_forget": 2000.0,
    "report_minutes": 2,
    "abandon_minutes": 5,
}


@dataclass(frozen=True, slots=True)
class Plan:
    """One ladder, its tracks and its queue. Players wait in a queue of the same short name.

    With `by_map`, parameters of TrueSkill, players are also rated on each map by itself, at once after each match.
    """

    slug: str
    name: str
    description: str
    mode: Mode
    system: str
    period_days: float | None
    parameters: Mapping[str, object] = field(default_factory=dict)
    match_format: DemoFormat = DUEL
    by_map: Mapping[str, object] = field(default_factory=dict)


PLANS = (
    Plan(
        "demo-duel",
        "Lantern Duel",
        _(
            "One against one on six maps, best of five rounds. Rated with Glicko in periods of a minute."
        ),
        Mode.RANKED,
        "glicko",
        MINUTE,
        by_map=_TRUESKILL,
    ),
    Plan(
        "demo-blitz",
        "Blitz",
        _("One round, one minute. Rated with Elo, at once after each match."),
        Mode.RANKED,
        "elo",
        None,
        match_format=QUICK,
    ),
    Plan(
        "demo-casual",
        "Casual",
        _("No ranks. Ratings are kept for fair matches, and shown to nobody."),
        Mode.NORMAL,
        "glicko",
        MINUTE,
        match_format=QUICK,
    ),
    Plan(
        "demo-pairs",
        "Twin Lanterns",
        _(
            "Two against two on four maps, alone or with a friend. Rated with TrueSkill, at once after each match."
        ),
        Mode.RANKED,
        "trueskill",
        None,
        _TRUESKILL,
        PAIRS,
    ),
    Plan(
        "demo-four",
        "Four Winds",
        _(
            "Four at a time, everyone for themselves. Rated with TrueSkill by the order in which they finish."
        ),
        Mode.RANKED,
        "trueskill",
        None,
        _TRUESKILL,
        FOUR,
    ),
)

_ABOUT = _("An invented game, to see Evenmatch alive. All its players are simulated.")

# Stored in English; pages say those that nobody has changed in the visitor's language.
DESCRIPTIONS = frozenset({_ABOUT, *(plan.description for plan in PLANS)})


def found_league() -> tuple[Game, list[Ladder]]:
    """Make the game with its ladders, tracks, queues and rounds, and let its players talk; ladders in the order of
    PLANS. Call in a transaction.
    """
    game = Game.objects.create(
        slug=GAME,
        name="Lanternfall",
        description=_ABOUT,
        simulated=True,
        created_at=clock.now(),
    )
    TalkRules.objects.create(game=game)
    ladders = []
    for plan in PLANS:
        ladder = Ladder.objects.create(
            game=game,
            slug=plan.slug,
            name=plan.name,
            description=plan.description,
            mode=plan.mode,
            team_count=plan.match_format.teams,
            team_size=plan.match_format.size,
            created_at=clock.now(),
            **_RULES,
        )
        create_track(
            ladder=ladder,
            system=plan.system,
            parameters=plan.parameters,
            period_days=plan.period_days,
            shown=True,
        )
        if plan.by_map:
            create_track(
                ladder=ladder,
                system="trueskill",
                parameters=plan.by_map,
                period_days=None,
                shown=True,
                facet=Facet.MAP,
            )
        # Of settings, beyond what is usual: the maps. What their sides are worth is estimated.
        maps = {
            "names": "\n".join(plan.match_format.maps),
            "newcomer_points": 40.0,
            "known_after": 5,
        }
        queue = Queue.objects.create(
            ladder=ladder,
            slug=plan.slug,
            name=plan.name,
            accept_seconds=15,
            heartbeat_seconds=30,
            gap_start=100.0,
            gap_per_second=60.0,  # also those far from everybody are met within seconds
            settings={"maps": maps} if plan.match_format.maps else {},
        )
        if plan.slug == ROUNDS_IN:
            minutes = range(0, 24 * 60, _ROUNDS_EVERY)
            RoundTime.objects.bulk_create(
                RoundTime(queue=queue, at=time(*divmod(minute, 60)), zone="UTC")
                for minute in minutes
            )
        ladders.append(ladder)
    return game, ladders
