from django.db import migrations, models


class Migration(migrations.Migration):
    """Only the column: the notes that are there can be long (`make_searchable`)."""

    dependencies = [("notes", "0006_ended_links")]

    operations = [
        migrations.AddField(
            model_name="note",
            name="search_key",
            field=models.TextField(null=True),
        ),
    ]
