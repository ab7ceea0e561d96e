"""One simulated player, online: searches, accepts, plays, reports, rests, and goes after a few matches."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import structlog

from demo.maps import map_preferences
from demo.play.api_answers import MatchAnswer, TicketAnswer
from demo.play.client import Client, RefusalError
from demo.play.friends import NO_PARTY, gather, part
from demo.play.sociable import BEFORE, IN_PARTY, after_match, write
from demo.play.truth import MatchTruth, Persona, word_of

__all__ = ["SimulatedLife", "World"]

log = structlog.get_logger(__name__)

# Seconds, from – to.
_REST = (4.0, 40.0)  # between two matches
_LOOKS = (1.6, 2.6)  # between two looks at one's ticket
_PATIENCE = (90.0, 240.0)  # of searching, until giving up
_THINKS = (0.5, 3.5)  # before answering an offer
_TYPES = (0.5, 6.0)  # before reporting
_DECIDED = {"match_decided"}
_NOT_NOW = {
    "queue_closed",
    "member_searching",
    "member_playing",
    "too_many_disputes",
    "member_disputes",
    "in_room",
    "cooling_off",
    "not_available",
}
_GREETS = 0.5  # chances to write a line: before a match with people, and in a party
_CHATS = 0.3
_LAST_ANSWER = 5.0  # for which the answer to a search is awaited when going home


@dataclass(slots=True)
class World:
    """What all simulated players share.

    queues  short names of the queues, and how much each is liked
    paired  those of them in which two friends play together
    hurry   divides every span of time that a player decides on; tests are in a hurry
    maps    those of each queue that somebody has asked about
    social  whether they also write to each other, and say whom they enjoyed playing with
    """

    api: Client
    roster: dict[str, Persona]
    queues: dict[str, float]
    seed: int
    hurry: float = 1.0
    paired: Sequence[str] = ()
    maps: dict[str, list[str]] = field(default_factory=dict)
    social: bool = False

    async def maps_of(self, queue: str) -> list[str]:
        """Maps to choose from in a queue, asked once; `maps` forgets them when they have changed."""
        if queue not in self.maps:
            self.maps[queue] = (await self.api.get(f"queues/{queue}"))["maps"]
        return self.maps[queue]

    async def pause(self, seconds: float) -> None:
        """Let so much time go by."""
        await asyncio.sleep(seconds / self.hurry)

    def later(self, seconds: float) -> float:
        """The moment of the loop's clock so many seconds from now."""
        return asyncio.get_running_loop().time() + seconds / self.hurry

    def is_over(self, moment: float) -> bool:
        """Whether that moment is past."""
        return asyncio.get_running_loop().time() >= moment


@dataclass(slots=True)
class SimulatedLife:
    """A player's time online, or that of two friends; the first acts for both.

    `ticket` is the search under way, for whoever has to end it; `party` where the friends are together.
    """

    world: World
    me: Persona
    luck: random.Random
    queue: str = ""
    ticket: int | None = None
    friend: Persona | None = None
    party: int | None = None

    @property
    def _us(self) -> list[Persona]:
        """Whom this life is about."""
        return [self.me, self.friend] if self.friend else [self.me]

    async def spend(self, games: int, *, at_once_in: str = "") -> None:
        """Play so many games; the first in a given queue, without delay. Raises RefusalError for a bad key only."""
        try:
            for game in range(games):
                if game == 0 and at_once_in:
                    self.queue = at_once_in
                else:
                    await self._pause(_REST)
                    if self.friend:  # friends play where they can do so together
                        self.queue = self.luck.choice(self.world.paired)
                    elif not self.queue or self.luck.random() >= 0.7:  # mostly where one was before
                        liked = self.world.queues
                        self.queue = self.luck.choices(list(liked), list(liked.values()))[0]
                if self.friend and self.party is None:
                    self.party = await gather(self.world.api, self.me.id, self.friend.id)
                    if self.party and self.world.social and self.luck.random() < _CHATS:
                        api, party = self.world.api, self.party
                        await write(api, "party", party, self.me.id, IN_PARTY, self.luck)
                if (match := await self._find_match()) is not None:
                    await self._play(match)
            if self.party is not None:
                await part(self.world.api, self.party, [one.id for one in self._us])
        except RefusalError as refusal:
            if refusal.is_of_the_key:
                raise
            log.warning("demo.refused", player=self.me.id, why=str(refusal))

    async def play_out(self, match: int) -> None:
        """Play a match that has come about elsewhere. Raises RefusalError for a bad key only."""
        try:
            await self._play(match)
        except RefusalError as refusal:
            if refusal.is_of_the_key:
                raise
            log.warning("demo.refused", player=self.me.id, why=str(refusal))

    async def _pause(self, span: tuple[float, float]) -> None:
        await self.world.pause(self.luck.uniform(*span))

    async def _find_match(self) -> int | None:
        """Search until there is a match; None when nothing came of it."""
        body = map_preferences(self.me.id, await self.world.maps_of(self.queue))
        if self.party is not None:
            body["party"] = self.party
        try:
            begun = await self._search(body)
        except RefusalError as refusal:
            # Go on with what was begun before, by an earlier run of this program perhaps.
            if refusal.code == "already_playing":
                return int(refusal.body["match"])
            if refusal.code == "already_searching":
                begun = await self._look(int(refusal.body["ticket"]))
            else:
                if refusal.code in NO_PARTY:
                    self.party = None  # another one next time
                elif refusal.code == "wrong_wishes":  # an operator has changed the maps
                    self.world.maps.pop(self.queue, None)
                elif refusal.code not in _NOT_NOW:
                    raise
                return None
        return await self._wait_on(begun)

    async def _search(self, body: dict[str, Any]) -> TicketAnswer:
        """Begin to search. For whoever is called away meanwhile the site may have begun: `ticket` tells then."""
        asked = asyncio.ensure_future(
            self.world.api.post("tickets", queue=self.queue, player=self.me.id, **body)
        )
        try:
            return TicketAnswer.of(await asyncio.shield(asked))
        except asyncio.CancelledError:
            await asyncio.wait([asked], timeout=_LAST_ANSWER)
            if asked.done() and asked.exception() is None:
                self.ticket = TicketAnswer.of(asked.result()).id
            asked.cancel()
            raise

    async def _look(self, ticket: int) -> TicketAnswer:
        return TicketAnswer.of(await self.world.api.get(f"tickets/{ticket}"))

    async def _wait_on(self, ticket: TicketAnswer) -> int | None:
        """Answer offers until there is a match, or until one has waited long enough."""
        self.ticket, until = ticket.id, self.world.later(self.luck.uniform(*_PATIENCE))
        try:
            while ticket.is_live and (ticket.is_asked or not self.world.is_over(until)):
                if ticket.is_asked:
                    # Nearly everybody accepts. Some decline, and some have fallen asleep.
                    await self._pause(_THINKS)
                    rudeness, luck = 0.004 + 0.05 * (1.0 - self.me.manners), self.luck.random()
                    if luck < rudeness / 2:
                        await self.world.pause(60.0)
                    else:
                        word = "decline" if luck < rudeness else "accept"
                        path = f"tickets/{ticket.id}/{word}"
                        await self._tell(path, unless={"no_offer", "offer_over"})
                await self._pause(_LOOKS)
                ticket = await self._look(ticket.id)
            if not ticket.is_live:
                return ticket.match
            try:
                await self.world.api.post(f"tickets/{ticket.id}/cancel")
            except RefusalError as refusal:
                if refusal.code == "already_matched":
                    return int(refusal.body["match"])
                raise
            return None
        finally:
            self.ticket = None

    async def _play(self, number: int) -> None:
        """Play a match to its end, say how it went, and what there is to say of the others."""
        match = await self._look_at(number)
        roster = self.world.roster
        personas = [[roster.get(one) or Persona.of_a(one) for one in team] for team in match.teams]
        truth = MatchTruth.of(number, personas, seed=self.world.seed, side=match.side)
        # One of two friends plays alone where the other was still in a match of before.
        ours = [one for one in self._us if one.id in match.players]
        await self._report(number, match, truth, ours)
        if self.world.social:
            for one in ours:
                others = [roster[it] for it in match.players if it in roster and it != one.id]
                await after_match(self.world.api, one, number, match, truth, others, self.luck)

    async def _report(
        self, number: int, match: MatchAnswer, truth: MatchTruth, ours: Sequence[Persona]
    ) -> None:
        """Play until it is over, and say how it went."""
        roster = self.world.roster
        if people := [player for player in match.players if player not in roster]:
            if ours and self.world.social and self.luck.random() < _GREETS:
                await write(self.world.api, "match", number, ours[0].id, BEFORE, self.luck)
            if ours and (said := await self._agree(number, ours[0].id, people, truth)):
                await self._say(number, "reports", player=ours[0].id, **said)
            return
        # A match between simulated players goes as its truth says.
        await self.world.pause(truth.seconds)
        if len(match.teams) > 2:
            # The game's server says in what order many finish. Here each of them speaks for it, all the same.
            await self._pause(_TYPES)
            if not truth.played:
                await self._tell(f"matches/{number}/abort", unless=_DECIDED)
                return
            left = [truth.leaver] if truth.leaver else []
            path, ranks = f"matches/{number}/result", list(truth.ranks)
            await self._tell(path, unless=_DECIDED, ranks=ranks, left=left)
            return
        if truth.leaver in {one.id for one in ours}:
            await self._say(number, "leave", player=truth.leaver)
        await self._pause(_TYPES)
        for one in ours:
            word = word_of(one, truth.outcome_for(one.id), self.luck)
            if word and one.id != truth.leaver:
                await self._say(number, "reports", player=one.id, outcome=word)

    async def _agree(
        self, number: int, me: str, people: Sequence[str], truth: MatchTruth
    ) -> dict[str, object] | None:
        """People alone say how the match went: wait for the word of one, among many of all, and agree.

        None when the match ended without that.
        """
        match = await self._look_at(number)
        awaited = 1 if len(match.teams) == 2 else len(people)
        while match.is_open:
            said = {one: match.reports[one] for one in people if one in match.reports}
            if len(said) < awaited:
                await self._pause(_TYPES)
                match = await self._look_at(number)
            elif len(match.teams) == 2:
                person, word = next(iter(said.items()))
                return {"outcome": truth.agree(me, person, word)}
            elif "not_played" in said.values():
                return {"outcome": "not_played"}
            else:
                # A place that is left.
                places = {person: match.places[person] for person in said if person in match.places}
                gone = said.keys() - places.keys()
                return {"place": truth.place_beside(me, places, gone)}
        return None

    async def _look_at(self, number: int) -> MatchAnswer:
        return MatchAnswer.of(await self.world.api.get(f"matches/{number}"))

    async def _say(self, number: int, path: str, **body: object) -> None:
        """Report or leave; a match that is decided by now needs no word."""
        await self._tell(
            f"matches/{number}/{path}",
            unless=_DECIDED,
            **{"player": self.me.id, **body},
        )

    async def _tell(self, path: str, *, unless: set[str], **body: object) -> None:
        """Post, unless it is too late for that."""
        try:
            await self.world.api.post(path, **body)
        except RefusalError as refusal:
            if refusal.code not in unless:
                raise
