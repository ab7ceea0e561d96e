"""What the description says in words, kept: valid bodies are made to fit the match, ladder or queue that they name."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

__all__ = ["fit_lineup", "fit_places", "fit_played", "fit_report", "fit_result", "fit_wishes"]

Body = dict[str, Any]
_PLACES = ("cursor", "around", "rank")


def fit_places(query: Body) -> None:
    """One place of a leaderboard: which one differs from case to case."""
    given = [name for name in _PLACES if name in query]
    for name in given[1:]:
        del query[name]


def fit_lineup(names: Iterable[str], shape: tuple[int, int]) -> list[list[str]]:
    """Teams of a ladder, with nobody in two of them."""
    teams, size = shape
    chosen = list(dict.fromkeys(names))
    return [chosen[team * size : (team + 1) * size] for team in range(teams)]


def fit_report(body: Body, teams: int) -> None:
    """An outcome of two teams; of more a place, which may be shared."""
    if teams == 2:
        body.pop("place", None)
        body.setdefault("outcome", "won")
    elif "place" in body or body.get("outcome") not in ("won", "not_played"):
        body["place"] = 1 + (body.get("place", teams) - 1) % teams
        if body.get("outcome") != "drawn":
            body.pop("outcome", None)


def fit_result(body: Body, members: Sequence[str], teams: int) -> None:
    """A rank and a score for each team, and figures of those who play."""
    ranks = [rank % teams for rank in body["ranks"]]
    ranks = [ranks[team % len(ranks)] for team in range(teams)]
    body["ranks"] = [rank - min(ranks) for rank in ranks]
    if body.get("scores"):
        scores = body["scores"]
        body["scores"] = [scores[team % len(scores)] for team in range(teams)]
    if body.get("left"):
        body["left"] = list(members[: len(body["left"])])
    for name in ("player_scores", "minutes", "characters"):
        if body.get(name):
            body[name] = dict(zip(members, body[name].values(), strict=False))
    if body.get("ended_at"):
        body["ended_at"] = datetime.now(UTC).isoformat()


def fit_played(item: Body, shape: tuple[int, int], others: Sequence[str]) -> None:
    """A finished match of a ladder, in the past."""
    names = [name for team in item["teams"] for name in team]
    item["teams"] = fit_lineup([*names, *others], shape)
    members = [name for team in item["teams"] for name in team]
    fit_result(item, members, len(item["teams"]))
    item["played_at"] = (datetime.now(UTC) - timedelta(hours=1)).isoformat()


def fit_wishes(body: Body, maps: Sequence[str], roles: Sequence[str]) -> None:
    """Maps and roles of the queue: as many as were drawn, and one map is left over."""
    for kind, least in (("veto", 1), ("like", 0)):
        if kind in body.get("maps", {}):
            body["maps"][kind] = _known(body["maps"][kind], maps[least:])
    for chooser in [body, *body.get("members", [])]:
        if "roles" in chooser:
            chooser["roles"] = _known(chooser["roles"], roles)


def _known(drawn: Sequence[str], known: Sequence[str]) -> list[str]:
    return list(known[: len(drawn)])
