"""What a player tells the operator who decides a dispute. Waits for the match, so that nothing is said too late."""

from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction
from django.utils.translation import gettext as _

from events.kinds import Kind
from foundation import clock
from ratings.matches.end import Held, announcement_of, hold_match
from ratings.matches.refusals import NotDisputedError, NotInMatchError
from ratings.models import MatchState, Statement
from ratings.models.reports import LONGEST_COMMENT, LONGEST_PROOF

__all__ = ["WrongStatementError", "call_operator", "state", "statement_of"]

_is_address = URLValidator(schemes=["http", "https"])


class WrongStatementError(ValueError):
    """A comment that is too long, or a link that leads nowhere safe. Says what would be right."""


def statement_of(match_id: int, player_id: int) -> Statement | None:
    """What the player has stated, if anything."""
    return Statement.objects.filter(match=match_id, player=player_id).first()


def state(*, match_id: int, player_id: int, comment: str, proof: str) -> Statement:
    """Keep a player's comment on a dispute and a link to a proof; the same again replaces it, empty takes it back.

    Raises WrongStatementError, NotInMatchError, NotDisputedError and Match.DoesNotExist.
    """
    text = comment.replace("\r\n", "\n").strip()
    if len(text) > LONGEST_COMMENT:
        raise WrongStatementError(
            _("Your comment has %(length)s characters; it can have %(most)s at most.")
            % {"length": len(text), "most": LONGEST_COMMENT}
        )
    if any(ord(character) < 32 and character not in "\n\t" for character in text):
        raise WrongStatementError(_("Your comment contains characters that cannot be shown."))
    said = {"comment": text, "proof": _checked_proof(proof)}
    with transaction.atomic():
        _hold_dispute(match_id, player_id)
        return _keep(match_id, player_id, **said)


def call_operator(*, match_id: int, player_id: int) -> Statement:
    """Say that the player waits for an operator; the first time counts. Raises what `state` raises."""
    with transaction.atomic():
        held = _hold_dispute(match_id, player_id)
        before = statement_of(match_id, player_id)
        if before is not None and before.called_at is not None:
            return before
        called = _keep(match_id, player_id, called_at=held.now)
        announcement_of([held.match], Kind.MATCH_DISPUTED, [player_id], publish=False).write()
        return called


def _keep(match_id: int, player_id: int, **said: object) -> Statement:
    kept, _is_new = Statement.objects.update_or_create(
        match_id=match_id, player_id=player_id, defaults={**said, "at": clock.now()}
    )
    return kept


def _hold_dispute(match_id: int, player_id: int) -> Held:
    held = hold_match(match_id)
    if player_id not in held.players:
        raise NotInMatchError(player_id)
    if held.match.state != MatchState.DISPUTED:
        raise NotDisputedError(held.match.state)
    return held


def _checked_proof(proof: str) -> str:
    scheme, parted, rest = proof.strip().partition("://")
    address = f"{scheme.lower()}{parted}{rest}"  # phones begin a word with a capital
    if not address:
        return ""
    try:
        _is_address(address)
        # Whoever reads "https://evenmatch.example@elsewhere.example/" is to see where it leads.
        is_plain = "@" not in urlsplit(address).netloc and address.isprintable()
    except (ValidationError, ValueError):
        is_plain = False
    if not is_plain or len(address) > LONGEST_PROOF:
        raise WrongStatementError(
            _(
                "Give the whole address of a page, with http:// or https://, without a password and with"
                " at most %(most)s characters."
            )
            % {"most": LONGEST_PROOF}
        )
    return address
