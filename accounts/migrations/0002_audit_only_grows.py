"""The audit log only grows; the database holds that."""

from django.db import migrations

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
    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.RunSQL(
            AUDIT_ONLY_GROWS,
            "DROP TRIGGER audit_only_grows ON accounts_auditentry; DROP FUNCTION accounts_audit_only_grows()",
        ),
    ]
