"""Names of accounts are compared as eyes compare them.

Where two accounts have names that look alike already, the older one holds the name; the other goes on under its own
and is listed for the operator.
"""

from typing import Any

from django.db import migrations, models

from foundation.names import skeleton_of

_AT_ONCE = 5_000
_STORE = """
UPDATE accounts_user AS account SET skeleton = given.skeleton
FROM unnest(%s::bigint[], %s::text[]) AS given (id, skeleton)
WHERE account.id = given.id
"""
_LET_GO = """
UPDATE accounts_user AS account SET holds_name = false
WHERE EXISTS (
    SELECT FROM accounts_user AS older WHERE older.skeleton = account.skeleton AND older.id < account.id
)
"""


def compare(apps: Any, schema_editor: Any) -> None:
    """Compute what the names look like, and let the older one hold what several have."""
    known = apps.get_model("accounts", "User").objects.order_by("pk").values_list("pk", "username")
    with schema_editor.connection.cursor() as cursor:
        last = 0
        while batch := list(known.filter(pk__gt=last)[:_AT_ONCE]):
            skeletons = [skeleton_of(name) for _pk, name in batch]
            cursor.execute(_STORE, [[pk for pk, _name in batch], skeletons])
            last = batch[-1][0]
        cursor.execute(_LET_GO)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_words")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="skeleton",
            field=models.CharField(
                default="",
                editable=False,
                help_text="What the name looks like, whatever its case and accents: names that look alike have the "
                "same.",
                max_length=200,
                verbose_name="comparable name",
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="user",
            name="holds_name",
            field=models.BooleanField(
                db_default=True,
                default=True,
                editable=False,
                help_text="No other account may hold a name that looks like this one.",
                verbose_name="holds the name",
            ),
        ),
        # Before the rest: what several have is found by it.
        migrations.AddIndex(
            model_name="user", index=models.Index(fields=["skeleton"], name="user_alike")
        ),
        migrations.RunPython(compare, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="user",
            index=models.Index(
                condition=models.Q(("holds_name", False)),
                fields=["skeleton", "id"],
                name="user_holds_no_name",
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                models.F("skeleton"),
                condition=models.Q(("holds_name", True)),
                name="user_held_name_unique",
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=models.Q(("skeleton", ""), _negated=True),
                name="user_name_can_be_compared",
            ),
        ),
    ]
