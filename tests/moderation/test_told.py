"""Who played what was annulled is told so once, by whomever and in whatever way it was annulled."""

import pytest
from django.core.management import call_command
from django.urls import reverse

from accounts.models import User
from notifications.models import Notice
from ratings.matches.decide import annul
from ratings.matches.revising.annul_many import Chosen, annul_many
from ratings.merging.merge import merge
from ratings.models import ImportedFile, Match
from tests.accounts.opening import sign_in
from tests.matchmaking.hall import Hall, make_hall
from tests.moderation.office import played

pytestmark = pytest.mark.django_db


def told(hall: Hall) -> list[list[tuple[str, object]]]:
    """Of what the first two players are told, with the facts."""
    return [
        list(Notice.objects.filter(player=player).values_list("kind", "data"))
        for player in hall.players[:2]
    ]


def test_a_match_annulled_by_a_command_is_told_both_once() -> None:
    hall = make_hall()
    match = played(hall)
    for _ in range(2):
        call_command("annul", str(match.pk), note="Lost.")
        annul(match_id=match.pk, by=None, note="Once more.")
    assert told(hall) == [[("match.annulled", {"match": match.pk})]] * 2


def test_so_is_one_annulled_in_the_admin() -> None:
    hall = make_hall()
    match = played(hall)
    User.objects.create_superuser("olga", "olga@example.org", "a long walk home")
    client = sign_in("olga", "a long walk home")
    address = reverse("admin:ratings_match_annul", args=[match.pk])
    client.post(address, {"note": "Lost."})
    assert told(hall) == [[("match.annulled", {"match": match.pk})]] * 2


def test_of_several_of_one_player_others_hear_whose_they_were() -> None:
    hall = make_hall()
    for _ in range(2):
        played(hall)
    annul_many(Chosen(player=hall.players[0]), by=None, note="Lost.")
    assert told(hall) == [
        [("matches.annulled_together", {})],
        [("matches.annulled", {"player": hall.players[0].pk})],
    ]


def test_several_of_a_server_are_told_as_such_and_an_import_that_is_taken_back_is_not() -> None:
    hall = make_hall()
    for _ in range(4):
        played(hall)
    first, second, *rest = Match.objects.order_by("pk")
    source = ImportedFile.objects.create(
        ladder=hall.ladder, name="old.csv", digest="0" * 64, rows=2, new_matches=2
    )
    Match.objects.filter(pk__in=[first.pk, second.pk]).update(source=source)
    annul_many(Chosen(source=source), by=None, note="Wrong file.")
    assert told(hall) == [[], []]
    Match.objects.filter(pk__in=[one.pk for one in rest]).update(server_key=7)
    annul_many(Chosen(key=7), by=None, note="Stolen key.")
    assert told(hall) == [[("matches.annulled_together", {})]] * 2


def test_a_merge_tells_of_what_both_have_played() -> None:
    hall = make_hall()
    match = played(hall)
    merge(player=hall.players[0], into=hall.players[1], by=None, note="x", annul_shared=True)
    kinds = Notice.objects.values_list("kind", "data")
    assert set(kinds.values_list("kind", flat=True)) == {"match.annulled"}
    assert {one["match"] for _kind, one in kinds} == {match.pk}
