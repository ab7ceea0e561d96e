"""What players are told of decisions: that their report was looked at, how their appeal ended, what was done to them.

Whoever reported learns that somebody has looked at it, and not what was done: that is the other player's. Of annulled
and corrected matches all who played are told; why stands on the match's page, or is the moderators'.
"""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from events.kinds import Kind
from events.live import broadcast
from moderation.models import Act, Case, Decision, NameChange
from notifications.kinds import Group, register, to
from notifications.tell import tell
from ratings.matches.revising.annulled import Annulled
from ratings.models import Participant, Sanction, SanctionKind

__all__ = ["declare", "tell_of_annulled", "tell_of_decision", "tell_of_name", "tell_of_sanction"]

_OF_MATCHES = {
    Act.CORRECT: "match.corrected",
    Act.RESOLVE: "dispute.decided",
    Act.ABORT: "dispute.decided",
}


def declare() -> None:
    """Say which kinds of notices there are. Called from the app's `ready()`."""
    own = to("own-cases")
    match = to("match", "match")
    for code, words in (
        ("report.closed", _("A moderator has looked at what you reported. Thank you.")),
        ("appeal.granted", _("Your appeal was granted.")),
        ("appeal.refused", _("Your appeal was refused.")),
        ("sanction.imposed", _("A moderator has decided about you: see what, and why.")),
        ("sanction.lifted", _("What a moderator had decided about you was lifted.")),
        ("name.reset", _("A moderator has reset your name. You can appeal.")),
    ):
        register(code, Group.DECISIONS, words, leads_to=own)
    register(
        "matches.annulled",
        Group.MATCHES,
        _("Matches of yours with %(player)s count no longer. Ratings are recalculated."),
        leads_to=to("own-matches"),
        players=("player",),
    )
    register(
        "matches.annulled_together",
        Group.MATCHES,
        _("Matches of yours count no longer. Ratings are recalculated."),
        leads_to=to("own-matches"),
    )
    for code, words in (
        ("match.annulled", _("Your match %(match)s counts no longer. Ratings are recalculated.")),
        ("match.corrected", _("The result of your match %(match)s was corrected.")),
        ("dispute.decided", _("The dispute about your match %(match)s was decided.")),
    ):
        register(code, Group.MATCHES, words, leads_to=match)


def tell_of_decision(case: Case, decision: Decision) -> None:
    """Tell whoever reported or appealed, and who played a match that was corrected, or whose dispute was decided. Of
    those annulled: `tell_of_annulled`. Call it in the transaction that decides.
    """
    about = f"decision:{decision.pk}"
    if (report := case.report) is not None:
        player = report.reporter_id
        broadcast([f"player:{player}"], Kind.REPORT_CLOSED, player=player)
        tell("report.closed", [player], about=about)
    if (appeal := case.appeal) is not None:
        player = appeal.player_id
        broadcast([f"player:{player}"], Kind.APPEAL_DECIDED, player=player)
        kind = "appeal.granted" if decision.act == Act.GRANT else "appeal.refused"
        tell(kind, [player], about=about)
    match = case.match_id or (report.match_id if report is not None else None)
    if match is not None and (kind := _OF_MATCHES.get(Act(decision.act), "")):
        played = Participant.objects.filter(match=match).values_list("player", flat=True)
        tell(kind, list(played), about=about, data={"match": match})


def tell_of_annulled(annulled: Annulled) -> None:
    """Tell who played, however the matches were annulled: of one which it is, of several whose they were."""
    if len(annulled.matches) == 1:
        tell("match.annulled", annulled.players, data={"match": annulled.matches[0]})
        return
    rest = set(annulled.players)
    if annulled.of is not None:
        tell("matches.annulled", rest - {annulled.of}, data={"player": annulled.of})
        rest &= {annulled.of}
    tell("matches.annulled_together", rest)


def tell_of_sanction(sanction: Sanction) -> None:
    """Tell the player once, wherever it was imposed or lifted. Notes are for operators."""
    if sanction.kind == SanctionKind.NOTE:
        return
    kind = "sanction.imposed" if sanction.lifted_at is None else "sanction.lifted"
    with transaction.atomic():
        tell(kind, [sanction.player_id], about=f"sanction:{sanction.pk}")


def tell_of_name(change: NameChange) -> None:
    """Tell the player whose name was reset."""
    tell("name.reset", [change.player_id], about=f"name:{change.pk}")
