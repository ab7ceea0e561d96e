"""How a kind of event is declared, for the catalogue in `events.kinds`."""

from typing import NamedTuple

__all__ = ["Declared", "of_absence", "of_clan", "of_group", "of_match", "of_players", "of_use"]


class Declared(NamedTuple):
    """What is declared of a kind.

    says     what has happened
    since    the first release that has it
    payload  what an event in the outbox carries; empty for a kind that is never published
    topics   streams on which it is broadcast: `player` for `player:<id>` and so on; empty for one that never is
    ids      what a broadcast message may name; fewer, or none, where it is about several at once
    """

    name: str
    says: str
    since: str
    payload: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


def of_players(name: str, says: str, *, ids: tuple[str, ...], since: str) -> Declared:
    """What is for the players concerned alone, and nothing to subscribers."""
    return Declared(name, says, since, topics=("player", "searches"), ids=ids)


def of_clan(verb: str, says: str) -> Declared:
    """What has happened in a clan: for its members and whom it concerns besides."""
    return of_players(f"clan.{verb}", says, ids=("clan",), since="0.4.0")


def of_group(verb: str, says: str) -> Declared:
    """The same in a group."""
    return of_players(f"group.{verb}", says, ids=("group",), since="0.1.0")


def of_match(name: str, says: str, *, since: str) -> Declared:
    """A step in the life of a match."""
    topics = ("player", "ladder", "game", "site")
    return Declared(name, says, since, ("match", "ladder"), topics, ids=("match",))


def of_absence(name: str, says: str) -> Declared:
    """That a player is away from a running match, or back: for those who play in it, and for servers."""
    return Declared(name, says, "0.3.0", topics=("player", "game"), ids=("match", "player"))


def of_use(thing: str, verb: str) -> Declared:
    """That operators have taken something out of use, or back into it; for servers."""
    says = f"an operator has {verb} a {thing}"
    return Declared(f"{thing}.{verb}", says, "0.1.0", topics=("game",), ids=(thing,))
