from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0018_former_user_type")]

    operations = [
        migrations.CreateModel(
            name="Erasure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("person_hash", models.CharField(max_length=64)),
                ("key_hash", models.CharField(max_length=16)),
                ("erased_at", models.DateTimeField(db_index=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("person_hash", "erased_at"), name="one_erasure_a_time"
                    )
                ],
            },
        ),
    ]
