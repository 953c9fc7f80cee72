"""The version is the same wherever it stands."""

import re
import tomllib

from django.conf import settings

from tests.architecture.sources import ROOT

SECTION = re.compile(r"^## \[(\d{4}\.\d+)\] - \d{4}-\d\d-\d\d$", re.MULTILINE)


def test_the_version_is_a_year_and_a_number_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    newest, *_ = SECTION.findall((ROOT / "CHANGELOG.md").read_text())
    assert settings.VERSION == project["version"] == newest
