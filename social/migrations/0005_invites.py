from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import OuterRef, Subquery


def fill_group_names(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    Conversation = apps.get_model("social", "Conversation")
    group = Conversation.objects.filter(pk=OuterRef("conversation"))
    Invite = apps.get_model("social", "Invite")
    Invite.objects.update(group_name=Subquery(group.values("group_name")))


class Migration(migrations.Migration):
    dependencies = [
        ("social", "0004_contact"),
    ]

    operations = [
        migrations.AddField(
            model_name="invite",
            name="group_name",
            field=models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
        migrations.AddField(
            model_name="invite",
            name="members_seen",
            field=models.BigIntegerField(db_default=0, default=0),
        ),
        migrations.RunPython(fill_group_names, migrations.RunPython.noop),
    ]
