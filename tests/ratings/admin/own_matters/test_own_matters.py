"""An operator who plays decides nothing of the own player, whatever the rights, as long as somebody else could."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from foundation import clock
from ratings.importing.take_back import take_back
from ratings.matches.decide import annul
from ratings.matches.report import report
from ratings.matches.result import Result
from ratings.matches.revising.annul_many import Chosen, annul_many
from ratings.matches.revising.correct import correct
from ratings.matches.start import start_match
from ratings.merging.unmerge import unmerge
from ratings.models import (
    Match,
    MatchState,
    Outcome,
    Participant,
    Player,
    SanctionKind,
    SuspendedFrom,
)
from ratings.players.accounts import move_player
from ratings.players.own_matters import OwnMatterError
from ratings.sanctions import impose, in_force, lift
from tests.ratings.admin.own_matters.deciding import give, merged
from tests.ratings.admin_cast import World, add_import, add_player, told

pytestmark = pytest.mark.django_db


def disputed(world: World) -> Match:
    players = (world.anna.pk, world.boris.pk)
    match = start_match(ladder=world.ladder, teams=[[player] for player in players])
    for player in players:
        report(match_id=match.pk, player_id=player, outcome=Outcome.WON)
    return match


def decided(client: Client, match: Match) -> str:
    said = {"outcome": "0", "note": "I was there."}
    return told(client, reverse("admin:ratings_match_resolve", args=[match.pk]), said)


def test_an_own_dispute_is_for_somebody_else(world: World, anna: User, other: User) -> None:
    match, client = disputed(world), Client()
    client.force_login(anna)
    assert "concerns a player of your own" in decided(client, match)
    match.refresh_from_db()
    assert match.state == MatchState.DISPUTED
    client.force_login(other)
    assert "The dispute is decided" in decided(client, match)


@pytest.mark.parametrize("seen", ["closed", "player", "looks on", "nobody"])
def test_who_is_alone_decides(world: World, anna: User, seen: str) -> None:
    """With nobody besides who may."""
    if seen != "nobody":
        user = User.objects.create_user("olga", is_staff=seen != "player")
        user.is_active = seen != "closed"
        user.is_superuser = seen != "looks on"
        user.save()
    match, client = disputed(world), Client()
    client.force_login(anna)
    assert "The dispute is decided" in decided(client, match)


def test_two_who_play_each_other_decide_unless_a_third_could(
    world: World, anna: User, other: User
) -> None:
    Player.objects.filter(pk=world.boris.pk).update(user=other)
    third = User.objects.create_superuser("carl")
    match = disputed(world)
    for user in (anna, other):
        client = Client()
        client.force_login(user)
        assert "concerns a player of your own" in decided(client, match)
    third.is_active = False
    third.save()
    assert "The dispute is decided" in decided(client, match)


def test_of_many_matches_each_is_asked_of_by_itself(world: World, anna: User, other: User) -> None:
    """Else she would choose one in which the other has played, too."""
    carl = add_player(world.game, "Carl")
    Player.objects.filter(pk=carl.pk).update(user=other)
    first, second = Match.objects.order_by("pk")
    Participant.objects.create(match=first, player=carl, team=2, rank=2)
    chosen = Chosen(player=world.boris)
    with pytest.raises(OwnMatterError):
        annul_many(chosen, by=anna, note="x")
    annul(match_id=second.pk, by=None, note="x")
    annul_many(chosen, by=anna, note="x")


def test_nor_is_any_other_result_changed(world: World, anna: User, other: User) -> None:
    first, second = Match.objects.order_by("pk")
    sanction = impose(player=world.anna, kind=SanctionKind.WARNING, reason="x", by=other)
    with pytest.raises(OwnMatterError):
        annul(match_id=first.pk, by=anna, note="x")
    with pytest.raises(OwnMatterError):
        correct(match_id=first.pk, result=Result(ranks=(1, 0)), reason="x", by=anna)
    with pytest.raises(OwnMatterError):
        annul_many(Chosen(player=world.boris), by=anna, note="x")
    with pytest.raises(OwnMatterError):
        lift(sanction_id=sanction.pk, by=anna)
    lift(sanction_id=sanction.pk, by=other)
    annul(match_id=first.pk, by=other, note="x")
    annul(match_id=second.pk, by=None, note="by a command")


def test_nobody_merges_the_own_player_with_another(world: World, merger: User, other: User) -> None:
    for one, into in ((world.boris, world.anna), (world.anna, world.boris)):
        with pytest.raises(OwnMatterError):
            merged(one, into, merger, annul_shared=True)
    states = set(Match.objects.values_list("state", flat=True))
    assert states == {MatchState.CONFIRMED}
    client = Client()
    client.force_login(merger)
    address = reverse("admin:ratings_player_merge", args=[world.boris.pk])
    shown = client.get(f"{address}?into={world.anna.pk}&since=").content.decode()
    assert "This concerns a player of your own" in shown
    assert 'name="note"' not in shown
    merged(world.boris, world.anna, other, annul_shared=True)


def test_nor_others_whose_matches_with_it_that_ends(
    world: World, merger: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match of three, in which two of them were one person. What runs goes on, for it is asked before that."""
    carl = add_player(world.game, "Carl")
    match = Match.objects.order_by("pk")[0]
    Participant.objects.create(match=match, player=carl, team=2, rank=2)
    running = start_match(ladder=world.ladder, teams=[[carl.pk], [world.anna.pk]])
    client = Client()
    client.force_login(merger)
    address = reverse("admin:ratings_player_merge", args=[carl.pk])
    shown = client.get(f"{address}?into={world.boris.pk}&since=").content.decode()
    assert "This concerns a player of your own" in shown
    ended: list[Player] = []
    monkeypatch.setattr("ratings.merging.running.end_searches", ended.append)
    for since in (None, clock.now()):
        with pytest.raises(OwnMatterError):
            merged(carl, world.boris, merger, since=since, annul_shared=True, end_what_runs=True)
    assert not ended
    for one in (match, running):
        before = one.state
        one.refresh_from_db()
        assert one.state == before


def test_nor_others_whose_matches_with_it_change_hands(
    world: World, merger: User, other: User
) -> None:
    """Whom she has beaten would be somebody stronger. From a day on that leaves these alone it is not her matter."""
    strong = add_player(world.game, "Carl")
    client = Client()
    client.force_login(merger)
    address = reverse("admin:ratings_player_merge", args=[world.boris.pk])
    shown = client.get(f"{address}?into={strong.pk}&since=").content.decode()
    assert "This concerns a player of your own" in shown
    assert 'name="note"' not in shown
    with pytest.raises(OwnMatterError):
        merged(world.boris, strong, merger)
    merged(world.boris, strong, other)
    world.boris.refresh_from_db()
    with pytest.raises(OwnMatterError):
        unmerge(player=world.boris, by=merger, note="x")
    address = reverse("admin:ratings_player_unmerge", args=[world.boris.pk])
    assert "This concerns a player of your own" in client.get(address).content.decode()
    unmerge(player=world.boris, by=other, note="x")
    world.boris.refresh_from_db()
    merged(world.boris, strong, merger, since=clock.now())


def test_whom_a_merge_concerns_in_other_ways_do_not_wait_for_each_other(
    world: World, merger: User, other: User
) -> None:
    """One has played with the player who is merged, the other is who stays."""
    strong = add_player(world.game, "Carl")
    Player.objects.filter(pk=strong.pk).update(user=other)
    merged(world.boris, strong, merger)
    world.boris.refresh_from_db()
    unmerge(player=world.boris, by=other, note="x")


def test_nor_takes_its_merge_back_with_what_was_carried_over(
    world: World, merger: User, other: User
) -> None:
    carl = add_player(world.game, "Carl")
    own = impose(
        player=carl,
        kind=SanctionKind.SUSPENDED,
        suspended_from=SuspendedFrom.ALL,
        reason="x",
        by=other,
    )
    merged(carl, world.anna, other)
    carl.refresh_from_db()
    with pytest.raises(OwnMatterError):
        unmerge(player=carl, by=merger, note="x")
    with pytest.raises(OwnMatterError):  # of who counts for the own player
        lift(sanction_id=own.pk, by=merger)
    client = Client()
    client.force_login(merger)
    address = reverse("admin:ratings_player_unmerge", args=[carl.pk])
    assert "This concerns a player of your own" in client.get(address).content.decode()
    assert "concerns a player of your own" in told(client, address, {"note": "x"})
    assert in_force().filter(player=world.anna).exists()
    unmerge(player=carl, by=other, note="x")


def test_nor_lets_matches_with_it_count_again(world: World, merger: User, other: User) -> None:
    carl = add_player(world.game, "Carl")
    match = Match.objects.order_by("pk")[0]
    Participant.objects.create(match=match, player=carl, team=2, rank=2)
    merged(carl, world.boris, other, annul_shared=True)
    carl.refresh_from_db()
    with pytest.raises(OwnMatterError):
        unmerge(player=carl, by=merger, note="x")
    match.refresh_from_db()
    assert match.state == MatchState.ANNULLED


def test_nor_lifts_what_was_carried_over_where_nobody_else_merges(world: World) -> None:
    """Somebody else could lift it."""
    anna, other = (User.objects.create_user(name, is_staff=True) for name in ("anna", "olga"))
    give(anna, "merge_player", "change_sanction")
    give(other, "change_sanction")
    Player.objects.filter(pk=world.anna.pk).update(user=anna)
    carl = add_player(world.game, "Carl")
    impose(player=carl, kind=SanctionKind.HIDDEN, reason="x", by=None)
    merged(carl, world.anna, anna)
    carl.refresh_from_db()
    with pytest.raises(OwnMatterError):
        unmerge(player=carl, by=anna, note="x")
    assert in_force().filter(player=world.anna).exists()


def test_who_alone_may_merge_does(world: World, anna: User) -> None:
    give(anna, "merge_player")
    give(User.objects.create_user("carl", is_staff=True), "change_player")
    merged(world.boris, world.anna, anna, annul_shared=True)


def test_imports_with_the_own_player_are_for_somebody_else(world: World, anna: User) -> None:
    """Also where none of its matches counts, and whoever else may take it back annuls nothing."""
    give(anna, "change_importedfile")
    give(User.objects.create_user("carl", is_staff=True), "change_importedfile")
    file = add_import(world)
    Match.objects.update(source=file)
    with pytest.raises(OwnMatterError):
        take_back(file_id=file.pk, by=anna, note="x")
    client = Client()
    client.force_login(anna)
    page = reverse("admin:ratings_importedfile_take_back", args=[file.pk])
    assert "This concerns a player of your own" in client.get(page).content.decode()
    assert take_back(file_id=file.pk, by=None, note="x").matches == 2


def test_pages_say_so_before_a_form_is_filled_in(world: World, merger: User, other: User) -> None:
    sanction = impose(player=world.anna, kind=SanctionKind.WARNING, reason="x", by=other)
    annulling = reverse("admin:ratings_player_annul", args=[world.boris.pk])
    lifting = reverse("admin:ratings_sanction_lift", args=[sanction.pk])
    for user, is_said in ((merger, True), (other, False)):
        client = Client()
        client.force_login(user)
        for page in (f"{annulling}?ladder=&since=&until=", lifting):
            shown = client.get(page).content.decode()
            assert ("This concerns a player of your own" in shown) == is_said, page
            assert ('name="note"' in shown) != is_said, page


@pytest.mark.parametrize("what", ["correct", "annul", "resolve", "abort"])
def test_so_do_pages_of_a_single_match(world: World, merger: User, other: User, what: str) -> None:
    if what == "abort":
        match = start_match(ladder=world.ladder, teams=[[world.anna.pk], [world.boris.pk]])
    else:
        match = disputed(world) if what == "resolve" else Match.objects.order_by("pk")[0]
    page = reverse(f"admin:ratings_match_{what}", args=[match.pk])
    for user, is_said in ((merger, True), (other, False)):
        client = Client()
        client.force_login(user)
        shown = client.get(page).content.decode()
        assert ("This concerns a player of your own" in shown) == is_said
        assert ('name="note"' in shown) != is_said
        assert "Boris" in shown


def test_the_lock_on_the_own_name_stays(world: World, merger: User, other: User) -> None:
    Player.objects.filter(pk=world.anna.pk).update(name_locked=True)
    sent = {"external_id": "anna", "name": "Annie", "user": merger.pk}
    page = reverse("admin:ratings_player_change", args=[world.anna.pk])
    client = Client()
    client.force_login(merger)
    shown = client.get(page).content.decode()
    assert "This is a player of your own" in shown
    assert 'name="name_locked"' not in shown
    assert client.post(page, sent).status_code == 403
    world.anna.refresh_from_db()
    assert (world.anna.name, world.anna.name_locked) == ("Anna", True)
    client.force_login(other)
    client.post(page, {**sent, "opened_as": client.get(page).context["opened_as"]})
    world.anna.refresh_from_db()
    assert (world.anna.name, world.anna.name_locked) == ("Annie", False)


def test_the_own_player_is_not_given_away(world: World, merger: User, other: User) -> None:
    """For a moment it would be nobody's matter."""
    page = reverse("admin:ratings_player_move", args=[world.anna.pk])
    client = Client()
    client.force_login(merger)
    assert "This concerns a player of your own" in client.get(page).content.decode()
    assert "own" in told(client, page, {"account": "olga", "note": "x"})
    world.anna.refresh_from_db()
    assert world.anna.user_id == merger.pk


def test_nobody_takes_the_player_of_others_for_themselves(
    world: World, merger: User, other: User
) -> None:
    Player.objects.filter(user=merger).update(user=None)
    page = reverse("admin:ratings_player_move", args=[world.boris.pk])
    client = Client()
    client.force_login(merger)
    sent = client.post(page, {"account": "anna", "note": "x"})
    assert "This concerns a player of your own" in sent.content.decode()
    if merger.is_superuser:  # who may choose the account on the player's page as well
        page = reverse("admin:ratings_player_change", args=[world.boris.pk])
        opened_as = client.get(page).context["opened_as"]
        chosen = {"external_id": "boris", "name": "Boris", "user": merger.pk}
        sent = client.post(page, {**chosen, "opened_as": opened_as})
        assert "This concerns a player of your own" in sent.content.decode()
    for owner in (None, other):  # who alone could decide it in the operator's place
        Player.objects.filter(pk=world.boris.pk).update(user=owner)
        with pytest.raises(OwnMatterError):
            move_player(player=world.boris, to=merger, by=merger, note="x")
    Player.objects.filter(pk=world.boris.pk).update(user=None)
    move_player(player=world.boris, to=merger, by=other, note="x")
    world.boris.refresh_from_db()
    assert world.boris.user_id == merger.pk
