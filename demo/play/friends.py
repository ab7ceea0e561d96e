"""Two simulated players in one party: through the API, as two people with one code."""

from collections.abc import Iterable

from demo.play.client import Client, RefusalError

__all__ = ["NO_PARTY", "gather", "part"]

NO_PARTY = frozenset({"party_over", "not_in_party", "not_leader", "party_too_large"})
_NOT_NOW = NO_PARTY | {"already_matched", "unknown_party", "party_full", "already_in_party"}


async def gather(api: Client, leader: str, friend: str) -> int | None:
    """Open a party and let the friend in; None when that does not work now. Raises RefusalError for anything else."""
    try:
        party = await _anew(api, "parties", player=leader)
        await _anew(api, "parties/join", player=friend, code=str(party["code"]))
    except RefusalError as refusal:
        if refusal.code not in _NOT_NOW:
            raise
        return None
    return int(str(party["id"]))


async def part(api: Client, party: int, players: Iterable[str]) -> None:
    """Let them go their ways."""
    for player in players:
        try:
            await api.post(f"parties/{party}/leave", player=player)
        except RefusalError as refusal:
            if refusal.code not in _NOT_NOW:
                raise


async def _anew(api: Client, path: str, **body: str) -> dict[str, object]:
    """Come to a party; whoever is in one still, from an earlier run of this program perhaps, leaves it first."""
    try:
        return await api.post(path, **body)
    except RefusalError as refusal:
        if refusal.code != "already_in_party":
            raise
        await part(api, int(refusal.body["party"]), [body["player"]])
    return await api.post(path, **body)
