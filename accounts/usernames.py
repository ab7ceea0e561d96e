"""Names of accounts: what they may be written with, wherever one is chosen."""

from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from foundation.names import clean_name, mixed_word, skeleton_of

__all__ = ["DELETED", "VALIDATORS", "refuse_address", "refuse_disguise", "refuse_reserved"]

# How the names of deleted accounts begin; their number follows.
DELETED = "deleted-"


def refuse_disguise(name: str) -> None:
    """Raise ValidationError for a name with signs that cannot be seen, or a word of several alphabets."""
    if clean_name(name) != name:
        raise ValidationError(
            _("This name has characters that cannot be seen. Use letters, digits and signs.")
        )
    if mixed := mixed_word(name):
        raise ValidationError(
            _("“%(word)s” mixes letters of several alphabets. Write each word in one.")
            % {"word": mixed}
        )


def refuse_address(name: str) -> None:
    """Raise ValidationError for a name that somebody could have confirmed as an address: both are for signing in."""
    if "@" in name:
        words = _("A name may not contain @: it would look like an e-mail address.")
        raise ValidationError(words, code="looks_like_an_address")


def refuse_reserved(name: str) -> None:
    """Raise ValidationError for a name that looks like one of those that deleted accounts get."""
    if skeleton_of(name).startswith(skeleton_of(DELETED)):
        words = _("Names that begin with “%(beginning)s” are for deleted accounts. Choose another.")
        raise ValidationError(words % {"beginning": DELETED}, code="reserved")


VALIDATORS = [UnicodeUsernameValidator(), refuse_address, refuse_disguise, refuse_reserved]
