"""An index of the players that were moved between accounts, made without keeping anybody from writing meanwhile."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q

INDEX = models.Index(fields=["at"], name="audit_of_moves", condition=Q(action="player.moved"))


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("accounts", "0007_keeps_an_admin")]

    operations = [
        # Whoever was killed while it was made has left it unfinished.
        migrations.RunSQL(
            "DROP INDEX CONCURRENTLY IF EXISTS audit_of_moves", migrations.RunSQL.noop
        ),
        AddIndexConcurrently("auditentry", INDEX),
    ]
