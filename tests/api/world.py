"""Two games with players, servers and keys of every kind, and matches that not everybody may see."""

import json
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.test import Client

from api.auth.issue import issue_key, issue_token, revoke_key, revoke_token
from api.auth.scopes import PLAYER_SCOPES, SERVER_SCOPES, Scope
from api.models import PlayerToken, ServerKey
from clans import lifecycle as clans
from foundation import clock
from groups.models import Group, Membership
from matchmaking.models import Party, PartyMember, Queue, Ticket, TicketMember
from ratings.models import Game, Ladder, Match, Mode, Participant, Player, Report
from ratings.players.enrol import enrol
from rooms.models import Room, RoomMember
from tests.leaderboards.site import Site, make_site
from tests.ratings.arena import DAY, START

__all__ = ["ANONYMOUS", "GARBAGE", "World", "make_world"]

ANONYMOUS = "anonymous"
GARBAGE = "em_srv_zzzzzzzz_" + "0" * 64
HOUR = timedelta(hours=1)


@dataclass
class World:
    """The game `go` with a rated ladder, a ladder of normal mode with one match, and a second game.

    `secrets`: what each caller sends, by name. Anna plays `go`; her tokens are `player-…`.
    """

    site: Site
    normal: Ladder
    hidden: Match
    other_game: Game
    ticket: Ticket
    party: Party
    secrets: dict[str, str] = field(default_factory=dict)

    @property
    def game(self) -> Game:
        """The first game."""
        return self.site.arena.game

    @property
    def ladder(self) -> Ladder:
        """Its ranked ladder."""
        return self.site.arena.ladder

    @property
    def anna(self) -> Player:
        """Who won every match, and plays the hidden one against Björn."""
        return self.site.arena.players[0]

    def call(
        self, method: str, path: str, caller: str = ANONYMOUS, body: Any = None, **headers: str
    ) -> Any:
        """Send a request at the moment of the world; the path is below that of the API."""
        secret = self.secrets.get(caller, "")
        if secret:
            headers["Authorization"] = f"Bearer {secret}"
        given = {} if body is None else {"data": body, "content_type": "application/json"}
        with clock.at(self.site.now):
            answer: Any = Client().generic(
                method, f"/api/v1/{path}", headers=headers, **_encoded(given)
            )
        if answer.streaming:  # nobody reads on: a stream that stays open is counted by other tests
            for close in answer._resource_closers:
                close()
        return answer

    def get(self, path: str, caller: str = ANONYMOUS) -> Any:
        """The body of an answer that must be a good one."""
        answer = self.call("GET", path, caller)
        assert answer.status_code == 200, answer.content
        return answer.json()


def make_world(**options: Any) -> World:
    """A new world; `options` are those of `make_site`."""
    site = make_site(**options)
    normal = Ladder.objects.create(
        game=site.arena.game, slug="secret", name="Secret", mode=Mode.NORMAL
    )
    other = Game.objects.create(slug="chess", name="Chess")
    with clock.at(site.now):
        ticket, party = _waiting_ticket(site), _party(site)
        _add_room(site)
    _add_group(site)
    with clock.at(site.now):
        clans.found(player=site.arena.players[0], settings={"name": "Wolves", "tag": "WLF"})
    world = World(site, normal, _hidden_match(normal, site), other, ticket, party)
    with clock.at(START - DAY):
        _add_ended(world)
    with clock.at(site.now - HOUR):
        _add_keys(world)
        _add_tokens(world)
    for kind in (
        ServerKey,
        PlayerToken,
    ):  # else each would be noted as used now, again in each test
        kind._default_manager.update(last_used_at=site.now)
    return world


def _hidden_match(ladder: Ladder, site: Site) -> Match:
    match = Match.objects.create(
        ladder=ladder,
        game=ladder.game,
        external_id="hidden",
        played_at=site.now - HOUR,
        due_at=site.now + HOUR,
        state="reported",
    )
    anna, bjorn = site.arena.players[:2]
    for team, player in enumerate((anna, bjorn)):
        Participant.objects.create(match=match, player=player, team=team)
    Report.objects.create(match=match, player=bjorn, outcome="lost")
    return match


def _waiting_ticket(site: Site) -> Ticket:
    """A ticket of Anna's."""
    queue = Queue.objects.create(ladder=site.arena.ladder, slug="search", name="Search")
    ticket = Ticket.objects.create(queue=queue, waiting_since=site.now, seen_at=site.now)
    TicketMember.objects.create(ticket=ticket, player=site.arena.players[0])
    return ticket


def _party(site: Site) -> Party:
    """A party in which Anna is alone."""
    anna = site.arena.players[0]
    with transaction.atomic():
        party = Party.objects.create(game=site.arena.game, leader=anna, code="ANNASPARTY")
        PartyMember.objects.create(party=party, player=anna)
    return party


def _add_room(site: Site) -> None:
    """A room whose host Anna is, without a seat: she searches."""
    anna, ladder = site.arena.players[0], site.arena.ladder
    with transaction.atomic():
        room = Room.objects.create(
            game=ladder.game,
            ladder=ladder,
            host=anna,
            name="Anna's room",
            category="casual",
            code="ANNASROOM2",
            team_count=ladder.team_count,
            team_size=ladder.team_size,
            seats=ladder.team_count * ladder.team_size,
            created_at=site.now,
            active_at=site.now,
        )
        RoomMember.objects.create(
            room=room, player=anna, seats=room.seats, joined_at=site.now, seen_at=site.now
        )


def _add_group(site: Site) -> None:
    """A group in which Anna is alone."""
    anna = site.arena.players[0]
    with transaction.atomic():
        group = Group.objects.create(
            game=site.arena.game, owner=anna, name="Evenings", most=5, created_at=site.now
        )
        Membership.objects.create(group=group, player=anna, place=0, most=5, joined_at=site.now)


def _add_keys(world: World) -> None:
    for scope in SERVER_SCOPES:
        world.secrets[f"server-{scope}"] = _key(world.game, scope)
    world.secrets["server-all"] = _key(world.game, *SERVER_SCOPES)
    world.secrets["server-admin"] = _key(world.game, Scope.ADMIN)
    world.secrets["site-admin"] = _key(None, Scope.ADMIN)
    world.secrets["other-server"] = _key(world.other_game, *SERVER_SCOPES)
    world.secrets["garbage"] = GARBAGE


def _add_tokens(world: World) -> None:
    for scope in PLAYER_SCOPES:
        world.secrets[f"player-{scope}"] = _token(world.anna, scope)
    stranger = world.site.arena.players[3]
    world.secrets["other-player"] = _token(stranger, *PLAYER_SCOPES)
    foreigner, _ = enrol(game=world.other_game, external_id="f1", name="Foreigner")
    world.secrets["foreign-player"] = _token(foreigner, *PLAYER_SCOPES)


def _add_ended(world: World) -> None:
    """Keys and tokens with all rights that were good once."""
    for name, expires_at in (("expired", START), ("revoked", None)):
        key, secret = issue_key(
            game=world.game, name=name, scopes=SERVER_SCOPES, expires_at=expires_at
        )
        token, text = issue_token(
            player=world.anna, name=name, scopes=PLAYER_SCOPES, expires_at=expires_at
        )
        world.secrets |= {f"{name}-server": secret, f"{name}-player": text}
        if name == "revoked":
            revoke_key(key)
            revoke_token(token)


def _key(game: Game | None, *scopes: Scope) -> str:
    return issue_key(game=game, name="test", scopes=scopes)[1]


def _token(player: Player, *scopes: Scope) -> str:
    return issue_token(player=player, name="test", scopes=scopes)[1]


def _encoded(given: dict[str, Any]) -> dict[str, Any]:
    if "data" in given and not isinstance(given["data"], str | bytes):
        given["data"] = json.dumps(given["data"])
    return given
