import django.db.models.deletion
from django.db import migrations, models

import accounts.encryption


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0020_kept_texts"),
        ("social", "0011_repeated_reports"),
    ]

    operations = [
        migrations.CreateModel(
            name="PastMembership",
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
                ("joined_seq", models.BigIntegerField()),
                ("left_seq", models.BigIntegerField()),
                ("left_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="case",
            name="case_target_type_is_known",
        ),
        migrations.AlterField(
            model_name="case",
            name="target_type",
            field=models.CharField(max_length=14, verbose_name="about"),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "target_type__in",
                        ["message", "profile", "group", "invite", "friend_request", "note"],
                    )
                ),
                name="case_target_type_is_known",
            ),
        ),
        migrations.AddField(
            model_name="pastmembership",
            name="account",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="accounts.account",
            ),
        ),
        migrations.AddField(
            model_name="pastmembership",
            name="conversation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="past_memberships",
                to="social.conversation",
            ),
        ),
        migrations.AddIndex(
            model_name="pastmembership",
            index=models.Index(
                condition=models.Q(("person_hash", ""), _negated=True),
                fields=["person_hash"],
                name="past_membership_person",
            ),
        ),
    ]
