"""What is suggested: from one's own matches and words, to those who want it, and nothing that others have said."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from api.site.delete_person import delete_player
from foundation import clock
from groups import membership
from groups.models import Group
from groups.refusals import PlayerGoneError
from groups.suggest import LOOKS_BACK, Suggested, choose, suggestions_for
from matchmaking import avoid_list
from matchmaking.models import Feedback
from people import befriend, blocks
from people.wishes import choose as choose_contact
from ratings.merging.merge import merge
from ratings.models import Match, MatchState, Participant, Player, SanctionKind, SuspendedFrom
from ratings.sanctions import impose
from tests.groups.test_groups import made
from tests.matchmaking.hall import NOON, Hall, make_hall

pytestmark = pytest.mark.django_db


def play(hall: Hall, *players: int, times: int = 1, state: str = MatchState.CONFIRMED) -> None:
    """Let these have played together, without the way there."""
    for _ in range(times):
        match = Match.objects.create(
            ladder=hall.ladder,
            game=hall.ladder.game,
            state=state,
            played_at=NOON,
            ended_at=NOON,
            external_id=f"together-{Match.objects.count()}",
            confirmed_at=NOON if state == MatchState.CONFIRMED else None,
        )
        Participant.objects.bulk_create(
            Participant(match=match, player=hall.players[n], team=team, playing=False)
            for team, n in enumerate(players)
        )


def like(author: Player, subject: Player, enjoyed: bool = True) -> None:
    Feedback.objects.create(game_id=author.game_id, author=author, subject=subject, enjoyed=enjoyed)


def names(found: Suggested, hall: Hall) -> list[int]:
    numbers = {player.pk: number for number, player in enumerate(hall.players)}
    return [numbers[one.player.pk] for one in found.players]


def test_nothing_is_suggested_to_whoever_has_not_asked() -> None:
    hall = make_hall(2)
    own = hall.players[0]
    play(hall, 0, 1, times=3)
    assert suggestions_for(own) == Suggested()
    choose(player=own, wanted=True)
    choose(player=own, wanted=True)
    assert names(suggestions_for(own), hall) == [1]
    choose(player=own, wanted=False)
    assert suggestions_for(own) == Suggested()


def test_friends_come_from_matches_together_and_own_words() -> None:
    hall = make_hall(8)
    own, once, thrice, liked, disliked, liked_once, aborted, _never = hall.players
    choose(player=own, wanted=True)
    play(hall, 0, 1)
    play(hall, 0, 2, times=3)
    play(hall, 0, 3, times=4)
    play(hall, 0, 4, times=9)
    play(hall, 0, 5)
    play(hall, 0, 6, times=5, state=MatchState.ABORTED)
    like(own, liked)
    like(own, liked_once)
    like(own, disliked, enjoyed=False)
    like(own, hall.players[7])
    found = suggestions_for(own)
    assert names(found, hall) == [3, 5, 2]
    assert [(one.matches, one.liked) for one in found.players] == [(4, True), (1, True), (3, False)]
    for other in (once, thrice, aborted):
        assert other is not own


@pytest.mark.parametrize(
    "how",
    [
        "friend",
        "asked",
        "blocks",
        "blocked",
        "avoids",
        "closed",
        "suspended",
        "deleted",
        "archived",
    ],
)
def test_whom_one_has_to_do_with_already_or_cannot_ask_is_left_out(how: str) -> None:
    hall = make_hall(2)
    own, other = hall.players
    choose(player=own, wanted=True)
    play(hall, 0, 1, times=3)
    like(own, other)
    assert names(suggestions_for(own), hall) == [1]
    ways: dict[str, Any] = {
        "friend": lambda: (
            befriend.befriend(player=own, other=other),
            befriend.befriend(player=other, other=own),
        ),
        "asked": lambda: befriend.befriend(player=own, other=other),
        "blocks": lambda: blocks.block(player=own, other=other),
        "blocked": lambda: blocks.block(player=other, other=own),
        "avoids": lambda: avoid_list.avoid(player=own, other=other),
        "closed": lambda: choose_contact(player=other, chosen={"ask": "nobody"}),
        "suspended": lambda: impose(
            player=other,
            kind=SanctionKind.SUSPENDED,
            suspended_from=SuspendedFrom.ALL,
            reason="x",
            by=None,
        ),
        "deleted": lambda: delete_player(other, by=None),
        "archived": lambda: Player.objects.filter(pk=other.pk).update(archived_at=NOON),
    }
    ways[how]()
    assert names(suggestions_for(own), hall) == []


def test_merged_players_are_one() -> None:
    """Matches and words of both count, whoever of the two has met and said it."""
    hall = make_hall(6)
    own, earlier, liked, liked_earlier, disliked, _met = hall.players
    choose(player=own, wanted=True)
    play(hall, 0, 3)
    like(own, liked_earlier)
    play(hall, 1, 4, times=3)
    like(earlier, disliked, enjoyed=False)
    play(hall, 0, 5, times=2)
    play(hall, 1, 5)
    merge(player=liked_earlier, into=liked, by=None, note="the same person")
    merge(player=earlier, into=own, by=None, note="the same person")
    assert names(suggestions_for(own), hall) == [2, 5]
    for gone in (earlier, liked_earlier):
        gone.refresh_from_db()
        with pytest.raises(PlayerGoneError):
            choose(player=gone, wanted=True)


def test_only_the_last_matches_count() -> None:
    hall = make_hall(3)
    own, old, _new = hall.players
    choose(player=own, wanted=True)
    like(own, old)
    play(hall, 0, 1, times=3)
    play(hall, 0, 2, times=LOOKS_BACK)
    assert names(suggestions_for(own), hall) == [2]


def grouped(hall: Hall, *numbers: int, **settings: Any) -> Group:
    first, *others = numbers
    group = made(hall, first, **{"access": "open", **settings})
    for number in others:
        membership.join(group_id=group.pk, player=hall.players[number])
    return group


def suggested_groups(player: Player) -> Sequence[tuple[int, int]]:
    return [(one.group.pk, one.liked) for one in suggestions_for(player).groups]


def test_groups_in_which_several_are_whom_one_liked() -> None:
    hall = make_hall(7)
    own = hall.players[0]
    choose(player=own, wanted=True)
    for number in (1, 2, 3):
        play(hall, 0, number)
        like(own, hall.players[number])
    play(hall, 0, 4, times=9)
    three = grouped(hall, 1, 2, 3, 4)
    two = grouped(hall, 1, 2)
    grouped(hall, 1, 4)  # one alone
    grouped(hall, 1, 2, most=2)  # full
    shut = grouped(hall, 1, 2)
    Group.objects.filter(pk=shut.pk).update(access="invited")
    mine = grouped(hall, 1, 2)
    membership.join(group_id=mine.pk, player=own)
    out = grouped(hall, 1, 2)
    membership.join(group_id=out.pk, player=own)
    membership.remove(group_id=out.pk, player_id=own.pk, by=hall.players[1])
    strange = grouped(hall, 1, 2, 5)
    # Not to see it there would tell who blocks.
    blocks.block(player=hall.players[5], other=own)
    assert set(suggested_groups(own)) == {(three.pk, 3), (two.pk, 2), (strange.pk, 2)}
    blocks.block(player=own, other=hall.players[5])
    assert suggested_groups(own) == [(three.pk, 3), (two.pk, 2)]


def test_it_takes_as_many_queries_for_many_as_for_few() -> None:
    hall = make_hall(40)
    own = hall.players[0]
    choose(player=own, wanted=True)
    counts = []
    for more in (range(1, 4), range(4, 40)):
        for number in more:
            play(hall, 0, number, times=2)
            like(own, hall.players[number])
        grouped(hall, *list(more)[:3])
        with (
            CaptureQueriesContext(
                connection,
            ) as queries,
            clock.at(NOON + timedelta(days=1)),
        ):
            assert suggestions_for(own).groups
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 13
