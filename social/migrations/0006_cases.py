"""Reports belong to cases, and what they say is encrypted."""

import uuid
from typing import Any

import django.db.models.deletion
from django.db import migrations, models

import accounts.encryption

OUTCOMES = {"handled": "acted", "dismissed": "no_action"}


def move_reports_into_cases(apps: Any, schema_editor: Any) -> None:
    """One case for all open reports of a thing, one for each closed report.

    What was reported was not kept until now, so these reports have no evidence. A report of a group
    named its admin, whom nobody had reported: it is about nobody until staff choose.
    """
    from accounts.person_hash import hash_of_person

    case_model, report_model = apps.get_model("social", "Case"), apps.get_model("social", "Report")
    open_cases: dict[tuple[str, str], Any] = {}
    reports = report_model.objects.select_related("subject", "reporter").order_by("created_at")
    for report in reports.iterator(chunk_size=500):
        target = (report.target_type, report.target_id)
        case = open_cases.get(target) if report.status == "open" else None
        if case is None:
            person = None if report.target_type == "group" else report.subject
            school_of = report.subject or report.reporter
            case = case_model.objects.create(
                target_type=report.target_type,
                target_id=report.target_id,
                person=person,
                person_hash=hash_of_person(person.school, person.upstream_user_id)
                if person
                else "",
                person_name=person.username if person else "",
                school=school_of.school if school_of else "",
                status="open" if report.status == "open" else "closed",
                outcome=OUTCOMES.get(report.status),
                opened_at=report.handled_at,
                closed_at=None
                if report.status == "open"
                else (report.handled_at or report.created_at),
            )
            case_model.objects.filter(pk=case.pk).update(created_at=report.created_at)
            if report.status == "open":
                open_cases[target] = case
        report_model.objects.filter(pk=report.pk).update(
            case=case, sealed_text=report.text, sealed_disclosed=report.disclosed
        )
    if schema_editor.connection.vendor == "postgresql":
        # Otherwise the table cannot be altered in this transaction.
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        schema_editor.execute("SET CONSTRAINTS ALL DEFERRED")


def sealed() -> Any:
    return accounts.encryption.SecretTextField(blank=True, default="")


def to_account(related_name: str) -> Any:
    return models.ForeignKey(
        null=True,
        on_delete=django.db.models.deletion.SET_NULL,
        related_name=related_name,
        to="accounts.account",
    )


def to_case(related_name: str, **options: Any) -> Any:
    return models.ForeignKey(
        on_delete=django.db.models.deletion.CASCADE,
        related_name=related_name,
        to="social.case",
        **options,
    )


class Migration(migrations.Migration):
    dependencies = [("social", "0005_invites")]

    operations = [
        migrations.CreateModel(
            name="Case",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ("target_type", models.CharField(max_length=7, verbose_name="about")),
                ("target_id", models.CharField(max_length=60)),
                ("person", to_account("cases_met")),
                ("person_hash", models.CharField(blank=True, db_index=True, max_length=64)),
                ("person_name", sealed()),
                ("school", models.CharField(blank=True, max_length=63, verbose_name="school")),
                (
                    "status",
                    models.CharField(
                        choices=[("open", "open"), ("closed", "closed")],
                        default="open",
                        max_length=6,
                        verbose_name="state",
                    ),
                ),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("acted", "something was done"),
                            ("no_action", "nothing was done"),
                        ],
                        max_length=9,
                        null=True,
                        verbose_name="outcome",
                    ),
                ),
                ("version", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="reported")),
                ("opened_at", models.DateTimeField(null=True, verbose_name="opened")),
                ("closed_at", models.DateTimeField(null=True, verbose_name="closed")),
                ("closing_note", sealed()),
                ("evidence_deleted_at", models.DateTimeField(null=True)),
                ("announced_at", models.DateTimeField(null=True)),
                ("reminded_at", models.DateTimeField(null=True)),
            ],
            options={"verbose_name": "case", "verbose_name_plural": "cases"},
        ),
        migrations.CreateModel(
            name="CaseAction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("case", to_case("actions")),
                ("name", models.CharField(max_length=40)),
                ("person", to_account("case_actions_met")),
                ("person_hash", models.CharField(blank=True, db_index=True, max_length=64)),
                ("person_name", sealed()),
                ("words", sealed()),
                ("until", models.DateTimeField(null=True)),
                ("staff", models.CharField(max_length=150)),
                ("at", models.DateTimeField()),
                ("undone_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.AddField("report", "case", to_case("reports", null=True)),
        migrations.AddField("report", "has_account", models.BooleanField(default=True)),
        migrations.AddField("report", "sealed_text", sealed()),
        migrations.AddField("report", "sealed_disclosed", sealed()),
        migrations.AddField("report", "suggested", sealed()),
        migrations.AddField("report", "evidence", sealed()),
        # Back: only while there is no report.
        migrations.RunPython(move_reports_into_cases, migrations.RunPython.noop),
        migrations.RemoveConstraint("report", "report_target_type_is_known"),
        migrations.RemoveConstraint("report", "report_status_is_known"),
        migrations.RemoveIndex("report", "report_queue"),
        *(
            migrations.RemoveField("report", name)
            for name in (
                *("handled_at", "status", "subject", "target_id", "target_type"),
                *("text", "disclosed"),
            )
        ),
        migrations.RenameField("report", "sealed_text", "text"),
        migrations.RenameField("report", "sealed_disclosed", "disclosed"),
        migrations.AlterField("report", "case", to_case("reports")),
        migrations.AlterField(
            "report",
            "reason",
            models.CharField(
                choices=[
                    ("bullying", "Bullying"),
                    ("threat", "Threat"),
                    ("sexual", "Sexual content"),
                    ("spam", "Spam"),
                    ("other", "Something else"),
                ],
                max_length=8,
            ),
        ),
        migrations.AddIndex(
            "case", models.Index(fields=["status", "created_at"], name="case_queue")
        ),
        migrations.AddIndex(
            "case", models.Index(fields=["target_type", "target_id"], name="case_target")
        ),
        migrations.AddConstraint(
            "case",
            models.UniqueConstraint(
                fields=["target_type", "target_id"],
                condition=models.Q(status="open"),
                name="one_open_case_a_target",
            ),
        ),
        migrations.AddConstraint(
            "case",
            models.CheckConstraint(
                condition=models.Q(target_type__in=["message", "profile", "group", "note"]),
                name="case_target_type_is_known",
            ),
        ),
        migrations.AddConstraint(
            "case",
            models.CheckConstraint(
                condition=models.Q(
                    models.Q(closed_at=None, outcome=None, status="open"),
                    models.Q(
                        closed_at__isnull=False,
                        outcome__in=["acted", "no_action"],
                        status="closed",
                    ),
                    _connector="OR",
                ),
                name="case_is_open_or_closed",
            ),
        ),
    ]
