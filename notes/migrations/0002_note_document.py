from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("notes", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="note",
            name="document",
            field=models.TextField(blank=True, default=""),
            preserve_default=False,
        ),
    ]
