from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("notes", "0005_note_size")]

    operations = [
        migrations.CreateModel(
            name="EndedLink",
            fields=[
                (
                    "address_hash",
                    models.CharField(max_length=64, primary_key=True, serialize=False),
                ),
                ("note_id", models.UUIDField()),
                ("ended_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.AddField(
            model_name="sharelink",
            name="opened",
            field=models.BooleanField(db_default=True, default=False),
        ),
    ]
