"""Members of staff with schools and an encrypted second factor; an audit log that names people."""

from importlib import import_module
from typing import Any

import django.db.models.deletion
import django_otp.util
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import accounts.encryption
from accounts.name_comparison import normalize_for_search

of_version_before = import_module("accounts.migrations.0004_audit")

# Only `purge_audit` sets wrapper.allow_audit_purge. Even then no entry of the last four weeks goes.
POSTGRESQL = """
CREATE FUNCTION accounts_audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF current_setting('wrapper.allow_audit_purge', true) = 'on'
                AND OLD.at < now() - interval '28 days' THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER accounts_audit_append_only BEFORE UPDATE OR DELETE ON accounts_auditentry
    FOR EACH ROW EXECUTE FUNCTION accounts_audit_is_append_only();
CREATE TRIGGER accounts_audit_no_truncate BEFORE TRUNCATE ON accounts_auditentry
    FOR EACH STATEMENT EXECUTE FUNCTION accounts_audit_is_append_only();
"""
# A later migration that changes this table makes SQLite rebuild it, and must create these again.
SQLITE = [
    f"""CREATE TRIGGER accounts_audit_no_{act} BEFORE {act} ON accounts_auditentry
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END"""
    for act in ("update", "delete")
]
DROP_POSTGRESQL = """
DROP TRIGGER accounts_audit_append_only ON accounts_auditentry;
DROP TRIGGER accounts_audit_no_truncate ON accounts_auditentry;
DROP FUNCTION accounts_audit_is_append_only();
"""
DROP_SQLITE = [f"DROP TRIGGER IF EXISTS accounts_audit_no_{act}" for act in ("update", "delete")]


def refuse_changes(_apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in [POSTGRESQL] if schema_editor.connection.vendor == "postgresql" else SQLITE:
        schema_editor.execute(statement)


def allow_changes(_apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    postgresql = schema_editor.connection.vendor == "postgresql"
    for statement in [DROP_POSTGRESQL] if postgresql else DROP_SQLITE:
        schema_editor.execute(statement)


def name_staff(apps: Any, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The names of staff, and the words to search, of the entries that are there."""
    entries = apps.get_model("accounts", "AuditEntry").objects
    for entry in entries.select_related("staff").iterator():
        entry.staff_name = entry.staff.username
        entry.search_key = normalize_for_search(f"{entry.target}\n{entry.reason}")
        entry.save(update_fields=["staff_name", "search_key"])


def move_devices(apps: Any, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Encrypt the second factors and empty the table of the plain ones. Sessions under the old
    keys end."""
    old = apps.get_model("otp_totp", "TOTPDevice").objects
    for device in old.filter(step=30, t0=0, digits=6):
        apps.get_model("accounts", "StaffDevice").objects.create(
            user_id=device.user_id,
            name=device.name,
            confirmed=device.confirmed,
            key=device.key,
            drift=device.drift,
            last_t=device.last_t,
        )
    old.all().delete()
    members = apps.get_model("accounts", "StaffMember").objects
    for user in apps.get_model("auth", "User").objects.filter(is_staff=True, is_active=True):
        members.create(user_id=user.pk)
    apps.get_model("sessions", "Session").objects.all().delete()


def id_field() -> Any:
    return models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    )


def text(name: str, max_length: int) -> migrations.AddField:
    field = models.CharField(blank=True, db_default="", default="", max_length=max_length)
    return migrations.AddField("auditentry", name, field)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0009_suspension"),
        ("otp_totp", "0003_add_timestamps"),
        ("sessions", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # The triggers of the version before.
        migrations.RunPython(of_version_before.allow_changes, of_version_before.refuse_changes),
        migrations.CreateModel(
            name="StaffDevice",
            fields=[
                ("id", id_field()),
                (
                    "name",
                    models.CharField(
                        help_text="The human-readable name of this device.", max_length=64
                    ),
                ),
                (
                    "confirmed",
                    models.BooleanField(default=True, help_text="Is this device ready for use?"),
                ),
                (
                    "throttling_failure_timestamp",
                    models.DateTimeField(
                        blank=True,
                        default=None,
                        help_text="A timestamp of the last failed verification attempt. Null if "
                        "last attempt succeeded.",
                        null=True,
                    ),
                ),
                (
                    "throttling_failure_count",
                    models.PositiveIntegerField(
                        default=0, help_text="Number of successive failed attempts."
                    ),
                ),
                (
                    "key",
                    accounts.encryption.SecretTextField(default=django_otp.util.random_hex),
                ),
                ("drift", models.SmallIntegerField(default=0)),
                ("last_t", models.BigIntegerField(default=-1)),
                (
                    "user",
                    models.ForeignKey(
                        help_text="The user that this device belongs to.",
                        on_delete=django.db.models.deletion.CASCADE,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"abstract": False},
        ),
        migrations.CreateModel(
            name="StaffMember",
            fields=[
                ("id", id_field()),
                ("schools", models.JSONField(blank=True, default=list)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="staff_member",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "member of staff",
                "verbose_name_plural": "members of staff",
            },
        ),
        text("staff_name", 150),
        text("command", 60),
        text("system_user", 60),
        text("account_name", 300),
        text("case_id", 64),
        migrations.AddField(
            "auditentry", "search_key", models.TextField(blank=True, db_default="", default="")
        ),
        migrations.AddField(
            "auditentry", "account_id", models.BigIntegerField(db_index=True, null=True)
        ),
        migrations.AlterField("auditentry", "target", models.CharField(blank=True, max_length=300)),
        migrations.AlterField(
            "auditentry",
            "staff",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="audit_entries",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        # Changes of rows come last: PostgreSQL alters no table whose constraints are still pending.
        migrations.RunPython(name_staff, migrations.RunPython.noop),
        # Backwards, staff need `create_staff --reset`: plain second factors are not written again.
        migrations.RunPython(move_devices, migrations.RunPython.noop),
        migrations.RunPython(refuse_changes, allow_changes),
    ]
