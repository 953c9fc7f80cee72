import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("social", "0010_refusals")]

    operations = [
        migrations.AddField(
            "report",
            "added_to",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="additions",
                to="social.report",
            ),
        ),
    ]
