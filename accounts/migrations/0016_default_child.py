from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0015_imports")]

    operations = [
        migrations.AddField("account", "default_child_id", models.BigIntegerField(null=True)),
    ]
