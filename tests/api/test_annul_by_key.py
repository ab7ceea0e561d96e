"""Whatever a server key was used for while somebody else had it, is annulled at once."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from accounts.models import AuditEntry
from api.models import ServerKey
from ratings.matches.result import Result
from ratings.matches.revising.correct import correct
from ratings.models import Match, MatchState
from tests.api.views.test_correction import sent_batch
from tests.api.views.test_teams import NAMES, post
from tests.api.world import World
from tests.ratings.admin_cast import operator

pytestmark = pytest.mark.django_db


def test_what_a_key_gave_is_annulled(world: World) -> None:
    first = sent_batch(world)
    begun = {"ladder": "pairs", "teams": [NAMES[:2], NAMES[2:4]]}
    arranged = post(world, "matches", begun, 201)["id"]
    post(world, f"matches/{arranged}/result", {"ranks": [0, 1]})
    given = Match.objects.filter(server_key=first.server_key)
    assert given.count() == 3
    # What an operator has corrected is the operator's word.
    correct(match_id=arranged, result=Result(ranks=(1, 0)), reason="x")
    key, client = ServerKey.objects.get(pk=first.server_key or 0), operator()
    page = reverse("admin:api_serverkey_annul", args=[key.pk])
    change = client.get(reverse("admin:api_serverkey_change", args=[key.pk]))
    assert page in change.content.decode()
    shown = client.get(f"{page}?ladder=&since=&until=")
    assert shown.context["preview"].matches == 2
    client.post(f"{page}?ladder=&since=&until=", {"note": "Leaked.", "seen": 2})
    assert set(given.values_list("state", flat=True)) == {MatchState.ANNULLED}
    assert Match.objects.get(pk=arranged).state == MatchState.CONFIRMED
    entry = AuditEntry.objects.get(action="matches.annulled")
    assert entry.after is not None
    assert (entry.after["server_key"], entry.note) == (key.pk, "Leaked.")


def test_the_command_does_the_same(world: World) -> None:
    key, out = sent_batch(world).server_key, StringIO()
    call_command("annul", "--key", str(key), "--note", "leaked", "--dry-run", stdout=out)
    assert "pairs: 2 to annul" in out.getvalue()
    call_command("annul", "--key", str(key), "--note", "leaked", stdout=out)
    annulled = Match.objects.filter(server_key=key, state=MatchState.ANNULLED)
    assert annulled.count() == 2
