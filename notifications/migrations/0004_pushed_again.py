"""A notification is pushed again, and a subscription may have failed on several days, or be gone.

The version before takes a subscription that is gone for one whose login has ended.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0003_encrypted_columns"),
    ]

    operations = [
        migrations.AddField(
            model_name="notification",
            name="pushed_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="notification",
            name="pushes_again",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="pushsubscription",
            name="failed_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="pushsubscription",
            name="failures",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="pushsubscription",
            name="gone_at",
            field=models.DateTimeField(null=True),
        ),
    ]
