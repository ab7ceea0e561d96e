"""The talk of a party, a room or a match, shown beside it on the pages of its players."""

from django.http import HttpRequest
from django.template.loader import render_to_string

from ratings.models import Match
from talk.places import PlaceKind
from talk.rules import is_on

__all__ = ["talk_beside"]


def talk_beside(request: HttpRequest, what: str, pk: int, game_id: int, player_id: int) -> str:
    """Frames that fetch the talk by themselves, and without scripts lead to its page; empty where there is none."""
    del player_id
    if not is_on(game_id):
        return ""
    kinds = [PlaceKind(what)]
    if what == PlaceKind.MATCH and Match.objects.filter(pk=pk, ladder__team_size__gt=1).exists():
        kinds.insert(0, PlaceKind.SIDE)
    return render_to_string("talk/_beside.html", {"kinds": kinds, "id": pk}, request)
