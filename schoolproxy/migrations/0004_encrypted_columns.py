"""The columns that were sealed are encrypted like all others. The tables stay as they are: what the
version before wrote is read until `rotate_encryption_keys` has written it again."""

from django.db import migrations

from accounts.encryption import SecretTextField


class Migration(migrations.Migration):
    dependencies = [("schoolproxy", "0003_watch")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "calendarfeed", "weeks", SecretTextField(in_bytes=True, null=True)
                ),
                migrations.AlterField(
                    "childcalendarfeed", "weeks", SecretTextField(in_bytes=True, null=True)
                ),
                migrations.AlterField("watch", "state", SecretTextField(in_bytes=True, null=True)),
                migrations.AlterField("schedulechange", "change", SecretTextField(in_bytes=True)),
            ]
        )
    ]
