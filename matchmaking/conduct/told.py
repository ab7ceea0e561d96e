"""What players are told of their conduct: the steps, and what was taken back, and appeals in vain."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from foundation.templatetags.display import utc_text
from matchmaking.conduct.steps import Step
from notifications.kinds import Group, register, to
from notifications.models import Way
from notifications.tell import tell as notify

__all__ = ["declare", "tell", "tell_appeal_refused", "tell_taken_back"]

_KINDS = {
    Step.NOTE: "conduct.note",
    Step.COOLING_OFF: "conduct.cooling_off",
    Step.AMONG_LIKE: "conduct.among_like",
}
TAKEN_BACK, REFUSED = "conduct.taken_back", "conduct.appeal_refused"


def declare() -> None:
    """Say which kinds of notices there are. Called from the app's `ready()`."""
    words = {
        "conduct.note": _(
            "Something was noted about your conduct. See what, and what would follow."
        ),
        "conduct.cooling_off": _(
            "You are cooling off: for some time you can't search, challenge others or join rooms."
            " See why, and until when."
        ),
        "conduct.among_like": _(
            "You meet players who have also behaved badly first, until your points have faded."
        ),
        TAKEN_BACK: _("Something that was held against you was taken back."),
        REFUSED: _("Your appeal was decided: the offence stands. See why."),
    }
    for code, said in words.items():
        register(code, Group.DECISIONS, said, leads_to=to("my-conduct"), ways=(Way.SITE,))


def tell(player: int, step: Step, until: datetime | None, offence: int) -> None:
    """Tell a player what an offence has led to. Once for each."""
    data = {"offence": offence, **({} if until is None else {"until": utc_text(until)})}
    notify(_KINDS[step], [player], about=f"offence:{offence}", data=data)


def tell_taken_back(player: int, offence: int) -> None:
    """Tell a player that an offence counts no more."""
    notify(TAKEN_BACK, [player], about=f"offence-back:{offence}", data={"offence": offence})


def tell_appeal_refused(player: int, offence: int) -> None:
    """Tell a player that the offence stands, after an appeal. Of one that is taken back `tell_taken_back` tells."""
    notify(REFUSED, [player], about=f"appeal:{offence}", data={"offence": offence})
