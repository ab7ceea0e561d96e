"""Names of accounts: what they may be written with, wherever one is chosen."""

from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from foundation.names import clean_name, mixed_word

__all__ = ["VALIDATORS", "refuse_address", "refuse_disguise"]


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


VALIDATORS = [UnicodeUsernameValidator(), refuse_address, refuse_disguise]
