"""The two public lists of schools, as untidy as the real ones."""

from upstream.simulator.http_exchange import Request, Response, as_json
from upstream.simulator.state import State

# name, slug (None: the row has no address), organisation id, login methods
_OTHERS: list[tuple[str, str | None, int, str]] = [
    ("Ängsskolan  Östra ", "angsskolan", 88, "0,4"),
    ("Björkdals kommun - Björkdalens förskola", "bjorkdalen", 42, ""),
    ("Åsa friskola", "asa-friskola", 12, "3,11"),
    ("Nedlagda skolan", None, 7, ""),
    ("Alfa & Omega", "alfa", 91, "1,5,9,10"),
    ("Björkdals kommun - Vuxenutbildningen", "bjorkdalen", 43, "3"),
]


def school_list(request: Request, state: State) -> Response:
    """Name, number, and an address whose first part of the path is the slug."""
    rows: list[dict[str, object]] = []
    for name, slug, org_id, _ in _rows(state):
        row: dict[str, object] = {"name": name, "orgId": org_id}
        if slug is not None:
            row["evaUrl"] = f"{request.base_url}/{slug}/eva"
        rows.append(row)
    return as_json(rows)


def login_methods(request: Request, state: State) -> Response:
    """Name, address, and the login methods as comma-separated numbers."""
    return as_json(
        [
            {
                "name": name,
                "url": f"{request.base_url}/{slug}/",
                "studentLoginMethods": methods,
                "teacherLoginMethods": methods,
                "parentLoginMethods": methods if slug == "granskolan" else "",
            }
            for name, slug, _, methods in _rows(state)
            if slug is not None
        ]
    )


def _rows(state: State) -> list[tuple[str, str | None, int, str]]:
    ours = [(s.name, s.slug, s.org_id, s.login_methods) for s in state.schools.values()]
    return [*_OTHERS[:2], *ours, *_OTHERS[2:]]
