"""What operators do to the ways into somebody's account: end what is open, take away a second factor that was lost."""

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.access import end_access
from accounts.admin_actions import AdminAction, NoteForm, carry_out
from accounts.audited_admin import actor_of
from accounts.deletion import deletion_of_account
from accounts.factors.changes import reset_factor
from accounts.models import User
from accounts.own_matters import check_access, has_rights, own_matter
from foundation.refusals import RefusedError

__all__ = ["end_access_page", "may_touch", "own_matter_on", "reset_factor_page"]

_SHOWN = 100


def may_touch(request: HttpRequest, obj: User | None) -> bool:
    """Whoever may set a password may become its account: nobody becomes somebody with other rights."""
    actor = actor_of(request)
    if obj is None or actor.is_superuser or obj.pk == actor.pk:
        return True
    return not has_rights(obj)


def end_access_page(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Sign somebody out everywhere and end all tokens; streams that they opened close within seconds."""
    user = _find(request, pk)

    def act(actor: User, given: dict[str, Any]) -> str:
        check_access(actor, user)
        end_access(user, why=given["note"], actor=actor, keep=request)
        return _("All sign-ins and tokens of %(name)s have ended.") % {"name": user}

    sign_ins = UserSession.objects.filter(user=user).order_by("-last_seen_at")[:_SHOWN]
    return carry_out(
        request,
        site,
        user,
        AdminAction(
            title=_("End sign-ins and tokens"),
            button=_("End them"),
            template="admin/accounts/user/end_access.html",
            act=act,
            back=reverse("admin:accounts_user_change", args=[pk]),
            form=NoteForm(request.POST or None),
            context={"sign_ins": sign_ins, "own_matter": own_matter_on(request, user)},
        ),
    )


def reset_factor_page(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Take the second factor of an account away, so that its owner gets in with the password."""
    user = _find(request, pk)
    why_not = ""
    if not user.has_second_factor:
        why_not = _("This account has no second factor.")
    elif user.pk == actor_of(request).pk:  # else the days of grace would never end
        why_not = _("Another operator resets yours. You can remove it on the page “Second factor”.")

    def act(actor: User, given: dict[str, Any]) -> str:
        if why_not:
            raise RefusedError(why_not)
        check_access(actor, user)
        reset_factor(user, actor=actor, note=given["note"])
        return _("%(name)s signs in without a second factor now.") % {"name": user}

    return carry_out(
        request,
        site,
        user,
        AdminAction(
            title=_("Reset the second factor"),
            button=_("Reset the second factor"),
            template="admin/accounts/user/reset_factor.html",
            act=act,
            back=reverse("admin:accounts_user_change", args=[pk]),
            form=NoteForm(request.POST or None),
            context={
                "factors": Authenticator.objects.filter(user=user).order_by("pk"),
                "is_impossible": bool(why_not),
                "why_not": why_not,
                "own_matter": own_matter_on(request, user),
            },
        ),
    )


def own_matter_on(request: HttpRequest, user: User) -> str:
    """What a page says where the ways into an account are for somebody else to change; nothing where not."""
    return own_matter(lambda: check_access(actor_of(request), user))


def _find(request: HttpRequest, pk: int) -> User:
    user = get_object_or_404(User, pk=pk)
    if not (actor_of(request).has_perm("accounts.change_user") and may_touch(request, user)):
        raise PermissionDenied
    if deletion_of_account(user) is not None:  # as on the account's own page
        raise PermissionDenied
    return user
