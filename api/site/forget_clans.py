"""A person who is deleted leaves its clan, and what names the person goes out of the names of clans.

Name and tag are the clan's own, and stay with it; the note is the leader's, and is emptied. When the person was in a
clan stays, as its matches do: without a name.
"""

from collections.abc import Sequence
from itertools import count

from django.db.models import Q, QuerySet

from api.site.forget_cases import cut_column
from api.site.naming import REMOVED, Naming
from api.site.taken import Taken
from clans.held import hold_clans_of
from clans.membership import leave_all
from clans.models import Application, Clan, Invitation, Membership, Removal
from foundation import clock
from ratings.models import Player
from ratings.models.players import LONGEST_CLAN_TAG

__all__ = ["forget_in_clans", "hold_clans", "leave_clans"]

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def hold_clans(players: Sequence[Player], naming: Naming) -> None:
    """Lock clans that the players leave, and those whose texts are going to be changed."""
    rows = _near(players).values_list("pk", "name", "tag", "note")
    naming_it = [pk for pk, *texts in rows if any(map(naming.are_in, texts))]
    hold_clans_of([one.pk for one in players], naming_it)


def forget_in_clans(players: Sequence[Player], naming: Naming, taken: Taken) -> None:
    """What the person is called in names, tags and notes of clans of the same games, also of those that are over."""
    for clan in _near(players).order_by("pk"):
        texts = {}
        if naming.are_in(clan.name):
            texts["name"] = f"{REMOVED} {clan.pk}"  # no two may look alike
        if naming.are_in(clan.tag):
            texts["tag"] = _free_tag(clan)
        if texts:
            columns = clan.call(**texts)
            rows = Clan.objects.filter(pk=clan.pk)
            taken.replace(rows, **{column: getattr(clan, column) for column in columns})
    cut_column(_near(players), "note", 300, naming, taken)


def leave_clans(player: Player, taken: Taken) -> None:
    """Its clan is others' from now on, or ends; nothing is asked of it or by it any more."""
    taken.replace(Clan.objects.filter(leader=player).exclude(note=""), note="")
    taken.deleted[Membership] += Membership.objects.filter(player=player).count()
    leave_all(player.pk, clock.now())
    taken.delete(Invitation.objects.filter(Q(player=player) | Q(by=player)))
    taken.delete(Application.objects.filter(player=player))
    taken.delete(Removal.objects.filter(player=player))


def _near(players: Sequence[Player]) -> QuerySet[Clan]:
    return Clan.objects.filter(game__in={one.game_id for one in players})


def _free_tag(clan: Clan) -> str:
    """A tag that says nothing: the clan's number, or the next one that no other clan of the game has."""
    for number in count(clan.pk):
        signs = ""
        while number or len(signs) < 2:
            number, digit = divmod(number, len(_DIGITS))  # noqa: PLW2901
            signs = _DIGITS[digit] + signs
        tag = signs[-LONGEST_CLAN_TAG:]
        clan.call(tag=tag)
        others = Clan.objects.filter(game=clan.game_id, ended_at=None).exclude(pk=clan.pk)
        if not others.filter(tag_skeleton=clan.tag_skeleton).exists():
            return tag
    raise AssertionError("numbers do not end")
