"""Recording results of matches that a game arranged and played itself: a batch in a handful of statements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from events.live import tell
from events.outbox import publish_many
from foundation import clock
from foundation.hooks import after_commit
from foundation.refusals import RefusedError
from foundation.transactions import briefly
from ratings.matches.end import wake_rating
from ratings.matches.played_match import PlayedMatch, UnknownLadderError, problem_of
from ratings.matches.player_stats import demands_of
from ratings.matches.refusals import MatchExistsError
from ratings.matches.storing import Content, content_of, known_contents, store
from ratings.models import Game, Ladder

__all__ = ["PlayedMatch", "Recorded", "UnknownLadderError", "record_results"]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of one match: its id, and whether it is new; or why it was refused."""

    match: int | None = None
    is_new: bool = False
    error: RefusedError | None = None


def record_results(*, game: Game, results: Sequence[PlayedMatch]) -> list[Recorded]:
    """Store finished matches of a game, confirmed at once in the order given; returns one answer each, in order.

    A match whose `external_id` is known with the same ladder, players, ranks, scores, minutes, characters, leavers
    and map is answered with what is there. Whatever is wrong with one match refuses that one only: UnknownLadderError,
    WrongPlayersError, WrongResultError, or MatchExistsError when it is known with another content.
    """
    ladders = {ladder.slug: ladder for ladder in Ladder.objects.filter(game=game)}
    asked_for = {ladders[it.ladder].pk for it in results if it.ladder in ladders}
    with briefly():
        now, demands = clock.now(), demands_of(asked_for)
        answers = [Recorded(error=problem_of(it, ladders, demands, now)) for it in results]
        sound = [place for place, answer in enumerate(answers) if answer.error is None]
        contents = {
            place: content_of(results[place], ladders[results[place].ladder]) for place in sound
        }
        first = {results[place].external_id: place for place in reversed(sound)}
        asked = sorted(first.values())  # of two with one id the first counts
        if asked:
            fresh = store(game, [results[it] for it in asked], [contents[it] for it in asked], now)
            known = {name: (fresh[name], contents[first[name]]) for name in fresh}
            if stored := first.keys() - fresh.keys():
                known |= known_contents(game, stored)
            for place in sound:
                name = results[place].external_id
                is_new = name in fresh and first[name] == place
                answers[place] = _answer(name, contents[place], known[name], is_new=is_new)
            _announce({fresh[name]: ladders[results[first[name]].ladder] for name in fresh})
    return answers


def _answer(name: str, told: Content, stored: tuple[int, Content], *, is_new: bool) -> Recorded:
    match, content = stored
    if not _says_the_same(told, content):
        return Recorded(error=MatchExistsError(name, match))
    return Recorded(match=match, is_new=is_new)


def _says_the_same(told: Content, stored: Content) -> bool:
    """Whether a telling adds nothing to what is stored; a map that it leaves out is not said."""
    said = replace(told, map=told.map or stored.map)
    return said == stored


def _announce(ladders: Mapping[int, Ladder]) -> None:
    """Write the facts down, wake the rating, and tell the pages of the ladders; `ladders` by match."""
    if not ladders:
        return
    facts = [{"match": match, "ladder": ladders[match].pk} for match in sorted(ladders)]
    publish_many("match.confirmed", facts)
    told = {ladder.pk: ladder for ladder in ladders.values()}
    tell([topic for pk in sorted(told) for topic in told[pk].topics], "match.confirmed")
    after_commit(wake_rating)
