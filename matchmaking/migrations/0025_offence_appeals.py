from django.db import migrations

# Rights given one by one, beside those of the ready roles, stay with those who have them.
SAME_RIGHTS = """
UPDATE auth_permission AS one SET codename = regexp_replace(codename, '_{before}$', '_{after}')
FROM django_content_type AS kind
WHERE kind.id = one.content_type_id AND kind.app_label = 'matchmaking' AND kind.model IN ('appeal', 'offenceappeal')
    AND one.codename ~ '_{before}$'
"""
# The notice was sent only where the offence stood.
SAME_NOTICES = "UPDATE notifications_notice SET kind = '{after}' WHERE kind = '{before}'"


def both(sql, before, after):
    """Forwards and back."""
    return migrations.RunSQL(sql.format(before=before, after=after), sql.format(before=after, after=before))


class Migration(migrations.Migration):
    """Another model is called Appeal, too: one against sanctions and names. The table keeps its name."""

    works_with_release_before = "the table stays as it is; only the model in the code has another name"

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("matchmaking", "0024_partners"),
        # It points at the model by its name of before.
        ("moderation", "0001_desk"),
        ("notifications", "0001_notices"),
    ]

    operations = [
        migrations.AlterModelTable("Appeal", "matchmaking_appeal"),
        migrations.RenameModel("Appeal", "OffenceAppeal"),
        both(SAME_RIGHTS, "appeal", "offenceappeal"),
        both(SAME_NOTICES, "conduct.appeal_decided", "conduct.appeal_refused"),
    ]
