import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """The import is gone. Its table and column stay, because servers of the version before still
    use them while the new ones start; a later version drops them. Nothing deletes the rows of an
    account any more, so the database must not insist on it."""

    dependencies = [("accounts", "0021_ended_cookie_pairs")]

    operations = [
        migrations.AlterField(
            "importedobject",
            "account",
            models.ForeignKey(
                "accounts.account",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                db_constraint=False,
            ),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField("account", "unclaimed_since"),
                migrations.DeleteModel("ImportedObject"),
            ]
        ),
    ]
