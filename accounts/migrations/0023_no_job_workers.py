from django.db import migrations


class Migration(migrations.Migration):
    """The queue needs neither of these tables any more. They stay in the database, because workers
    of the version before still use them until they are restarted; a later version drops them."""

    dependencies = [("accounts", "0022_no_imports")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel("JobWorker"),
                migrations.DeleteModel("RecurringRun"),
            ]
        ),
    ]
