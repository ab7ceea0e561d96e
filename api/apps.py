"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ApiConfig(AppConfig):
    """See the package's docstring."""

    name = "api"
    verbose_name = _("REST API")

    def ready(self) -> None:
        """Let streams know which callers may go on listening, forget whose rights have ended, and end tokens where an
        account's access ends.
        """
        from accounts.access import access_ended
        from accounts.models import User
        from api.auth import stream_rights
        from api.auth.issue import revoke_tokens_of
        from api.auth.known import KNOWN
        from events.live import register_right, tell_of_ended

        def end_tokens(user: User, **_: object) -> int:
            return revoke_tokens_of(user)

        access_ended.connect(end_tokens, weak=False, dispatch_uid="api.end_tokens")
        tell_of_ended(KNOWN.forget)
        register_right("key", stream_rights.good_keys)
        register_right("token", stream_rights.good_tokens)
