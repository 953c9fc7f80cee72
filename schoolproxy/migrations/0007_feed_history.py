from django.db import migrations

from accounts.encryption import SecretTextField


class Migration(migrations.Migration):
    dependencies = [("schoolproxy", "0006_no_classmates")]

    operations = [
        migrations.AddField("calendarfeed", "history", SecretTextField(null=True)),
        migrations.AddField("childcalendarfeed", "history", SecretTextField(null=True)),
    ]
