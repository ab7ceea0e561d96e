"""What the API's answers mean to a simulated player."""

from dataclasses import dataclass
from typing import Any

from demo.maps import side_worth

__all__ = ["MatchAnswer", "TicketAnswer"]

_SEARCHING = {"waiting", "offered"}
_OPEN = {"playing", "reported"}


@dataclass(frozen=True, slots=True)
class TicketAnswer:
    """A search: `is_asked` while an offer waits for this ticket's answer; `match` once there is one."""

    id: int
    is_live: bool
    is_asked: bool
    match: int | None

    @classmethod
    def of(cls, body: dict[str, Any]) -> "TicketAnswer":
        """Read a ticket."""
        offer = body.get("offer")
        return cls(
            id=body["id"],
            is_live=body["state"] in _SEARCHING,
            is_asked=offer is not None and not offer["is_accepted"],
            match=body.get("match"),
        )


@dataclass(frozen=True, slots=True)
class MatchAnswer:
    """A match: whether it is undecided, ids in the game of who plays, by team, what they reported so far, and where.

    `places`: those that were reported, in matches of more than two teams. `ids`: those of the site, by ids in the game.
    """

    is_open: bool
    teams: tuple[tuple[str, ...], ...]
    reports: dict[str, str]
    places: dict[str, int]
    map: str
    neutral: bool
    ids: dict[str, int]

    @classmethod
    def of(cls, body: dict[str, Any]) -> "MatchAnswer":
        """Read a match."""
        members = [member["player"] for team in body["teams"] for member in team["members"]]
        names = {player["id"]: player["external_id"] for player in members}
        reports = {names[report["player"]]: report["outcome"] for report in body["reports"]}
        places = {
            names[report["player"]]: report["place"]
            for report in body["reports"]
            if report["place"]
        }
        teams = tuple(
            tuple(member["player"]["external_id"] for member in team["members"])
            for team in sorted(body["teams"], key=lambda team: int(team["team"]))
        )
        return cls(
            is_open=body["state"] in _OPEN,
            teams=teams,
            reports=reports,
            places=places,
            map=body["map"],
            neutral=body["neutral"],
            ids={name: pk for pk, name in names.items()},
        )

    @property
    def side(self) -> float:
        """What the first team's side is truly worth, in points of each of its players."""
        return 0.0 if self.neutral else side_worth(self.map)

    @property
    def players(self) -> list[str]:
        """Everybody, team by team."""
        return [player for team in self.teams for player in team]
