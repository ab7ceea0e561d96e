"""Matches."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from api.auth.callers import Caller
from api.contract.pages import page_shape
from api.serializers.games import Answer
from api.serializers.players import PlayerRefShape, knows_ids, ref_of
from api.serializers.words import MATCH_STATES
from leaderboards.matches.teams import DRAW, LOSS, WIN, Side, sides_of
from ratings.ledger.contributions import Contribution
from ratings.models import Match, Outcome, Participant

__all__ = ["MatchDetailShape", "MatchShape", "MatchesShape", "detail_of", "match_of"]

Changes = Mapping[tuple[int, int], Contribution]
# The words of those who report, for a result too.
_OUTCOMES = {WIN: Outcome.WON.value, DRAW: Outcome.DRAWN.value, LOSS: Outcome.LOST.value}


class MemberShape(serializers.Serializer[Any]):
    """One player in a match."""

    player = PlayerRefShape()
    left_early = serializers.BooleanField()
    minutes = serializers.FloatField(allow_null=True)
    score = serializers.FloatField(allow_null=True, help_text="What the player counted.")
    character = serializers.CharField(allow_blank=True)


class TeamShape(serializers.Serializer[Any]):
    """One team of a match. 0 is the best rank; equal ranks are a draw."""

    team = serializers.IntegerField(help_text="Counted from 0.")
    outcome = serializers.ChoiceField(
        choices=list(_OUTCOMES.values()), allow_null=True, help_text="null until there is a result."
    )
    rank = serializers.IntegerField(allow_null=True)
    score = serializers.FloatField(allow_null=True, help_text="The game's own count.")
    members = MemberShape(many=True)


class MatchShape(serializers.Serializer[Any]):
    """A match."""

    id = serializers.IntegerField()
    external_id = serializers.CharField(
        allow_null=True, help_text="The id in the game; null for whoever is no server of the game."
    )
    game = serializers.CharField(help_text="Short name of the game.")
    simulated = serializers.BooleanField(help_text="The game's players are computer-made.")
    ladder = serializers.CharField(help_text="Short name of the ladder.")
    state = serializers.ChoiceField(choices=MATCH_STATES)
    map = serializers.CharField(allow_blank=True)
    neutral = serializers.BooleanField(
        help_text="Nobody plays the better side; else the first team does."
    )
    played_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    due_at = serializers.DateTimeField(
        allow_null=True, help_text="When the reports so far decide; null once it is decided."
    )
    confirmed_at = serializers.DateTimeField(allow_null=True)
    teams = TeamShape(many=True)


MatchesShape = page_shape("MatchesShape", MatchShape)


class MatchChangeShape(serializers.Serializer[Any]):
    """What the match did to one player's rating."""

    player = serializers.IntegerField()
    points = serializers.FloatField()
    expected = serializers.FloatField(help_text="Score expected by the calculation.")
    actual = serializers.FloatField(
        help_text="1 won, 0.5 drawn, 0 lost; the mean over the other teams where there are several."
    )
    weight = serializers.FloatField(
        help_text="Points for a full surprise: points = weight × (actual - expected), or nearly so."
    )
    rating_before = serializers.FloatField()


class ReportShape(serializers.Serializer[Any]):
    """What a player said of the match."""

    player = serializers.IntegerField()
    outcome = serializers.ChoiceField(choices=Outcome.values)
    place = serializers.IntegerField(
        allow_null=True, help_text="Of the player's team, where there are more than two."
    )
    left_early = serializers.BooleanField()
    at = serializers.DateTimeField()


class MatchDetailShape(MatchShape):
    """A match by itself."""

    changes = MatchChangeShape(
        many=True, help_text="Empty until it is rated, and where ratings are not shown."
    )
    reports = ReportShape(
        many=True, allow_null=True, help_text="For its players and the game's servers; else null."
    )
    url = serializers.URLField(help_text="The match's page for people.")


def match_of(match: Match, caller: Caller) -> Answer:
    """A match that was read by `leaderboards.matches.lists.with_people`."""
    ladder, game = match.ladder, match.ladder.game
    return {
        "id": match.pk,
        "external_id": match.external_id if knows_ids(caller, match.game_id) else None,
        "game": game.slug,
        "simulated": game.simulated,
        "ladder": ladder.slug,
        "state": match.state,
        "map": match.map,
        "neutral": match.is_neutral,
        "played_at": match.played_at,
        "ended_at": match.ended_at,
        "due_at": match.due_at,
        "confirmed_at": match.confirmed_at,
        "teams": [_team(side, caller) for side in sides_of(match.participants.all(), match.extra)],
    }


def detail_of(match: Match, caller: Caller, changes: Changes, url: str) -> Answer:
    """The same with what it did, and what was reported to whoever may know."""
    knows = caller.serves(match.game_id) or caller.took_part(match)
    return {
        **match_of(match, caller),
        "changes": [_change(change) for change in changes.values()],
        "reports": _reports(match) if knows else None,
        "url": url,
    }


def _team(side: Side, caller: Caller) -> Answer:
    return {
        "team": side.team,
        "outcome": _OUTCOMES[side.outcome] if side.outcome else None,
        "rank": side.rank,
        "score": side.score,
        "members": [_member(one, caller) for one in side.members],
    }


def _member(one: Participant, caller: Caller) -> Answer:
    return {
        "player": ref_of(one.player, caller),
        "left_early": one.left_early,
        "minutes": one.minutes,
        "score": one.score,
        "character": one.character,
    }


def _change(change: Contribution) -> Answer:
    return {
        "player": change.player_id,
        "points": change.points,
        "expected": change.expected,
        "actual": change.actual,
        "weight": change.weight,
        "rating_before": change.change.value_before,
    }


def _reports(match: Match) -> list[Answer]:
    rows = match.reports.values("player", "outcome", "place", "left_early", "at")
    return [dict(row) for row in rows]
