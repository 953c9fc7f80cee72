"""docs/upstream.md names only tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests" / "upstream"


def test_every_test_named_in_the_document_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "docs" / "upstream.md").read_text()))
    sources = "\n".join(path.read_text() for path in TESTS.parent.rglob("test_*.py"))
    written = set(re.findall(r"^def (test_\w+)\(", sources, re.MULTILINE))
    assert len(named) > 50
    assert named - written == set()


def test_every_saved_page_is_used_by_a_test() -> None:
    sources = "\n".join(path.read_text() for path in TESTS.glob("test_*.py"))
    names = {path.name for path in (TESTS / "saved").glob("*.html")}
    assert {name for name in names if f'"{name}"' not in sources} == set()
