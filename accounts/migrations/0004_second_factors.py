"""Second factors: which accounts have one, since when somebody is staff, and how often signing in has failed.

The database keeps the first two itself. Whoever saves an account as it was read a while ago would write them back.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

KEPT_BY_THE_DATABASE = """
UPDATE accounts_user SET staff_since = now() WHERE is_staff;
CREATE FUNCTION accounts_user_keeps_rights() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT NEW.is_staff THEN
        NEW.staff_since := NULL;
    ELSIF TG_OP = 'INSERT' OR NOT OLD.is_staff THEN
        NEW.staff_since := now();
    ELSE
        NEW.staff_since := coalesce(NEW.staff_since, OLD.staff_since, now());
    END IF;
    NEW.has_second_factor := EXISTS (
        SELECT 1 FROM mfa_authenticator WHERE user_id = NEW.id AND type <> 'recovery_codes'
    );
    RETURN NEW;
END
$$;
CREATE TRIGGER user_keeps_rights BEFORE INSERT OR UPDATE OF is_staff, staff_since, has_second_factor ON accounts_user
    FOR EACH ROW EXECUTE FUNCTION accounts_user_keeps_rights();
CREATE FUNCTION accounts_factor_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Two who change factors of one account at once come one after the other, and the second sees what the first did.
    IF TG_OP <> 'INSERT' THEN
        PERFORM 1 FROM accounts_user WHERE id = OLD.user_id FOR NO KEY UPDATE;
        UPDATE accounts_user SET has_second_factor = DEFAULT WHERE id = OLD.user_id;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM 1 FROM accounts_user WHERE id = NEW.user_id FOR NO KEY UPDATE;
        UPDATE accounts_user SET has_second_factor = DEFAULT WHERE id = NEW.user_id;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER factor_changed AFTER INSERT OR DELETE OR UPDATE OF user_id, type ON mfa_authenticator
    FOR EACH ROW EXECUTE FUNCTION accounts_factor_changed();
"""
FORGOTTEN = """
DROP TRIGGER factor_changed ON mfa_authenticator;
DROP FUNCTION accounts_factor_changed();
DROP TRIGGER user_keeps_rights ON accounts_user;
DROP FUNCTION accounts_user_keeps_rights();
"""


class Migration(migrations.Migration):
    works_with_release_before = "the kinds of mail it takes are those of before and one more"

    dependencies = [
        ('accounts', '0003_people_are_forgotten'),
        ('mfa', '0003_authenticator_type_uniq'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='has_second_factor',
            field=models.BooleanField(db_default=False, default=False, editable=False, help_text='Signing in asks for more than the password.', verbose_name='second factor'),
        ),
        migrations.AddField(
            model_name='user',
            name='staff_since',
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name='staff since'),
        ),
        migrations.CreateModel(
            name='FailedSignIns',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(verbose_name='day')),
                ('passwords', models.PositiveIntegerField(db_default=0, default=0, verbose_name='wrong passwords')),
                ('codes', models.PositiveIntegerField(db_default=0, default=0, verbose_name='wrong codes')),
                ('account', models.ForeignKey(blank=True, help_text='Empty: all names and addresses together that no account has.', null=True, on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL, verbose_name='account')),
            ],
            options={
                'verbose_name': 'failed sign-ins of a day',
                'verbose_name_plural': 'failed sign-ins',
                'ordering': ['-day', '-id'],
                'constraints': [models.UniqueConstraint(fields=('day', 'account'), name='failed_sign_ins_of_a_day', nulls_distinct=False)],
            },
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='actor',
            field=models.ForeignKey(blank=True, help_text='Empty for a command run on the server, and for whoever was not signed in.', null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL, verbose_name='who'),
        ),
        migrations.RemoveConstraint(
            model_name='mail',
            name='mail_kind_is_known',
        ),
        migrations.AlterField(
            model_name='mail',
            name='kind',
            field=models.CharField(choices=[('confirm', 'confirm an address'), ('reset', 'set a new password'), ('added', 'tell of an address that was added'), ('confirmed', 'tell of an address that was confirmed'), ('primary', 'tell of another primary address'), ('removed', 'tell of an address that was removed'), ('password', 'tell of another password'), ('factor', 'tell of another second factor')], max_length=20, verbose_name='kind'),
        ),
        migrations.AddConstraint(
            model_name='mail',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['confirm', 'reset', 'added', 'confirmed', 'primary', 'removed', 'password', 'factor'])), name='mail_kind_is_known'),
        ),
        migrations.RunSQL(KEPT_BY_THE_DATABASE, FORGOTTEN),
    ]
