"""The shooter of the demo: its ladder, its servers, who plays there, on which maps and with what."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_noop as _

from demo.models import SimulatedPlayer
from demo.season.names import names
from foundation import clock
from ratings.logs.servers import obtain_server
from ratings.models import Game, Ladder, Player, RatedBy, name_columns
from ratings.tracks.parameters import create_track

__all__ = ["ARENA", "DESCRIPTIONS", "LADDER", "SERVERS", "WEAPONS", "ServerPlan", "found_arena"]

ARENA = "demo-arena"
LADDER = "demo-frags"
WEAPONS = "Flare gun", "Lantern", "Spark lance", "Glass bow", "Bottle rocket"
_MAPS = "Lamp Hall", "Night Market", "Rope Bridge", "Cistern", "Clock Yard"
_REGULARS, _CELLAR = 36, 6
_MEAN, _STEP, _STEPS = 1500.0, 20.0, 29


@dataclass(frozen=True, slots=True)
class ServerPlan:
    """A server. `first` and `last`: which of the cast play there, by number; without teams everybody is alone."""

    slug: str
    name: str
    maps: tuple[str, ...]
    first: int
    last: int
    most: int
    teams: tuple[str, ...] = ()

    @property
    def cast(self) -> list[str]:
        """Ids in the game of those who play there."""
        return [player_id(number) for number in range(self.first, self.last + 1)]


# Whoever plays in the cellar plays nowhere else: a static ranking cannot compare them with the others.
SERVERS = (
    ServerPlan("hall", "The Hall", _MAPS, 1, _REGULARS, 8),
    ServerPlan("market", "Night Market Teams", _MAPS[1:], 1, _REGULARS, 8, ("Amber", "Teal")),
    ServerPlan("cellar", "The Cellar", _MAPS[3:4], _REGULARS + 1, _REGULARS + _CELLAR, 4),
)
_ABOUT = _(
    "An invented shooter on servers that players join and leave. All its players are simulated."
)
_RULES = _("Everybody against everybody, and in teams. Rated frag by frag, while a match goes on.")
# Stored in English; pages say those that nobody has changed in the visitor's language.
DESCRIPTIONS = frozenset({_ABOUT, _RULES})


def player_id(number: int) -> str:
    """The id in the game of one of the cast."""
    return f"arena-{number:02}"


def strengths() -> Mapping[str, float]:
    """True strengths by ids in the game: the same in every demo, spread over some hundred points."""
    numbers = range(1, _REGULARS + _CELLAR + 1)
    return {
        player_id(number): _MEAN + _STEP * ((number * 11) % _STEPS - _STEPS // 2)
        for number in numbers
    }


def found_arena() -> Ladder:
    """Make the game with its ladder, track, servers and players. Call in a transaction."""
    now = clock.now()
    game = Game.objects.create(
        slug=ARENA, name="Lampfire Arena", description=_ABOUT, simulated=True, created_at=now
    )
    ladder = Ladder.objects.create(
        game=game,
        slug=LADDER,
        name="Lampfire Frags",
        description=_RULES,
        rated_by=RatedBy.EVENTS,
        established_after=5,
        pool_minimum=10,
        inactive_after_days=14.0,
        created_at=now,
    )
    # Frags by the hundred: with 40 points each, the usual, a lucky minute would turn the board around.
    settings = {"start": 1000.0, "k": 8.0}
    create_track(ladder=ladder, system="frags", parameters=settings, period_days=None, shown=True)
    for plan in SERVERS:
        obtain_server(ladder, plan.slug, name=plan.name)
    known = strengths()
    # Not those whom the league names first.
    called = names(2 * len(known) + 200)[-len(known) :]
    players = Player.objects.bulk_create(
        Player(game=game, external_id=name, **name_columns(shown), created_at=now)
        for name, shown in zip(known, called, strict=True)
    )
    SimulatedPlayer.objects.bulk_create(
        SimulatedPlayer(
            player=player, strength=known[player.external_id or ""], activity=1.0, manners=1.0
        )
        for player in players
    )
    return ladder
