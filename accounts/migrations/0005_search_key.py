from typing import Any

from django.db import migrations, models

from accounts.name_comparison import normalize_for_search


def fill(apps: Any, schema_editor: Any) -> None:
    """The folded names of everyone who is there already."""
    del schema_editor
    profiles = apps.get_model("accounts", "Profile").objects.select_related("account")
    for profile in profiles.only("display_name", "account__username").iterator():
        names = (profile.display_name, profile.account.username)
        profile.search_key = "\n".join(map(normalize_for_search, names))
        profile.save(update_fields=["search_key"])


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_audit"),
    ]

    operations = [
        migrations.AlterField(
            model_name="profile",
            name="search_key",
            field=models.TextField(blank=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
