"""What one of the account's players tells of itself, and to whom."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.page_actions import account_of, refusals_as_messages
from people.forms import ProfileForm
from people.profiles import profile_of, tell
from ratings.models import Player

__all__ = ["profile"]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest, pk: int) -> HttpResponse:
    """The form, and what was sent by it."""
    players = Player.objects.select_related("game")
    own = get_object_or_404(players, pk=pk, user=account_of(request))
    kept = profile_of(own.pk)
    kept.player = own
    given = request.POST if request.method == "POST" else None
    form = ProfileForm(given, instance=kept)
    if given is not None and form.is_valid():
        told = dict(form.cleaned_data)
        tags = told.pop("tags", None)
        with refusals_as_messages(request):
            tell(player=own, told=told, tags=tags)
            messages.success(request, _("Your profile is kept."))
            return redirect("profile", own.pk)
    context = {"player": own, "form": form}
    return render(request, "people/profile.html", context, status=422 if form.errors else 200)
