import django.db.models.deletion
from django.db import migrations, models

import accounts.encryption


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0019_erasures"),
    ]

    operations = [
        migrations.CreateModel(
            name="KeptText",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("person_hash", models.CharField(blank=True, default="", max_length=64)),
                ("person_name", accounts.encryption.SecretTextField(blank=True, default="")),
                ("school", models.CharField(blank=True, default="", max_length=63)),
                ("target_type", models.CharField(max_length=14)),
                ("target_id", models.CharField(max_length=60)),
                ("texts", accounts.encryption.SecretTextField()),
                ("change", models.CharField(max_length=9)),
                ("gone_at", models.DateTimeField(db_index=True)),
                (
                    "account",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="accounts.account",
                    ),
                ),
                (
                    "reader",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.account",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["target_type", "target_id"], name="kept_text_target"),
                    models.Index(
                        condition=models.Q(("person_hash", ""), _negated=True),
                        fields=["person_hash"],
                        name="kept_text_person",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("change__in", ["edited", "deleted", "withdrawn", "declined"])
                        ),
                        name="kept_text_change_is_known",
                    )
                ],
            },
        ),
    ]
