"""What operators write about their site, version by version, and who accepted which rules."""

import django.contrib.postgres.functions
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

ONLY_GROWS = """
CREATE FUNCTION accounts_site_text_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'texts of the site only grow: % of row % refused', lower(TG_OP), OLD.id
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER site_text_only_grows BEFORE UPDATE OR DELETE ON accounts_sitetext
    FOR EACH ROW EXECUTE FUNCTION accounts_site_text_only_grows();
"""
AS_BEFORE = """
DROP TRIGGER site_text_only_grows ON accounts_sitetext;
DROP FUNCTION accounts_site_text_only_grows();
"""


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0005_audit_through_keys"),
    ]

    operations = [
        migrations.CreateModel(
            name='SiteText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('name', 'Name of the site'), ('imprint', 'Imprint'), ('privacy', 'Privacy'), ('rules', 'Rules')], max_length=20, verbose_name='kind')),
                ('language', models.CharField(choices=[('en', 'English'), ('de', 'German')], max_length=16, verbose_name='language')),
                ('version', models.PositiveIntegerField(help_text='Counted for all languages together.', verbose_name='version')),
                ('text', models.TextField(blank=True, verbose_name='text')),
                ('asks_again', models.BooleanField(db_default=False, default=False, help_text='Of rules: nobody searches or joins from here on without having accepted them.', verbose_name='everybody is asked again')),
                ('written_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), verbose_name='written')),
                ('written_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='written by')),
            ],
            options={
                'verbose_name': 'text of the site',
                'verbose_name_plural': 'texts of the site',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Consent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(help_text='The newest of the rules then, in whichever language: all up to it are accepted.', verbose_name='version')),
                ('given_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), verbose_name='given')),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='consents', to=settings.AUTH_USER_MODEL, verbose_name='account')),
                ('text', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='consents', to='accounts.sitetext', verbose_name='text')),
            ],
            options={
                'verbose_name': 'consent',
                'verbose_name_plural': 'consents',
                'ordering': ['-id'],
            },
        ),
        migrations.AddIndex(
            model_name='sitetext',
            index=models.Index(fields=['kind', 'language', '-version'], name='site_text_newest'),
        ),
        migrations.AddConstraint(
            model_name='sitetext',
            constraint=models.UniqueConstraint(fields=('kind', 'version'), name='site_text_version'),
        ),
        migrations.AddConstraint(
            model_name='sitetext',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['name', 'imprint', 'privacy', 'rules'])), name='site_text_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='sitetext',
            constraint=models.CheckConstraint(condition=models.Q(('kind', 'rules'), ('asks_again', False), _connector='OR'), name='only_rules_ask_again'),
        ),
        migrations.AddConstraint(
            model_name='consent',
            constraint=models.UniqueConstraint(fields=('account', 'version'), name='consent_once'),
        ),
        migrations.RunSQL(ONLY_GROWS, AS_BEFORE),
    ]
