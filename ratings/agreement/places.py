"""What the places that more than two teams say they took amount to. Pure: takes words, gives a verdict.

Places are counted as in sports: two who share the first place are followed by the third. Whoever left without naming
a place comes last, with all others who did.
"""

from collections.abc import Sequence

from ratings.agreement.words import Said, Verdict
from ratings.models import MatchState, Outcome

__all__ = ["judge_places", "place_of"]


def judge_places(teams: Sequence[Sequence[Said]], *, is_final: bool) -> Verdict:
    """Return what comes of the words of all teams, each of which is a list of its players'."""
    words = [_words_of(team) for team in teams]
    if any(len(word) > 1 for word in words):
        return Verdict(MatchState.DISPUTED)
    spoken = [next(iter(word), None) for word in words]
    if not any(words):
        return Verdict(MatchState.ABANDONED if is_final else MatchState.PLAYING)
    if None in spoken and not is_final:
        return Verdict(MatchState.REPORTED)
    if any(word == Outcome.NOT_PLAYED for word in spoken):
        return Verdict(MatchState.DISPUTED)
    places = _complete([word if isinstance(word, int) else None for word in spoken], spoken)
    if places is None:
        return Verdict(MatchState.DISPUTED)
    return Verdict(MatchState.CONFIRMED, tuple(sorted(set(places)).index(one) for one in places))


def place_of(ranks: Sequence[int], team: int) -> int:
    """The place that a team took by these ranks."""
    return 1 + sum(rank < ranks[team] for rank in ranks)


def _words_of(team: Sequence[Said]) -> set[int | str]:
    """What a team says: a place, that it has left or that nothing was played; several that contradict each other.

    Who left early speaks for the team only when all of it has spoken and nobody who stayed has.
    """
    stayed = {_word_of(one) for one in team if one.outcome and not one.left_early}
    if stayed or not all(one.outcome for one in team):
        return stayed
    return {_word_of(one) for one in team}


def _word_of(said: Said) -> int | str:
    if said.place is not None:
        return said.place
    return 1 if said.outcome in {Outcome.WON, Outcome.DRAWN} else said.outcome


def _complete(told: list[int | None], spoken: Sequence[int | str | None]) -> list[int] | None:
    """Everybody's place; None where what was said is no order, or leaves open what the silent ones took.

    The silent share the one place that is left for them. Nobody is believed to share a place with somebody who said
    the same while others could still contradict.
    """
    last = len(told) + 1 - sum(word == Outcome.LOST for word in spoken)
    places = [
        last if word == Outcome.LOST else place for place, word in zip(told, spoken, strict=True)
    ]
    known = [place for place in places if place is not None]
    if len(known) < len(places):
        named = [place for place in told if place is not None]
        if len(set(named)) < len(named):
            return None
        candidates = (
            [open_place if place is None else place for place in places]
            for open_place in range(1, len(places) + 1)
        )
        return next((one for one in candidates if _is_order(one)), None)
    return known if _is_order(known) else None


def _is_order(places: Sequence[int]) -> bool:
    """Whether everybody's place is one more than the number of those before."""
    return all(place == 1 + sum(other < place for other in places) for place in places)
