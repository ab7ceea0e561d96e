"""The app's name and place."""

from collections.abc import Collection

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ApiConfig(AppConfig):
    """See the package's docstring."""

    name = "api"
    verbose_name = _("REST API")

    def ready(self) -> None:
        """Let streams know which callers may go on listening, forget whose rights have ended, end tokens where an
        account's access ends, it is deleted, or a player is no longer its own, and refuse them where it is closed.
        """
        from django.db.models.signals import post_save, pre_delete, pre_save

        from accounts.access import access_ended
        from accounts.models import User
        from api.auth import stream_rights
        from api.auth.issue import (
            end_of_claimed,
            follow_merge,
            revoke_tokens_as,
            revoke_tokens_of,
            tell_of_closed,
        )
        from api.auth.known import KNOWN
        from events.live import register_right, tell_of_ended
        from ratings.merging import merge
        from ratings.models import Player

        def end_tokens(user: User, **_: object) -> int:
            return revoke_tokens_of(user)

        def refuse_tokens(
            instance: User, created: bool, update_fields: Collection[str] | None, **_: object
        ) -> None:
            is_saved = update_fields is None or "is_active" in update_fields
            if is_saved and not created and not instance.is_active:
                tell_of_closed(instance)

        def end_tokens_of_deleted(instance: User, **_: object) -> None:
            revoke_tokens_of(instance)  # as long as its players are known

        def end_tokens_of_taken(
            instance: Player, update_fields: Collection[str] | None, **_: object
        ) -> None:
            if instance.pk is None or not (update_fields is None or "user" in update_fields):
                return
            owned = Player.objects.filter(pk=instance.pk, user__isnull=False)
            if owned.exclude(user=instance.user_id).exists():
                revoke_tokens_as(instance)
            elif instance.user_id is not None and not owned.exists():
                end_of_claimed(instance)

        access_ended.connect(end_tokens, weak=False, dispatch_uid="api.end_tokens")
        post_save.connect(refuse_tokens, sender=User, weak=False, dispatch_uid="api.refuse_tokens")
        pre_delete.connect(
            end_tokens_of_deleted, sender=User, weak=False, dispatch_uid="api.end_tokens_of_deleted"
        )
        pre_save.connect(
            end_tokens_of_taken, sender=Player, weak=False, dispatch_uid="api.end_tokens_of_taken"
        )
        merge.follow_with(follow_merge)
        tell_of_ended(KNOWN.forget)
        register_right("key", stream_rights.good_keys)
        register_right("token", stream_rights.good_tokens)
        register_right("acts", stream_rights.good_acting)
