from django.db import migrations, models


class Migration(migrations.Migration):
    """Only the column: the messages that are there are many (`make_searchable`)."""

    dependencies = [("social", "0017_case_taken_by")]

    operations = [
        migrations.AddField(
            model_name="message",
            name="search_key",
            field=models.TextField(null=True),
        ),
    ]
