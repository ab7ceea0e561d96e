"""What players type and press: how a group is to be, and with whom a random one."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from groups.models import Access, DrawWish, Group, GroupRules
from groups.models.rules import MOST_MEMBERS
from matchmaking.models import Queue
from matchmaking.pages.preference_form import language_choices

__all__ = ["DrawForm", "GroupForm"]


class GroupForm(forms.Form):
    """How a group is to be. What it is for, is said when it is made and stays."""

    name = forms.CharField(label=_("Name of the group"), min_length=2, max_length=60)
    note = forms.CharField(
        label=_("Note"),
        max_length=200,
        required=False,
        help_text=_("Everyone who sees the group reads it."),
    )
    access = forms.ChoiceField(label=_("Who may join"), choices=Access.choices)
    most = forms.IntegerField(label=_("Members at most"), min_value=2, max_value=MOST_MEMBERS)
    for_all_games = forms.BooleanField(
        label=_("For all games"),
        required=False,
        help_text=_("Members may bring the players they have in other games of this site."),
    )

    def __init__(self, *args: Any, group: Group | None, rules: GroupRules, **kwargs: Any) -> None:
        initial: dict[str, Any] = {"access": Access.INVITED, "most": rules.most_members}
        if group is not None:
            initial = {
                "name": group.name,
                "note": group.note,
                "access": group.access,
                "most": group.most,
            }
        kwargs["initial"] = initial
        super().__init__(*args, **kwargs)
        if group is not None:
            del self.fields["for_all_games"]


class DrawForm(forms.Form):
    """Which queue and language the others of a random group should want."""

    queue = forms.ModelChoiceField(
        label=_("Queue"), queryset=Queue.objects.none(), required=False, empty_label=_("any")
    )
    language = forms.ChoiceField(label=_("Language"), required=False)

    def __init__(
        self, *args: Any, game_id: int, wish: DrawWish | None = None, **kwargs: Any
    ) -> None:
        if wish is not None:
            kwargs["initial"] = {"queue": wish.queue_id, "language": wish.language}
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields
        queues = Queue.objects.in_use().filter(ladder__game=game_id)
        fields["queue"].queryset = queues.order_by("name", "pk")
        fields["queue"].label_from_instance = lambda queue: queue.name
        fields["language"].choices = [("", _("any")), *language_choices()]
