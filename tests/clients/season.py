"""A game's server with the generated Python client: players, a match, its result, a search. Typed strictly."""

import os
import sys
from datetime import UTC, datetime
from http import HTTPStatus
from typing import TypeVar

from em_client import AuthenticatedClient
from em_client.api.games_and_ladders import get_ladders_by_slug_leaderboard
from em_client.api.matches import (
    get_matches_by_match_id,
    post_matches,
    post_matches_by_match_id_result,
    post_results,
)
from em_client.api.players import put_players_by_external_id_by_external_id
from em_client.api.queues_and_tickets import (
    get_me,
    post_tickets,
    post_tickets_by_ticket_id_cancel,
)
from em_client.models import (
    ArrangeBody,
    BoardShape,
    EnrolBody,
    MatchDetailShape,
    MatchStateShape,
    MeShape,
    NothingBody,
    PlayedShape,
    PlayerShape,
    ProblemBody,
    ProblemCode,
    ResultBody,
    ResultsShape,
    TeamShapeOutcomeEnum,
    TicketBody,
    TicketShape,
)
from em_client.models.answer_shape import AnswerShape

T = TypeVar("T")


def sure(answer: object, kind: type[T]) -> T:
    """The answer, which must be of this kind."""
    if not isinstance(answer, kind):
        raise SystemExit(f"not a {kind.__name__}: {answer}")
    return answer


client = AuthenticatedClient(base_url=os.environ["API"], token=os.environ["KEY"])
me = sure(get_me.sync(client=client), MeShape)
assert me.game == "go"
assert me.player is None
for name in ("ann", "bob"):
    body = EnrolBody(name=name.title())
    enrolled = put_players_by_external_id_by_external_id.sync(name, client=client, body=body)
    assert sure(enrolled, PlayerShape).external_id == name

# What may be left out is left out.
arranged = ArrangeBody(ladder="duel", teams=[["ann"], ["bob"]])
begun = sure(post_matches.sync(client=client, body=arranged), MatchStateShape)
result = ResultBody(ranks=[0, 1], scores=[3.0, 1.0])
for _ in range(2):
    ended = post_matches_by_match_id_result.sync(begun.id, client=client, body=result)
    assert sure(ended, MatchStateShape).state == "confirmed"
another = ResultBody(ranks=[0, 1], scores=[4.0, 1.0])
late = post_matches_by_match_id_result.sync_detailed(begun.id, client=client, body=another)
assert late.status_code == HTTPStatus.CONFLICT
assert sure(late.parsed, ProblemBody).code == ProblemCode.MATCH_DECIDED
match = sure(get_matches_by_match_id.sync(begun.id, client=client), MatchDetailShape)
assert [team.outcome for team in match.teams] == [
    TeamShapeOutcomeEnum.WON,
    TeamShapeOutcomeEnum.LOST,
]

played = PlayedShape(
    ladder="duel",
    external_id="evening-1",
    teams=[["bob"], ["ann"]],
    ranks=[0, 1],
    played_at=datetime(2026, 1, 2, 20, 15, tzinfo=UTC),
)
batch = sure(post_results.sync(client=client, body=ResultsShape(results=[played])), AnswerShape)
assert (batch.created, batch.refused) == (1, 0), batch
board = sure(get_ladders_by_slug_leaderboard.sync("duel", client=client), BoardShape)
assert board.ladder == "duel"

search = TicketBody(queue="duel", player="ann", languages=["de"])
ticket = sure(post_tickets.sync(client=client, body=search), TicketShape)
assert ticket.state == "waiting"
cancelled = post_tickets_by_ticket_id_cancel.sync(ticket.id, client=client, body=NothingBody())
assert sure(cancelled, TicketShape).state == "cancelled"
sys.stdout.write("the season is over\n")
