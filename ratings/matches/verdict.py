"""What the words of the players of one match amount to. Pure: takes words, gives a verdict.

One word a team is enough. A player who left early speaks for the team only when all of it has spoken and nobody who
stayed has: the others may be playing on.

Where the members of a team contradict each other, the word of more than half of it is the team's; where it has none,
of two teams, the word of more than half of all players. Else one of many could keep every lost match from counting.

Of two teams, one that says it has lost speaks against itself: nobody is asked whether that is so. In a team more than
half must have said it, for one of many could give away what the others are about to win.

Of more than two teams each says which place it took; words without a place say who came first at most.

Places are counted as in sports: two who share the first place are
followed by the third, and both must say that they share it. Whoever left without naming a place comes last, with all
others who did.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ratings.models import MatchState, Outcome

__all__ = ["PARTNER_TEAM", "Said", "Verdict", "judge", "with_partner"]

T = TypeVar("T")
_OPPOSITES: dict[str, str] = {Outcome.WON: Outcome.LOST, Outcome.LOST: Outcome.WON}
# The team that a partner of the game is, in a match of two.
PARTNER_TEAM = 1
# A place, and whether it was shared; or the outcome alone of who left or did not play.
_Word = tuple[int, bool] | str


@dataclass(frozen=True, slots=True)
class Said:
    """A player's team and word; `outcome` is empty for a player who has not spoken.

    `place`: in a match of more than two teams, the one that the own team took; 1 is the best. Its outcome is drawn if
    it was shared. None for a player who has left.
    """

    team: int
    outcome: str = ""
    left_early: bool = False
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The state of the match, with ranks by team when it is confirmed."""

    state: MatchState
    ranks: tuple[int, ...] = ()


def with_partner(said: Iterable[Said], partner: str) -> list[Said]:
    """What the players have said, and the silence of the `partner` that the game has supplied; empty: there is none.

    How it ended for the partner follows from what the players say.
    """
    return [*said, *([Said(PARTNER_TEAM)] if partner else [])]


def voice_of(words: Sequence[T], *, among: int) -> set[T]:
    """The word of more than half of `among` players; where there is none, every word that was said."""
    most = {word for word in words if 2 * words.count(word) > among}
    return most or set(words)


def judge(participants: Iterable[Said], *, is_final: bool = False) -> Verdict:
    """Return what comes of a match when this is all that its players have said; `participants` holds everyone, once.

    While a team has not spoken the match stays open, unless `is_final`: then what was said stands, and what the
    silent ones would have to say follows from it, or the match is disputed where it does not.
    """
    by_team: dict[int, list[Said]] = defaultdict(list)
    for participant in participants:
        by_team[participant.team].append(participant)
    teams = [by_team[number] for number in sorted(by_team)]
    if len(teams) > 2 and any(
        participant.place is not None for team in teams for participant in team
    ):
        return judge_places(teams, is_final=is_final)
    words = [_words_of(team, [one.outcome for one in team]) for team in teams]
    if len(teams) == 2 and any(len(word) > 1 for word in words):
        words = _words_of_most(teams) or words
    if any(len(word) > 1 for word in words):
        return Verdict(MatchState.DISPUTED)
    spoken = [next(iter(word), "") for word in words]
    if not any(spoken):
        return Verdict(MatchState.ABANDONED if is_final else MatchState.PLAYING)
    if "" in spoken and not is_final:
        # One of two teams may have given itself up as beaten.
        loser = teams[spoken.index(Outcome.LOST)] if Outcome.LOST in spoken else []
        conceding = sum(participant.outcome == Outcome.LOST for participant in loser)
        if len(teams) != 2 or 2 * conceding <= len(loser):
            return Verdict(MatchState.REPORTED)
    implied = _implied_by(spoken)
    told = [word or implied for word in spoken]
    # Either nobody played, or one team won, or several drew; all others lost.
    count = {word: told.count(word) for word in ("", *Outcome.values)}
    if count[Outcome.NOT_PLAYED] == len(told):
        return Verdict(MatchState.ABORTED)
    has_best = (count[Outcome.WON], min(count[Outcome.DRAWN], 2)) in {(1, 0), (0, 2)}
    if count[""] or count[Outcome.NOT_PLAYED] or not has_best:
        return Verdict(MatchState.DISPUTED)
    return Verdict(MatchState.CONFIRMED, tuple(int(word == Outcome.LOST) for word in told))


def _words_of(team: Sequence[Said], words: Sequence[T]) -> set[T]:
    """Return what a team says: one word, none yet, or several that contradict each other. `words`: of each member.

    Of several one is the team's if more than half of it says so. Who left early speaks for the team only when all of
    it has spoken and nobody who stayed has.
    """
    members = zip(team, words, strict=True)
    said = [word for one, word in members if one.outcome and not one.left_early]
    if not said and all(one.outcome for one in team):
        said = list(words)
    return voice_of(said, among=len(team))


def _words_of_most(teams: list[list[Said]]) -> list[set[str]]:
    """The words of two teams as more than half of all players have it; none where they do not agree so far."""
    first, second = teams
    said = [
        participant.outcome
        for participant in first
        if participant.outcome and not participant.left_early
    ]
    said += [
        _OPPOSITES.get(participant.outcome, participant.outcome)
        for participant in second
        if participant.outcome and not participant.left_early
    ]
    voice = voice_of(said, among=len(first) + len(second))
    if len(voice) > 1:
        return []
    (word,) = voice
    return [{word}, {_OPPOSITES.get(word, word)}]


def _implied_by(spoken: list[str]) -> str:
    """The word of a silent team that follows from those of the others; empty where none does."""
    if Outcome.NOT_PLAYED in spoken:
        return Outcome.NOT_PLAYED
    if Outcome.WON in spoken or spoken.count(Outcome.DRAWN) > 1:
        return Outcome.LOST
    if spoken.count("") > 1:
        return ""
    return Outcome.DRAWN if Outcome.DRAWN in spoken else Outcome.WON


def judge_places(teams: Sequence[Sequence[Said]], *, is_final: bool) -> Verdict:
    """Return what comes of the words of all teams, each of which is a list of its players'."""
    words = [_words_of(team, [_place_said(one) for one in team]) for team in teams]
    if any(len(word) > 1 for word in words):
        return Verdict(MatchState.DISPUTED)
    if not any(words):
        return Verdict(MatchState.ABANDONED if is_final else MatchState.PLAYING)
    spoken = [next(iter(word), None) for word in words]
    if None in spoken and not is_final:
        return Verdict(MatchState.REPORTED)
    if Outcome.NOT_PLAYED in spoken:
        return Verdict(MatchState.DISPUTED)
    last = len(spoken) + 1 - sum(word == Outcome.LOST for word in spoken)
    given = [word[0] if isinstance(word, tuple) else last if word else None for word in spoken]
    # The silent share the one place that is left for them, if with it what was said is an order.
    for open_place in range(1, len(given) + 1):
        places = [place or open_place for place in given]
        # Each place is one more than the number of teams before it, and shared by those who say so.
        if all(
            place == 1 + sum(other < place for other in places)
            and (not isinstance(word, tuple) or word[1] == (places.count(place) > 1))
            for place, word in zip(places, spoken, strict=True)
        ):
            order = sorted(set(places))
            return Verdict(MatchState.CONFIRMED, tuple(order.index(place) for place in places))
    return Verdict(MatchState.DISPUTED)


def _place_said(said: Said) -> _Word:
    is_shared = said.outcome == Outcome.DRAWN
    if said.place is not None:
        return said.place, is_shared
    return (1, is_shared) if is_shared or said.outcome == Outcome.WON else said.outcome
