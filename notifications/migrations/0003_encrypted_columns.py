"""The columns that were sealed are encrypted like all others. The tables stay as they are: what the
version before wrote is read until `rotate_encryption_keys` has written it again."""

from django.db import migrations

from accounts.encryption import SecretTextField


class Migration(migrations.Migration):
    dependencies = [("notifications", "0002_unread_by_about")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "notification", "details", SecretTextField(in_bytes=True, null=True)
                ),
                migrations.RenameField("pushsubscription", "sealed", "browser"),
                migrations.AlterField(
                    "pushsubscription",
                    "browser",
                    SecretTextField(db_column="sealed", in_bytes=True),
                ),
            ]
        )
    ]
