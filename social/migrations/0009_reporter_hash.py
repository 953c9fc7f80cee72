from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("social", "0008_not_counted")]

    operations = [
        migrations.AddField(
            "report",
            "reporter_hash",
            models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
    ]
