"""What a person leaves in the tables of a site, and where a word of it stands."""

from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import connection

from accounts.models import User
from api.auth.issue import issue_token
from api.auth.scopes import PLAYER_SCOPES
from matchmaking.avoid_list import avoid
from ratings.matches.result import Result
from ratings.matches.revising.correct import correct
from ratings.models import Match, Player, SanctionKind, Statement, name_columns
from ratings.sanctions import impose

__all__ = ["NAME", "PASSWORD", "TELLING", "blame", "holding", "leave_traces", "make_account"]

NAME, PASSWORD = "Quirinus", "an old door"
TELLING = (
    NAME,
    "quirinus",
    "Xanthippe",
    "secret-id-77",
    "somewhere.example",
    "elsewhere.example",
    "Foul language",
    "Rosinante",
)


def make_account() -> User:
    """An account with an address."""
    user = User.objects.create_user(NAME, password=PASSWORD)
    address = "quirinus@somewhere.example"
    EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
    return user


def leave_traces(
    player: Player, *, user: User | None, other: Player, said_on: Match | None
) -> None:
    """Let a player have an id, a name and a former one, and be in whatever holds words about a person."""
    Player.objects.filter(pk=player.pk).update(
        user=user, external_id="secret-id-77", **name_columns("Xanthippe")
    )
    Player.objects.filter(pk=player.pk).update(**name_columns(NAME))
    player.refresh_from_db()
    avoid(player=player, other=other)
    avoid(player=other, other=player)
    impose(
        player=player, kind=SanctionKind.WARNING, reason="Foul language", by=None, note="Xanthippe"
    )
    if user is not None:
        issue_token(player=player, name="Rosinante", scopes=PLAYER_SCOPES)
    if said_on is not None:
        Statement.objects.create(match=said_on, player=player, comment=f"{NAME} says so")


def blame(match: Match, result: Result) -> None:
    """Correct a result for a reason that names the person."""
    reason = f"{NAME.lower()}, once Xanthippe, had swapped the sides."
    correct(match_id=match.pk, result=result, reason=reason)


def holding(*words: str) -> list[str]:
    """Tables in which a text holds one of the words, or bytes do."""
    found = []
    patterns = [f"%{one}%" for word in words for one in (word, word.encode().hex())]
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table = model._meta.db_table
            cursor.execute(
                f"SELECT count(*) FROM {table} AS row WHERE row::text ILIKE ANY (%s)",  # noqa: S608
                [patterns],
            )
            if cursor.fetchone()[0]:
                found.append(table)
    return found
