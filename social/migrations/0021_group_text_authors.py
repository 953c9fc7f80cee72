import django.db.models.deletion
from django.db import migrations, models

import accounts.encryption


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0024_page_sessions"),
        ("social", "0020_mentions"),
    ]

    operations = [
        migrations.CreateModel(
            name="GroupTextAuthor",
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
                ("text", models.CharField(max_length=11)),
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
                    "conversation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="social.conversation",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("person_hash", ""), _negated=True),
                        fields=["person_hash"],
                        name="group_text_author_person",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("conversation", "text"), name="one_author_of_a_group_text"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("text__in", ["name", "description"])),
                        name="group_text_is_known",
                    ),
                ],
            },
        ),
    ]
