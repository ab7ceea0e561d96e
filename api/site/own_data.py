"""Everything the site holds by or about an account and its players that is theirs, for them to take along.

Left out: what others have said or entrusted to the site (who blocks one, what opponents told a decider, notes of
operators), and ratings of ladders that show none: with these, one's own results would give away the opponents'. Whom
one met is in it by number and name, as on the pages of matches.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import Q

from accounts.models import AuditEntry, Consent, FailedSignIns, Mail, User
from api.models import PlayerToken
from api.site.delete_person import players_of
from api.site.own_groups import clans_of, groups_of
from api.site.own_rows import rows as _rows
from challenges.models import Challenge
from matchmaking.conduct.own import REPORTED_KINDS
from matchmaking.models import (
    Absence,
    AlertWish,
    Avoided,
    Conduct,
    Feedback,
    Offence,
    PartyMember,
    Preference,
    RoundEntry,
    TicketMember,
)
from moderation.models import Appeal, NameChange, PlayerReport
from notifications.models import AccountLanguage, Choice, Notice, PushSubscription, QuietHours, Sent
from people.models import Block, ContactWishes, Follow, Friendship, Profile, ProfileTag
from ratings.models import (
    Behaviour,
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
from rooms.models import RoomMember
from talk.models import Line, Muted

__all__ = ["own_data"]

_OF_OFFENCES = (
    "kind", "points", "at", "cools_until", "taken_back_at", "taken_back_because",
    "appeal__text", "appeal__state", "appeal__reason",
)  # fmt: skip


def own_data(user: User) -> dict[str, Any]:
    """By what it is about; times are aware. Some two dozen queries, of as many rows as there are."""
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
            "language": _rows(AccountLanguage.objects.filter(account=user), "language"),
            "browsers_for_push": _rows(
                PushSubscription.objects.filter(account=user), "endpoint", "created_at", "sent_at"
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
        "players": [_of_player(player) for player in players_of(user)],
    }


def _of_player(player: Player) -> dict[str, Any]:
    mine = Q(player=player)
    played = Q(participant__player=player) | Q(participant__reported_as=player)
    shown = Q(mine, has_board("track__"))
    conduct = Conduct.objects.filter(mine).first()
    return {
        "id": player.pk,
        "game": player.game.slug,
        "name": player.name,
        "id_in_the_game": player.external_id,
        "since": player.created_at,
        "merged_into": player.merged_into_id,
        "former_names": _rows(FormerName.objects.filter(mine), "name", "until"),
        "name_changes": _rows(
            NameChange.objects.filter(mine), "name", "given", "at", "is_reset", "reason"
        ),
        "reports_of_players": _rows(
            PlayerReport.objects.filter(reporter=player),
            "reported",
            "kind",
            "match",
            "text",
            "at",
            "closed_at",
        ),
        "appeals": _rows(
            Appeal.objects.filter(mine), "sanction", "name_change", "text", "at", "granted"
        ),
        "matches": _matches(player),
        "earlier_results": _rows(
            EarlierResult.objects.filter(played),
            "participant__match",
            "correction__at",
            "rank",
            "score",
            "minutes",
        ),
        "behaviour": _rows(
            Behaviour.objects.filter(played), "participant__match", "features", "given_at"
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
            "ticket__wants_partner",
            "character",
            "roles",
        ),
        "preferences": _rows(
            Preference.objects.filter(mine), "queue__slug", "wishes", "character", "roles"
        ),
        "rounds": _rows(
            RoundEntry.objects.filter(mine),
            "round__queue__slug",
            "round__starts_at",
            "state",
            "seen_at",
        ),
        "alerts": _rows(
            AlertWish.objects.filter(mine), "queue__slug", "near", "until", "created_at", "told_at"
        ),
        "parties": _rows(PartyMember.objects.filter(mine), "party", "joined_at", "left_at"),
        "rooms": _rows(
            RoomMember.objects.filter(mine),
            "room",
            "room__name",
            "room__note",
            "joined_at",
            "left_at",
            "removed",
            "vote",
            "wishes",
        ),
        "feedback": _rows(
            Feedback.objects.filter(author=player), "subject", "match", "enjoyed", "tags", "at"
        ),
        "avoided": _rows(Avoided.objects.filter(mine), "avoided", "created_at"),
        **_ties(player),
        **groups_of(player),
        **clans_of(player),
        "muted": _rows(Muted.objects.filter(mine), "muted", "created_at"),
        "said": _rows(
            Line.objects.filter(author=player), "party", "match", "room", "text", "said_at"
        ),
        "challenges": _rows(
            Challenge.objects.filter(Q(challenger=player) | Q(challenged=player)),
            "challenger",
            "challenged",
            "ladder__slug",
            "state",
            "rated",
            "note",
            "at",
            "created_at",
            "ended_at",
            "match",
        ),
        "conduct": None if conduct is None else {"score": conduct.score, "as_of": conduct.as_of},
        "offences": _rows(Offence.objects.filter(mine), *_OF_OFFENCES),
        # Not in which match somebody has reported the player: it would say who.
        "matches_of_offences": _rows(
            Offence.objects.filter(mine).exclude(kind__in=REPORTED_KINDS), "at", "match"
        ),
        "absences": _rows(
            Absence.objects.filter(mine), "match", "told_by", "away_at", "until", "back_at"
        ),
        "sanctions": _rows(
            player.sanctions.exclude(kind=SanctionKind.NOTE),
            "kind",
            "suspended_from",
            "reason",
            "imposed_at",
            "until",
            "lifted_at",
        ),
        "notices": _rows(
            Notice.objects.filter(mine), "kind", "about", "data", "created_at", "read_at"
        ),
        "notice_choices": _rows(Choice.objects.filter(mine), "group", "way", "wanted"),
        # Not what the player caused others: who is told, and by which ways, is theirs.
        "mails_and_pushes_of_others": _rows(Sent.objects.filter(receiver=player), "sender", "at"),
        "quiet_hours": _rows(QuietHours.objects.filter(mine), "begins", "ends", "zone"),
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


def _ties(player: Player) -> dict[str, Any]:
    """Friends, whom the player follows and blocks, and who may turn to it. Not who follows or blocks it."""
    mine = Q(player=player)
    friends = Friendship.objects.filter(Q(low=player) | Q(high=player))
    return {
        "friends": [
            {
                "player": row.high_id if row.low_id == player.pk else row.low_id,
                "asked_by_player": row.by_low == (row.low_id == player.pk),
                "asked_at": row.asked_at,
                "friends_since": row.agreed_at,
            }
            for row in friends.order_by("pk")
        ],
        "followed": _rows(Follow.objects.filter(mine), "followed", "created_at"),
        "blocked": _rows(Block.objects.filter(mine), "blocked", "created_at"),
        "profile": _rows(
            Profile.objects.filter(mine),
            "country",
            "country_told",
            "age_group",
            "age_group_told",
            "plays_for",
            "plays_for_told",
            "tags_told",
        ),
        "profile_tags": _rows(ProfileTag.objects.filter(mine), "tag__slug"),
        "contact": _rows(ContactWishes.objects.filter(mine), "write", "challenge", "see", "ask"),
    }


def _matches(player: Player) -> list[dict[str, Any]]:
    """Also those it played before it was merged into another. Two queries, however many matches."""
    mine = Participant.objects.filter(Q(player=player) | Q(reported_as=player))
    sides: dict[int, dict[int, dict[str, Any]]] = {}
    met = Participant.objects.filter(match__in=mine.values("match")).order_by("match", "team", "pk")
    for match, team, rank, pk, name in met.values_list(
        "match", "team", "rank", "player", "player__name"
    ):
        side: dict[str, Any] = {
            "team": team + 1,
            "place": None if rank is None else rank + 1,
            "players": [],
        }
        sides.setdefault(match, {}).setdefault(team, side)["players"].append(
            {"id": pk, "name": name}
        )
    rows = _rows(
        mine,
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
    )
    for row in rows:
        row["sides"] = [
            side | {"own": side["team"] == row["team"]} for side in sides[row["match"]].values()
        ]
        row["result"] = _result(row["place"], row["sides"])
    return rows


def _result(place: int | None, sides: Sequence[Mapping[str, Any]]) -> str | None:
    """In a word, where two sides met."""
    if place is None or len(sides) != 2:
        return None
    other = next(side["place"] for side in sides if not side["own"])
    if other is None or other == place:
        return None if other is None else "drawn"
    return "won" if place < other else "lost"
