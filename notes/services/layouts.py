"""How an account's dashboard is arranged."""

from notes.models import Layout

Widget = dict[str, str]


def read_layout(account_id: int) -> list[Widget] | None:
    """The widgets in their order; None where none were ever saved."""
    layout = Layout.objects.filter(pk=account_id).first()
    return layout.widgets if layout else None


def save_layout(*, account_id: int, widgets: list[Widget]) -> None:
    """These widgets and no others from now on. One statement: of two at once, one is whole."""
    Layout.objects.bulk_create(
        [Layout(account_id=account_id, widgets=widgets)],
        update_conflicts=True,
        unique_fields=["account"],
        update_fields=["widgets", "updated_at"],
    )
