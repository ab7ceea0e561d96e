"""Matches of teams, and free-for-all: teams of one."""

from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.model.proposed import Meetings
from matchmaking.pairing.teams.arrange import arrange
from matchmaking.pairing.teams.form import form
from matchmaking.pairing.teams.split import Divider
from matchmaking.pairing.tickets import Tickets

__all__ = ["find_groups"]


def find_groups(tickets: Tickets, plan: Plan) -> Meetings:
    """Matches of `plan.team_count` teams of `plan.team_size` players each.

    In every match everybody passes every condition of everybody else, team mates too; no two ratings
    are further apart than each ticket accepts; parties are in one team; every team fills its roles;
    at least one map is vetoed by nobody. The answer does not depend on the order of `tickets`.

    Who waits on: nobody of them could, going through those left who are up to 5 matches' players away
    in the order of ratings, nearest first, fill a match by taking everyone who suits all taken so
    far. With nobody but single players, no roles and no condition besides the spread, there is no
    match among those left at all, as far as so many places reach.
    """
    divider = Divider(tickets, plan)
    return arrange(tickets, plan, form(tickets, plan, divider), divider)
