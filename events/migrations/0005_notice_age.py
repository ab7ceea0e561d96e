from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0004_notices"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(fields=["at"], name="notice_age"),
        ),
    ]
