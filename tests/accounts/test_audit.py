"""The audit log tells who changed what, and only grows."""

import pytest
from django.db import IntegrityError, connection, transaction

from accounts import audit
from accounts.models import AuditEntry, User

pytestmark = pytest.mark.django_db


def test_an_entry_names_who_what_before_and_after() -> None:
    alice = User.objects.create_user("alice")
    entry = audit.record(
        actor=alice,
        action="change",
        target=alice,
        before={"first_name": ""},
        after={"first_name": "A"},
    )
    entry.refresh_from_db()
    assert (entry.actor, entry.target_type, entry.target_id) == (
        alice,
        "accounts.user",
        str(alice.pk),
    )
    assert (entry.before, entry.after) == ({"first_name": ""}, {"first_name": "A"})
    assert entry.at is not None


def test_no_entry_can_be_changed_or_removed() -> None:
    alice = User.objects.create_user("alice")
    entry = audit.record(actor=alice, action="change", target=alice)
    with pytest.raises(IntegrityError, match="only grows"), transaction.atomic():
        AuditEntry.objects.filter(pk=entry.pk).update(note="rewritten")
    with pytest.raises(IntegrityError, match="only grows"), transaction.atomic():
        entry.delete()


def test_what_is_told_of_a_person_can_go_and_who_did_it_when_stays() -> None:
    alice = User.objects.create_user("alice")
    entry = audit.record(actor=alice, action="change", target=alice, note="of Alice")
    entries = AuditEntry.objects.filter(pk=entry.pk)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL evenmatch.forget_person = 'on'")
        entries.update(note="(removed)")
        for wrong in ({"actor": None}, {"action": "other"}, {"target_id": "7"}):
            with pytest.raises(IntegrityError, match="only grows"), transaction.atomic():
                entries.update(**wrong)
        with pytest.raises(IntegrityError, match="only grows"), transaction.atomic():
            entry.delete()
    entry.refresh_from_db()
    assert (entry.note, entry.actor) == ("(removed)", alice)
