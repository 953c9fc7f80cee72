from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("social", "0016_fully_qualified_reactions")]

    operations = [
        migrations.AddField(
            model_name="case",
            name="taken_by",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=150, verbose_name="taken by"
            ),
        ),
    ]
