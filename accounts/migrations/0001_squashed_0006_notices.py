"""Tables of accounts, as the first six migrations left them. The audit log only grows; the database holds that."""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.contrib.postgres.functions
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

AUDIT_ONLY_GROWS = """
CREATE FUNCTION accounts_audit_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log only grows: % of row % refused', lower(TG_OP), OLD.id
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER audit_only_grows BEFORE UPDATE OR DELETE ON accounts_auditentry
    FOR EACH ROW EXECUTE FUNCTION accounts_audit_only_grows();
"""


class Migration(migrations.Migration):

    replaces = [
        ('accounts', '0001_initial'),
        ('accounts', '0002_audit_only_grows'),
        ('accounts', '0003_mails_and_sign_ins'),
        ('accounts', '0004_words'),
        ('accounts', '0005_held_names'),
        ('accounts', '0006_notices'),
    ]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), verbose_name='date joined')),
                ('sign_in_generation', models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ('skeleton', models.CharField(editable=False, help_text='What the name looks like, whatever its case and accents: names that look alike have the same.', max_length=200, verbose_name='comparable name')),
                ('holds_name', models.BooleanField(db_default=True, default=True, editable=False, help_text='No other account may hold a name that looks like this one.', verbose_name='holds the name')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
                'indexes': [models.Index(fields=['skeleton'], name='user_alike'), models.Index(condition=models.Q(('holds_name', False)), fields=['skeleton', 'id'], name='user_holds_no_name')],
                'constraints': [models.UniqueConstraint(models.F('skeleton'), condition=models.Q(('holds_name', True)), name='user_held_name_unique'), models.CheckConstraint(condition=models.Q(('skeleton', ''), _negated=True), name='user_name_can_be_compared')],
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), verbose_name='at')),
                ('action', models.CharField(max_length=80, verbose_name='action')),
                ('target_type', models.CharField(max_length=80, verbose_name='type of object')),
                ('target_id', models.CharField(max_length=80, verbose_name='which one')),
                ('before', models.JSONField(blank=True, null=True, verbose_name='before')),
                ('after', models.JSONField(blank=True, null=True, verbose_name='after')),
                ('note', models.TextField(blank=True, verbose_name='note')),
                ('actor', models.ForeignKey(blank=True, help_text='Empty for a command run on the server.', null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL, verbose_name='who')),
            ],
            options={
                'verbose_name': 'audit entry',
                'verbose_name_plural': 'audit log',
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['target_type', 'target_id', '-id'], name='audit_of_target')],
            },
        ),
        migrations.CreateModel(
            name='Mail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('confirm', 'confirm an address'), ('reset', 'set a new password'), ('added', 'tell of an address that was added'), ('confirmed', 'tell of an address that was confirmed'), ('primary', 'tell of another primary address'), ('removed', 'tell of an address that was removed'), ('password', 'tell of another password')], max_length=20, verbose_name='kind')),
                ('address', models.EmailField(max_length=254, verbose_name='address')),
                ('language', models.CharField(default='en', max_length=16, verbose_name='language')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('sent', 'sent'), ('needless', 'nothing to send'), ('parked', 'given up')], default='waiting', max_length=20, verbose_name='state')),
                ('attempts', models.PositiveSmallIntegerField(default=0, verbose_name='attempts')),
                ('made_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), verbose_name='asked for')),
                ('next_attempt_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), verbose_name='next attempt')),
                ('finished_at', models.DateTimeField(blank=True, null=True, verbose_name='finished')),
                ('trouble', models.TextField(blank=True, verbose_name='what went wrong last')),
                ('account', models.ForeignKey(blank=True, help_text='Empty where the account is looked up by the address when the mail is sent.', null=True, on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL, verbose_name='account')),
                ('detail', models.EmailField(blank=True, db_default='', default='', max_length=254, verbose_name='address that it tells of')),
            ],
            options={
                'verbose_name': 'mail',
                'verbose_name_plural': 'mails',
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['next_attempt_at'], name='mail_due'), models.Index(condition=models.Q(('finished_at__isnull', False)), fields=['finished_at'], name='mail_age')],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['confirm', 'reset', 'added', 'confirmed', 'primary', 'removed', 'password'])), name='mail_kind_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', True), ('state', 'waiting')), models.Q(('finished_at__isnull', False), ('state__in', ['sent', 'needless', 'parked'])), _connector='OR'), name='mail_is_finished_or_waits'), models.CheckConstraint(condition=models.Q(models.Q(models.Q(('kind', 'reset'), _negated=True), ('account__isnull', False)), models.Q(('account__isnull', True), ('kind', 'reset')), _connector='OR'), name='mail_to_an_account_to_confirm'), models.CheckConstraint(condition=models.Q(models.Q(('detail__gt', ''), ('kind__in', ['added', 'confirmed', 'primary', 'removed'])), models.Q(models.Q(('kind__in', ['added', 'confirmed', 'primary', 'removed']), _negated=True), ('detail', '')), _connector='OR'), name='mail_of_an_address_names_it'), models.UniqueConstraint(condition=models.Q(('state', 'waiting')), fields=('kind', 'address', 'account', 'detail'), name='mail_waits_once', nulls_distinct=False)],
            },
        ),
        migrations.RunSQL(
            AUDIT_ONLY_GROWS,
            "DROP TRIGGER audit_only_grows ON accounts_auditentry; DROP FUNCTION accounts_audit_only_grows()",
        ),
    ]
