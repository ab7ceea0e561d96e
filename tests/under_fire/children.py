"""What the processes of the scene do: sweep, rate, play, and build the scene. Imported once, then forked."""

import json
import os
import random
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from tests.killing.children import Terms, at_work, survive  # sets Django up

# isort: split
from django.db import connection

from events import outbox
from foundation import clock
from foundation.refusals import RefusedError
from matchmaking.models import Party, Queue
from matchmaking.offers import answer as offers
from matchmaking.parties import lifecycle as parties
from matchmaking.parties.membership import party_of
from matchmaking.playing import current_match
from matchmaking.sweep.run import run_queue
from matchmaking.tickets import lifecycle
from matchmaking.tickets.status import Search, look
from ratings import tasks
from ratings.matches.deadlines import settle_due
from ratings.matches.report import leave, report
from ratings.models import Game, Ladder, Mode, Outcome, Player, RatingTrack
from ratings.runs import run as runs
from ratings.systems.arrays import Bools
from ratings.tracks import parameters

__all__ = ["Scene", "build", "play", "rate", "settle", "sweep"]

TEAM = 2
SHARES = 4  # each player is played from two processes of these, as from two windows
ACCEPT_SECONDS = 3
TEAMS_ACCEPT_SECONDS = 8  # four have to
HEARTBEAT_SECONDS = 5
_WEIGHTS = (1, 1, 2)  # of the queues: ranked, normal, teams, which need twice as many

Acknowledge = Callable[..., None]


@dataclass(frozen=True)
class Scene(Terms):
    """What a process is told here: also how many players there are. Every third begins in a party of two."""

    players: int = 120


def sweep(terms: Terms) -> None:
    """Run every queue again and again, as the workers do each second; SIGTERM ends it between two rounds."""
    asked = _ask_to_end()
    with at_work(terms) as note:
        dice = random.Random(terms.seed)
        while not asked:
            survive(_run_queues, note)
            time.sleep(dice.uniform(0.02, 0.15))


def rate(terms: Terms) -> None:
    """Decide what is due, rate, and deliver events, again and again."""
    asked = _ask_to_end()
    with at_work(terms) as note:
        dice = random.Random(terms.seed)
        while not asked:
            survive(tasks.settle_due_matches, note)
            survive(tasks.rate_due_tracks, note)
            survive(_deliver, note)
            time.sleep(dice.uniform(0.02, 0.1))


def play(terms: Terms) -> None:
    """Play a share of the players at random; what was acknowledged to them is written down once it is certain."""
    asked = _ask_to_end()
    with at_work(terms) as note:
        dice = random.Random(terms.seed)
        kept = os.open(terms.notes + ".kept", os.O_WRONLY | os.O_APPEND | os.O_CREAT)

        def acknowledge(what: str, **ids: int | str) -> None:
            os.write(kept, (json.dumps({"what": what, **ids}) + "\n").encode())

        players = list(Player.objects.order_by("pk").values_list("pk", flat=True))
        share = _share_of(terms.name)
        mine = [
            pk
            for place, pk in enumerate(players)
            if share in (place % SHARES, (place + 1) % SHARES)
        ]
        queues = list(Queue.objects.select_related("ladder").order_by("pk"))
        while not asked:
            player = dice.choice(mine)
            survive(lambda pk=player: _act(pk, queues, dice, acknowledge), note)  # type: ignore[misc]
            time.sleep(dice.uniform(0.0, 0.01))


def build(terms: Scene) -> None:
    """Make a game with a ranked and a normal ladder and one of teams, a queue for each, and its players."""
    with at_work(terms, in_peace=True):
        game = Game.objects.create(slug="fire", name="Fire")
        ranked = _ladder(game, "ranked")
        parameters.create_track(
            ladder=ranked, system="elo", parameters={}, period_days=None, shown=True
        )
        parameters.create_track(
            ladder=ranked, system="glicko", parameters={}, period_days=2 / 86_400, shown=False
        )
        normal = _ladder(game, "normal", mode=Mode.NORMAL)
        parameters.create_track(
            ladder=normal, system="elo", parameters={}, period_days=None, shown=True
        )
        teams = _ladder(game, "teams", team_size=TEAM)
        parameters.create_track(
            ladder=teams, system="trueskill", parameters={}, period_days=None, shown=True
        )
        for ladder in (ranked, normal, teams):
            Queue.objects.create(
                ladder=ladder,
                slug=ladder.slug,
                name=ladder.name,
                accept_seconds=TEAMS_ACCEPT_SECONDS if ladder is teams else ACCEPT_SECONDS,
                heartbeat_seconds=HEARTBEAT_SECONDS,
                accepts_by_itself=ladder.mode == Mode.NORMAL,
                gap_per_second=100.0,
            )
        players = Player.objects.bulk_create(
            Player(game=game, external_id=str(n), name=f"p{n}", skeleton=f"p{n}")
            for n in range(terms.players)
        )
        for one, other in zip(players[::6], players[1::6], strict=True):
            parties.join_party(player=other, code=parties.open_party(player=one).code)


def settle(terms: Terms) -> None:
    """One process in peace: let everything come to its end, as the workers would."""
    with at_work(terms, in_peace=True):
        for _ in range(3):
            _run_queues()
            settle_due()
            tasks.rate_due_tracks()
            outbox.deliver()
        # Where nothing is due any more nobody has taken the lease of a dead process over: it must be free to take.
        for track in RatingTrack.objects.all():
            runs.rate_track(track.pk, wait=False)


def _deliver() -> None:
    outbox.deliver()


def _run_queues() -> None:
    for pk in Queue.objects.order_by("pk").values_list("pk", flat=True):
        run_queue(pk)


def _ask_to_end() -> list[int]:
    asked: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: asked.append(number))
    return asked


def _share_of(name: str) -> int:
    """`player-2-17` is the seventeenth start of the process that has share 2."""
    return int(name.split("-")[1])


def _ladder(game: Game, name: str, *, mode: Mode = Mode.RANKED, team_size: int = 1) -> Ladder:
    return Ladder.objects.create(
        game=game,
        slug=name,
        name=name,
        mode=mode,
        team_size=team_size,
        report_minutes=1,
        abandon_minutes=1,
        established_after=20,
        pool_minimum=30,
    )


def _act(player: int, queues: list[Queue], dice: random.Random, acknowledge: Acknowledge) -> None:
    """Do one thing that a player in this place might do. What the rules refuse is part of the game."""
    try:
        if (match := current_match(player)) is not None:
            _end_match(match.pk, player, dice, acknowledge)
        elif (search := look(player)) is not None:
            _search_on(search, dice, acknowledge)
            if dice.random() < 0.02:
                _change_party(player, dice)
        elif dice.random() < 0.1:
            _change_party(player, dice)
        elif dice.random() < 0.5:
            (queue,) = dice.choices(queues, _WEIGHTS)
            _begin_search(player, queue, dice, acknowledge)
    except RefusedError as error:
        acknowledge("refused", code=error.code)


def _begin_search(player: int, queue: Queue, dice: random.Random, acknowledge: Acknowledge) -> None:
    """For the whole party where there is one and a team has room for it; sometimes alone even so."""
    party = party_of(player) if queue.ladder.team_size > 1 and dice.random() < 0.9 else None
    ticket = lifecycle.join(queue=queue, player=Player.objects.get(pk=player), party=party)
    acknowledge("joined", ticket=ticket.pk, player=player)


def _change_party(player: int, dice: random.Random) -> None:
    """Open one or come to one; whoever is in one goes, or hands it over."""
    me, party = Player.objects.get(pk=player), party_of(player)
    if party is None:
        known = Party.objects.filter(live=True).order_by("?").first()
        if known is None or dice.random() < 0.3:
            parties.open_party(player=me)
        else:
            parties.join_party(player=me, code=known.code)
    elif dice.random() < 0.3:
        parties.leave_party(party_id=party.pk, player=me)
    elif party.leader_id == player:
        others = party.members.filter(live=True).exclude(player=player)
        if (to := others.values_list("player", flat=True).first()) is not None:
            parties.hand_over(party_id=party.pk, to=to, by=player)


def _search_on(search: Search, dice: random.Random, acknowledge: Acknowledge) -> None:
    ticket, chance = search.ticket_id, dice.random()
    if search.offer is None:
        if chance < 0.05:
            lifecycle.cancel(ticket_id=ticket)
            acknowledge("cancelled", ticket=ticket)
    elif chance < 0.7:
        offers.accept(ticket_id=ticket, offer_id=search.offer.id)
        acknowledge("accepted", ticket=ticket, offer=search.offer.id)
    elif chance < 0.75:
        offers.decline(ticket_id=ticket, offer_id=search.offer.id)
        acknowledge("declined", ticket=ticket, offer=search.offer.id)
    elif chance < 0.8:
        lifecycle.cancel(ticket_id=ticket)
        acknowledge("cancelled", ticket=ticket)


def _end_match(match: int, player: int, dice: random.Random, acknowledge: Acknowledge) -> None:
    """Mostly say what the match's number says; sometimes lie, leave, or say nothing at all."""
    chance = dice.random()
    if chance < 0.04:
        leave(match_id=match, player_id=player)
        acknowledge("reported", match=match, player=player)
    elif chance < 0.6 and (match * 7 + player) % 23:
        report(match_id=match, player_id=player, outcome=_word(match, player, dice))
        acknowledge("reported", match=match, player=player)


def _word(match: int, player: int, dice: random.Random) -> Outcome:
    if dice.random() < 0.05:
        return dice.choice(list(Outcome))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT team FROM ratings_participant WHERE match_id = %s AND player_id = %s",
            [match, player],
        )
        (team,) = cursor.fetchone()
    if match % 10 == 0:
        return Outcome.DRAWN
    return Outcome.WON if match % 2 == team else Outcome.LOST


def move_deadlines(terms: Terms) -> None:
    """Let the time of all open matches and offers be over now: a trial of seconds does not wait for minutes."""
    with at_work(terms, in_peace=True), connection.cursor() as cursor:
        # One made just now would expire before it began; it has seconds only, anyway.
        cursor.execute(
            "UPDATE matchmaking_offer SET expires_at = %(now)s"
            " WHERE state = 'pending' AND created_at < %(now)s",
            {"now": clock.now()},
        )
        cursor.execute(
            "UPDATE ratings_match SET due_at = %s WHERE due_at IS NOT NULL", [clock.now()]
        )


def sweep_unfenced(terms: Terms) -> None:
    """The same without lease, fence and locks of rows: a copy of the product taken apart, in this process only.

    Between looking at the tickets and writing the offers it is put aside for a moment, as a busy system does.
    """
    from foundation.postgresql.lease import TokenLease
    from matchmaking.sweep import write as writing
    from matchmaking.sweep.proposals import Proposals

    judge = Proposals.whole

    def take_always(lease: TokenLease, pk: int, *, seconds: float) -> UUID:
        return uuid4()

    def hold_nothing(lease: TokenLease, pk: int, token: UUID) -> bool:
        return True

    def judge_and_rest(proposals: Proposals, gone: Sequence[int]) -> Bools:
        time.sleep(0.3)
        return judge(proposals, gone)

    setattr(TokenLease, "take", take_always)  # noqa: B010 - for mypy, as the next two
    setattr(TokenLease, "hold_row", hold_nothing)  # noqa: B010
    setattr(Proposals, "whole", judge_and_rest)  # noqa: B010
    unlocked = writing._HOLD_TICKETS.replace("FOR UPDATE SKIP LOCKED", "")
    assert unlocked != writing._HOLD_TICKETS
    writing.__dict__["_HOLD_TICKETS"] = unlocked
    sweep(terms)
