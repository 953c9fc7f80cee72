"""Find the unread notifications about one thing without a look at each person's."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("notifications", "0001_initial")]

    operations = [
        migrations.AddConstraint(
            model_name="notification",
            constraint=models.UniqueConstraint(
                models.F("about"),
                models.F("account"),
                models.F("kind"),
                condition=models.Q(("read_at", None), models.Q(("about", ""), _negated=True)),
                name="notification_about_unread_once",
            ),
        ),
        migrations.RemoveConstraint(model_name="notification", name="notification_once_unread"),
    ]
