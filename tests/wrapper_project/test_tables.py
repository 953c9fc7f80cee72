"""The tables of a migrated database."""

from django.apps import apps
from django.db import connection


def test_every_table_and_every_column_is_that_of_a_model(db: None) -> None:
    """What a migration left for servers of the version before is dropped by a later one."""
    models = apps.get_models(include_auto_created=True, include_swapped=True)
    wanted = {
        model._meta.db_table: {field.column for field in model._meta.local_concrete_fields}
        for model in models
    }
    with connection.cursor() as cursor:
        found = {
            table: {
                column.name
                for column in connection.introspection.get_table_description(cursor, table)
            }
            for table in connection.introspection.table_names(cursor)
            if table != "django_migrations"
        }
    assert found == wanted
