from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("notes", "0002_note_document")]

    operations = [
        migrations.AddField(
            model_name="note", name="taken_down_at", field=models.DateTimeField(null=True)
        ),
    ]
