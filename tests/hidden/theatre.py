"""A ladder with ratings planted on it, and people who play it through the site and the API, act by act."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection
from django.test import Client

from accounts.models import User
from api.auth.issue import issue_key, issue_token
from api.auth.scopes import PLAYER_SCOPES, SERVER_SCOPES
from events import outbox
from foundation import clock
from leaderboards.boards import refresh
from matchmaking import avoid_list
from matchmaking.models import Offer, Party, Queue, Ticket
from matchmaking.parties import lifecycle as parties
from matchmaking.sweep import run as sweep
from ratings.matches import decide
from ratings.models import (
    Facet,
    Feature,
    Game,
    Ladder,
    Match,
    Mode,
    Player,
    Rating,
    RatingChange,
    RatingPeriod,
    RatingTrack,
    Status,
)
from ratings.players.claim import make_player
from ratings.runs import run as runs
from ratings.runs.sequence import sequence_confirmed
from ratings.tracks.parameters import create_track
from rooms.coming import watch
from rooms.lifecycle import open_room
from tests.hidden.sentinels import Secret
from tests.hidden.together import found_clan, make_group

__all__ = ["ACTS", "Person", "Theatre", "make_theatre", "plant", "secrets_of"]

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
# Of the queue of teams: everything that players can wish for.
_LOOKS_AT = {
    **{name: {"use": "prefer"} for name in ("language", "region", "style", "rules")},
    "teams": {"roles": "tank 1; healer 1"},
    "maps": {"names": "River; Canyon"},
}
# Far from every id, time and size that a page may hold.
RATINGS = (735184.629175, 735192.847361, 735178.316594, 735169.582743)
DEVIATIONS = (3417.62853, 2986.41975, 4163.85792, 5279.31486)
START = {"start": 81649.37215, "deviation_start": 6148.27395, "deviation_max": 9000.0}
# On the board although they are uncertain.
LISTED = {"provisional_deviation": 10_000.0}
NAMES = ("Anna", "Bjoern", "Carla", "Otto")


@dataclass(frozen=True)
class Person:
    """An account with a player, signed in to the site, and with a token for the API."""

    player: Player
    user: User
    site: Client
    token: str

    @property
    def headers(self) -> dict[str, str]:
        """What an API client of this person sends."""
        return {"Authorization": f"Bearer {self.token}"}


@dataclass
class Theatre:
    """A game with the ladder of the play, which may be hidden, and another one that is ranked and empty.

    Anna plays on the site, Björn through the API, Carla for the game's server, Otto only looks. `crowd`: further
    players to ask about.
    """

    game: Game
    ladder: Ladder
    queue: Queue
    track: RatingTrack
    shadow: RatingTrack
    apart: RatingTrack
    empty: Ladder
    people: dict[str, Person]
    stranger: Client
    server: str
    other_server: str
    party: Party
    now: datetime = NOON
    matches: list[int] = field(default_factory=list)
    crowd: list[Player] = field(default_factory=list)

    @contextmanager
    def at_now(self) -> Iterator[None]:
        """Let the play's time be now."""
        with clock.at(self.now):
            yield

    def post(self, who: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Act on the site, as its pages do."""
        answer = self.people[who].site.post(path, body or {})
        assert answer.status_code == 302, (path, answer.status_code, answer.content[:300])
        return answer

    def call(self, secret: str, path: str, body: dict[str, Any]) -> Any:
        """Act through the API."""
        headers = {"Authorization": f"Bearer {secret}"}
        answer = Client(headers=headers).post(
            f"/api/v1/{path}", body, content_type="application/json"
        )
        assert answer.status_code < 300, (path, answer.content)
        return answer.json()

    def ticket(self, who: str) -> Ticket:
        """The newest of a person's."""
        return Ticket.objects.filter(members__player=self.people[who].player).latest("pk")

    def offer(self) -> Offer:
        """The newest there is."""
        return Offer.objects.latest("pk")


def make_theatre(mode: Mode) -> Theatre:
    """A new one, with ratings planted."""
    begin_keys_anew()
    game = Game.objects.create(slug="go", name="Go")
    Feature.objects.create(game=game, name="accuracy")
    ladder = Ladder.objects.create(
        game=game, slug="casual", name="Casual", mode=mode, established_after=1
    )
    empty = Ladder.objects.create(
        game=game, slug="league", name="League", mode=Mode.RANKED, team_size=2
    )
    Queue.objects.create(ladder=empty, slug="squads", name="Squads", settings=_LOOKS_AT)
    queue = Queue.objects.create(ladder=ladder, slug="casual", name="Casual", gap_start=100_000.0)
    with clock.at(NOON):
        track, shadow, apart = (
            create_track(
                ladder=ladder,
                system="glicko",
                parameters={**START, **LISTED},
                period_days=1.0,
                shown=shown,
                facet=facet,
            )
            for shown, facet in ((True, ""), (False, ""), (True, Facet.MAP))
        )
        people = {name: _person(game, name) for name in NAMES}
        theatre = Theatre(
            game=game,
            ladder=ladder,
            queue=queue,
            track=track,
            shadow=shadow,
            apart=apart,
            empty=empty,
            people=people,
            stranger=_signed_in(User.objects.create_user("Stranger")),
            server=issue_key(game=game, name="server", scopes=SERVER_SCOPES)[1],
            other_server=_other_server(),
            party=_party(people),
        )
        avoid_list.avoid(player=people["Anna"].player, other=people["Otto"].player)
        _open_rooms(theatre)
        carla, otto = people["Carla"].player, people["Otto"].player
        make_group(carla, otto)
        found_clan(carla, otto)
    plant(theatre)
    return theatre


def _open_rooms(theatre: Theatre) -> None:
    """Carla has a room on the play's ladder, in which she only looks on, so that she can play as well."""
    carla = theatre.people["Carla"].player
    wanted = {"name": "Room", "filters": {"languages": ["de"], "conduct": True}}
    room = open_room(player=carla, ladder=theatre.ladder, settings=wanted)
    watch(room_id=room.pk, player=carla)


def begin_keys_anew() -> None:
    """Let keys of rows have three digits at most, so that none is mistaken for a rating: pages are full of them."""
    resets = connection.ops.sequence_reset_sql(no_style(), apps.get_models())
    with connection.cursor() as cursor:
        cursor.execute(";".join(sql.rstrip(";") for sql in resets))


def plant(theatre: Theatre, *, shift: float = 0.0, reverse: bool = False) -> None:
    """Give everyone a rating on each track, by map too. With `reverse` those who were best are worst."""
    order = list(range(len(NAMES)))
    if reverse:
        order.reverse()
    rows = [
        Rating(
            track=track,
            player=theatre.people[NAMES[number]].player,
            facet=facet,
            value=RATINGS[place] + shift + 1000.0 * nth,
            deviation=DEVIATIONS[place] + shift / 1000,
            volatility=DEVIATIONS[place] / 1_000_000 + 0.0412,
            **_PLAYED,
        )
        for nth, (track, facet) in enumerate(
            [
                (theatre.track, ""),
                (theatre.shadow, ""),
                (theatre.apart, ""),
                (theatre.apart, "Gorge"),
            ]
        )
        for number, place in enumerate(order)
    ]
    Rating.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["player", "track", "facet"],
        update_fields=["value", "deviation", "volatility"],
    )


def secrets_of(theatre: Theatre) -> list[Secret]:
    """Every number in the database that tells of ratings of the play's ladder, and what pages would make of it."""
    ladder = theatre.ladder
    found = [
        Secret(f"{type(row).__name__.lower()} {row.pk} {name}", number)
        for rows, names in _TELLING
        for row in rows(ladder)
        for name, number in _numbers_of(row, names)
    ]
    for who, rating in _planted(theatre):
        deviation = rating.deviation or 0.0
        for name, value in (("low", -2 * deviation), ("high", 2 * deviation)):
            found.append(Secret(f"{who}'s {name}", rating.value + value))
    return found


def search(theatre: Theatre) -> None:
    """Anna searches on the site, Björn through the API, the server for Carla."""
    theatre.post("Anna", f"/play/in/{theatre.queue.slug}/search/")
    bjorn, carla = theatre.people["Bjoern"], theatre.people["Carla"]
    theatre.call(bjorn.token, "tickets", {"queue": theatre.queue.slug})
    seek = {"queue": theatre.queue.slug, "player": carla.player.external_id}
    ticket = theatre.call(theatre.server, "tickets", seek)
    theatre.call(theatre.server, f"tickets/{ticket['id']}/cancel", {})


def offer(theatre: Theatre) -> None:
    """The sweep offers the two who wait a match."""
    assert sweep.run_queue(theatre.queue.pk).offers == 1


def begin(theatre: Theatre) -> None:
    """Both accept."""
    anna, bjorn = theatre.ticket("Anna"), theatre.ticket("Bjoern")
    shown = {"offer": str(theatre.offer().pk)}
    theatre.post("Anna", f"/play/tickets/{anna.pk}/accept/", shown)
    theatre.call(theatre.people["Bjoern"].token, f"tickets/{bjorn.pk}/accept", {})
    theatre.matches.append(Match.objects.latest("pk").pk)


def report(theatre: Theatre) -> None:
    """Anna says that she won."""
    theatre.post("Anna", f"/play/matches/{theatre.matches[0]}/report/", {"outcome": "won"})


def confirm(theatre: Theatre) -> None:
    """Björn agrees; Carla and Otto play one that the server arranged, and another that they do not agree on."""
    bjorn = theatre.people["Bjoern"]
    theatre.call(bjorn.token, f"matches/{theatre.matches[0]}/reports", {"outcome": "lost"})
    for outcome in ("lost", "won"):
        match = _arrange(theatre)
        theatre.matches.append(match)
        for who, said in (("Carla", "won"), ("Otto", outcome)):
            theatre.call(theatre.people[who].token, f"matches/{match}/reports", {"outcome": said})


def rate(theatre: Theatre) -> None:
    """The rating period ends, and everything that follows ratings follows."""
    theatre.now += 2 * DAY
    with theatre.at_now():
        _settle(theatre)
    changes = RatingChange.objects.filter(track=theatre.track)
    assert changes.count() == 4
    assert changes.filter(value_before__in=RATINGS).count() == 4


def annul(theatre: Theatre) -> None:
    """The server's match is annulled: a new generation of all tracks is computed and takes their place."""
    decide.annul(match_id=theatre.matches[1], by=None, note="for the play")
    _settle(theatre)
    assert RatingTrack.objects.filter(ladder=theatre.ladder, generation=2).count() == 3


# In their order. What is to be looked at after each.
ACTS: dict[str, Callable[[Theatre], None]] = {
    "searching": search,
    "offered": offer,
    "playing": begin,
    "reported": report,
    "confirmed": confirm,
    "rated": rate,
    "annulled": annul,
}

_PLAYED: dict[str, Any] = {
    "as_of": NOON - 2 * DAY,
    "games": 12,
    "counted": 12,
    "wins": 5,
    "draws": 2,
    "losses": 5,
    "status": Status.ESTABLISHED,
    "last_played_at": NOON,
    "revision": 1,
}
_TELLING: list[tuple[Callable[[Ladder], Any], tuple[str, ...]]] = [
    (lambda it: Rating.objects.filter(track__ladder=it), ("value", "deviation", "volatility")),
    (
        lambda it: RatingChange.objects.filter(track__ladder=it),
        (
            "value_before", "value_after", "deviation_before", "deviation_after", "expected", "weight",
        ),
    ),
    (lambda it: RatingPeriod.objects.filter(track__ladder=it), ("mean", "spread")),
    (lambda it: Offer.objects.filter(queue__ladder=it), ("gap",)),
]  # fmt: skip


def _numbers_of(row: Any, names: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    yield from ((name, getattr(row, name)) for name in names if getattr(row, name) is not None)
    if isinstance(row, RatingChange):
        yield "points", row.value_after - row.value_before


def _planted(theatre: Theatre) -> Iterator[tuple[str, Rating]]:
    names = {person.player.pk: name for name, person in theatre.people.items()}
    for rating in Rating.objects.filter(track=theatre.track):
        yield names[rating.player_id], rating


def _person(game: Game, name: str) -> Person:
    user = User.objects.create_user(name, f"{name}@example.org", "a good password")
    player = make_player(game=game, user=user, name=name)
    token = issue_token(player=player, name="test", scopes=PLAYER_SCOPES)[1]
    return Person(player, user, _signed_in(user), token)


def _signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def _other_server() -> str:
    game = Game.objects.create(slug="chess", name="Chess")
    return issue_key(game=game, name="other", scopes=SERVER_SCOPES)[1]


def _party(people: dict[str, Person]) -> Party:
    """Otto's, in which Carla is as well."""
    party = parties.open_party(player=people["Otto"].player)
    return parties.join_party(player=people["Carla"].player, code=party.code)


def _arrange(theatre: Theatre) -> int:
    ids = [theatre.people[who].player.external_id for who in ("Carla", "Otto")]
    line_up = {"ladder": theatre.ladder.slug, "teams": [[ids[0]], [ids[1]]]}
    return int(theatre.call(theatre.server, "matches", line_up)["id"])


def _settle(theatre: Theatre) -> None:
    """What workers do in time, until there is nothing more to do."""
    sequence_confirmed(theatre.ladder.pk)
    for _round in range(3):
        for track_id in [*runs.due_tracks(), *runs.due_replays()]:
            runs.rate_track(track_id)
        outbox.deliver()
    refresh.refresh_due()
    refresh.flip_due()
    for track in RatingTrack.objects.filter(ladder=theatre.ladder):
        refresh.refresh(track.pk)
