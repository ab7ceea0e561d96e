"""Making challenges, finding them again, links and rematches."""

from datetime import timedelta

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS, participant_for, player_for
from api.auth.stream_rights import MAY_ACT, MAY_LOOK
from api.contract.bodies import WordField
from api.contract.fields import (
    MomentField,
    ShortNameField,
    TextField,
    TruthField,
    TruthParameter,
    WholeField,
)
from api.contract.pages import PageBody, page_by, page_shape
from api.contract.problems import ProblemError
from api.serializers.challenges import ChallengeShape
from api.views.bodies import PlayerBody
from api.views.challenges.base import MAY_NOT_PLAY, ChallengeEndpoint, challenges_of
from challenges import answer, make
from challenges.meeting import note_seen
from challenges.models import LIVE, Side
from foundation.postgresql.transactions import after_commit, from_one_snapshot
from ratings.models import Ladder, Player
from ratings.players.site_ids import refuse_deleted

__all__ = ["ChallengeTakeView", "ChallengeView", "ChallengesView", "RematchView"]

ChallengesShape = page_shape("ChallengesShape", ChallengeShape)


class ChallengeBody(PlayerBody):
    """Who challenges whom, to what."""

    ladder = ShortNameField(help_text="Short name of a ladder on which two players meet.")
    challenged = WholeField(
        required=False, help_text="The other player's id; left out: a link is made."
    )
    side = WordField(
        choices=Side.values,
        default=Side.DRAWN.value,
        help_text="Who plays the first side: `mine` the challenger, `other` the other.",
    )
    rated = TruthField(default=True, help_text="false: the match changes no rating.")
    note = TextField(required=False, allow_blank=True, max_length=200)
    expires_in = WholeField(
        required=False,
        min_value=60,
        max_value=7 * 24 * 3600,
        help_text="Seconds for which it may be accepted, an appointment until its time at most. "
        "Without it 600, and an appointment until its time.",
    )
    at = MomentField(
        required=False,
        help_text="The time of an appointment, 10 minutes to 60 days ahead; left out: at once.",
    )


class ChallengesBody(PageBody):
    """Which challenges are listed."""

    live = TruthParameter(
        default=True, help_text="Those of which something may come; false: all there were."
    )


class LinkCodeBody(PlayerBody):
    """Who takes which link."""

    code = TextField(max_length=40, help_text="The link's code, however it is typed.")


class ChallengesView(ChallengeEndpoint):
    """The caller's challenges."""

    has_address = True
    access = {"GET": MAY_LOOK, "POST": MAY_ACT}
    query = {"GET": ChallengesBody}
    problems = {
        "POST": (
            *WHO_PROBLEMS,
            "unknown_ladder",
            "rated_by_events",
            "wrong_challenge",
            "challenges_itself",
            "challenge_stands",
            "too_many_challenges",
            *MAY_NOT_PLAY,
        )
    }

    @extend_schema(summary="Challenges and appointments", responses=ChallengesShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Made and received, the newest first: the player's own, or those of the server's game. A player who asks
        counts as there: whoever accepts need not wait for a word.
        """
        rows = challenges_of(self.caller)
        if self.parameters["live"]:
            rows = rows.filter(state__in=LIVE)
        rows = rows.select_related("ladder__game", "challenger", "challenged")
        found, after = page_by("-pk", "c", rows, self.parameters)
        if self.caller.player is not None:
            after_commit(note_seen, [self.caller.player.pk])
        return self.page(ChallengesShape, found, after)

    @extend_schema(
        summary="Challenge a player", request=ChallengeBody, responses={201: ChallengeShape}
    )
    def post(self, request: Request) -> Response:
        """Challenges a player, at once or for a time; without `challenged` the answer has a `code` and a `url`, and
        whoever takes it first plays.
        """
        given = self.body(ChallengeBody)
        player = player_for(self.caller, given.get("player"))
        ladder = Ladder.objects.filter(game=player.game_id, slug=given["ladder"]).first()
        if ladder is None:
            words = _("The game has no ladder “%(ladder)s”.") % {"ladder": given["ladder"]}
            raise ProblemError("unknown_ladder", words)
        seconds = given.get("expires_in")
        wanted = make.Wanted(
            ladder=ladder,
            side=Side(given["side"]),
            rated=given["rated"],
            note=given.get("note", ""),
            at=given.get("at"),
            **({} if seconds is None else {"expires_in": timedelta(seconds=seconds)}),
        )
        if "challenged" not in given:
            return self.answer(make.open_link(player=player, wanted=wanted), 201)
        other = Player.objects.filter(pk=given["challenged"], game=player.game_id)
        found = other.select_related("game").first()
        if found is None:
            words = _("There is no player %(id)d in this game.") % {"id": given["challenged"]}
            raise ProblemError("unknown_player", words)
        refuse_deleted(found)
        return self.answer(make.challenge(player=player, other=found, wanted=wanted), 201)


class ChallengeView(ChallengeEndpoint):
    """One challenge."""

    access = {"GET": MAY_LOOK}

    @extend_schema(summary="A challenge", responses=ChallengeShape)
    @from_one_snapshot
    def get(self, request: Request, challenge_id: int) -> Response:
        """For its two, and for servers of their game."""
        found = self.found(challenge_id)
        if self.caller.player is not None:
            after_commit(note_seen, [self.caller.player.pk])
        return self.answer(found)


class ChallengeTakeView(ChallengeEndpoint):
    """Taking a link."""

    access = {"POST": MAY_ACT}
    problems = {
        "POST": (
            *WHO_PROBLEMS,
            "unknown_challenge",
            "challenges_itself",
            "challenge_over",
            "already_playing",
            "in_room",
            *MAY_NOT_PLAY,
        )
    }

    @extend_schema(summary="Take a link", request=LinkCodeBody, responses=ChallengeShape)
    def post(self, request: Request) -> Response:
        """Accepts the challenge of a link, for the first who does."""
        given = self.body(LinkCodeBody)
        player = player_for(self.caller, given.get("player"))
        return self.answer(answer.take(code=given["code"], player=player))


class RematchView(ChallengeEndpoint):
    """Another match of the same two."""

    access = {"POST": MAY_ACT}
    problems = {
        "POST": (
            *WHO_PROBLEMS,
            "no_rematch",
            "not_in_match",
            "rated_by_events",
            "wrong_challenge",
            "challenge_stands",
            "challenge_over",
            "too_many_challenges",
            "already_playing",
            "in_room",
            *MAY_NOT_PLAY,
        )
    }

    @extend_schema(summary="Ask for a rematch", request=PlayerBody, responses=ChallengeShape)
    def post(self, request: Request, match_id: int) -> Response:
        """Challenges the other of a match that was decided within 10 minutes, sides swapped; where the other has asked
        already, it is accepted.
        """
        given = self.body(PlayerBody)
        pk = participant_for(self.caller, match_id, given.get("player"))
        player = Player.objects.select_related("game").get(pk=pk)
        made, is_others = make.rematch(player=player, match_id=match_id)
        if is_others:
            made = answer.accept(challenge_id=made.pk, player=player)
        return self.answer(made)
