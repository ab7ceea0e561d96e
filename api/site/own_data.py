"""Everything the site holds by or about an account and its players that is theirs, for them to take along.

Left out: what others have said or entrusted to the site (who blocks one, what opponents told a decider, notes of
operators), and ratings of ladders that show none: with these, one's own results would give away the opponents'.
"""

from collections.abc import Mapping
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import Q, QuerySet

from accounts.models import AuditEntry, Consent, FailedSignIns, Mail, User
from api.models import PlayerToken
from matchmaking.models import Avoided, Conduct, PartyMember, Preference, TicketMember
from ratings.models import (
    EarlierResult,
    FormerName,
    Participant,
    Player,
    Rating,
    RatingChange,
    Report,
    SanctionKind,
    Statement,
)
from ratings.models.tracks import has_board

__all__ = ["own_data"]


def own_data(user: User) -> dict[str, Any]:
    """By what it is about; times are aware. Some two dozen queries, of as many rows as there are."""
    players = Player.objects.filter(user=user).select_related("game").order_by("pk")
    return {
        "account": {
            "name": user.get_username(),
            "joined": user.date_joined,
            "last_sign_in": user.last_login,
            "addresses": _rows(
                EmailAddress.objects.filter(user=user), "email", "verified", "primary"
            ),
            "sign_ins": _rows(
                UserSession.objects.filter(user=user),
                "created_at",
                "last_seen_at",
                "ip",
                "user_agent",
            ),
            "failed_sign_ins": _rows(
                FailedSignIns.objects.filter(account=user), "day", "passwords", "codes"
            ),
            "second_factors": _rows(
                Authenticator.objects.filter(user=user), "type", "created_at", "last_used_at"
            ),
            "mails": _rows(
                Mail.objects.filter(account=user),
                "kind",
                "address",
                "detail",
                "language",
                "state",
                "made_at",
                "finished_at",
            ),
            "rules_accepted": _rows(
                Consent.objects.filter(account=user), "version", "text__language", "given_at"
            ),
            "recorded_acts": _rows(
                AuditEntry.objects.filter(actor=user),
                "at",
                "action",
                "target_type",
                "target_id",
                "note",
            ),
        },
        "players": [_of_player(player) for player in players],
    }


def _of_player(player: Player) -> dict[str, Any]:
    mine = Q(player=player)
    shown = Q(mine, has_board("track__"))
    conduct = Conduct.objects.filter(mine).first()
    return {
        "id": player.pk,
        "game": player.game.slug,
        "name": player.name,
        "id_in_the_game": player.external_id,
        "since": player.created_at,
        "former_names": _rows(FormerName.objects.filter(mine), "name", "until"),
        "matches": _rows(
            Participant.objects.filter(mine),
            "match",
            "match__ladder__slug",
            "match__state",
            "match__played_at",
            "match__ended_at",
            "match__map",
            "team",
            "rank",
            "score",
            "minutes",
            "character",
            "left_early",
        ),
        "earlier_results": _rows(
            EarlierResult.objects.filter(participant__player=player),
            "participant__match",
            "correction__at",
            "rank",
            "score",
            "minutes",
        ),
        "reports": _rows(
            Report.objects.filter(mine), "match", "outcome", "place", "left_early", "at"
        ),
        "statements": _rows(
            Statement.objects.filter(mine), "match", "comment", "proof", "called_at", "at"
        ),
        "ratings": _rows(
            Rating.objects.filter(shown),
            "track__ladder__slug",
            "facet",
            "value",
            "deviation",
            "games",
            "wins",
            "draws",
            "losses",
            "last_played_at",
        ),
        "rating_changes": _rows(
            RatingChange.objects.filter(shown),
            "track__ladder__slug",
            "match",
            "at",
            "value_before",
            "value_after",
            "deviation_before",
            "deviation_after",
        ),
        "searches": _rows(
            TicketMember.objects.filter(mine),
            "ticket",
            "ticket__queue__slug",
            "ticket__state",
            "ticket__waiting_since",
            "ticket__ended_at",
            "ticket__wishes",
            "character",
            "roles",
        ),
        "preferences": _rows(
            Preference.objects.filter(mine), "queue__slug", "wishes", "character", "roles"
        ),
        "parties": _rows(PartyMember.objects.filter(mine), "party", "joined_at"),
        "blocked": _rows(Avoided.objects.filter(mine), "avoided", "created_at"),
        "conduct": None if conduct is None else {"score": conduct.score, "as_of": conduct.as_of},
        "sanctions": _rows(
            player.sanctions.exclude(kind=SanctionKind.NOTE),
            "kind",
            "suspended_from",
            "reason",
            "imposed_at",
            "until",
            "lifted_at",
        ),
        "tokens": _rows(
            PlayerToken.objects.filter(mine),
            "name",
            "scopes",
            "created_at",
            "expires_at",
            "revoked_at",
            "last_used_at",
        ),
    }


_NAMES: Mapping[str, str] = {
    "match__ladder__slug": "ladder",
    "track__ladder__slug": "ladder",
    "ticket__queue__slug": "queue",
    "queue__slug": "queue",
}


def _rows(found: "QuerySet[Any]", *columns: str) -> list[dict[str, Any]]:
    """These columns of each row, named as a person would; the oldest first."""
    names = [_NAMES.get(column, column.rpartition("__")[2]) for column in columns]
    rows = found.order_by("pk").values_list(*columns)
    return [dict(zip(names, row, strict=True)) for row in rows]
