"""The layout of an account's dashboard."""

from notes.models import Layout


def read_layout(account_id: int) -> list[dict[str, str]] | None:
    """The widgets in order; None if no layout was ever saved."""
    layout = Layout.objects.filter(pk=account_id).first()
    return layout.widgets if layout else None


def save_layout(*, account_id: int, widgets: list[dict[str, str]]) -> None:
    """Replace the layout in one statement: two requests at once cannot mix their widgets."""
    Layout.objects.bulk_create(
        [Layout(account_id=account_id, widgets=widgets)],
        update_conflicts=True,
        unique_fields=["account"],
        update_fields=["widgets", "updated_at"],
    )
