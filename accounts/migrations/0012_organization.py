from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0011_labels")]

    operations = [
        migrations.AddField(
            model_name="account",
            name="organization_id",
            field=models.BigIntegerField(null=True),
        ),
    ]
