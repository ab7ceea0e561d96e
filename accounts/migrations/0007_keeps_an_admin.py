"""The last account that can administer the site keeps its rights, and is not deleted: see `accounts.last_admin`."""

from django.db import migrations

# The lock is `Lock.ADMINS`: of two who take each other's rights at once, the second sees what the first did.
KEPT = """
CREATE FUNCTION accounts_user_keeps_an_admin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('evenmatch.leave_no_admin', true) = 'on' THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock(7::bigint << 48);
    IF NOT EXISTS (SELECT FROM accounts_user WHERE is_active AND is_staff AND is_superuser) THEN
        RAISE EXCEPTION 'nobody could administer the site: no other account is active, staff and superuser'
            USING ERRCODE = 'check_violation', TABLE = 'accounts_user', CONSTRAINT = 'user_keeps_an_admin';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER user_keeps_an_admin AFTER UPDATE OF is_active, is_staff, is_superuser ON accounts_user FOR EACH ROW
    WHEN (
        OLD.is_active AND OLD.is_staff AND OLD.is_superuser
        AND NOT (NEW.is_active AND NEW.is_staff AND NEW.is_superuser)
    ) EXECUTE FUNCTION accounts_user_keeps_an_admin();
CREATE TRIGGER user_keeps_an_admin_there AFTER DELETE ON accounts_user FOR EACH ROW
    WHEN (OLD.is_active AND OLD.is_staff AND OLD.is_superuser) EXECUTE FUNCTION accounts_user_keeps_an_admin();
"""
FORGOTTEN = """
DROP TRIGGER user_keeps_an_admin ON accounts_user;
DROP TRIGGER user_keeps_an_admin_there ON accounts_user;
DROP FUNCTION accounts_user_keeps_an_admin();
"""


class Migration(migrations.Migration):
    works_with_release_before = "it is refused what nobody may do: to leave a site without an admin"

    dependencies = [
        ("accounts", "0006_site_texts"),
    ]

    operations = [migrations.RunSQL(KEPT, FORGOTTEN)]
