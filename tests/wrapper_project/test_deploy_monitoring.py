"""The alert rules and the dashboard of deploy/monitoring name what the service exports."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.urls import get_resolver

from tests.architecture.test_docs import first_column, read, section

FOLDER = Path(__file__).resolve().parents[2] / "deploy" / "monitoring"
METRIC = re.compile(r"\b(wrapper_\w+)(?:\{([^}]*)\})?")
GROUPED = re.compile(r"\bby \(([^)]+)\)")
# Prometheus adds these; `le` is the bound of a histogram's bucket.
OF_PROMETHEUS = {"instance", "job", "le"}
ROWS = section(read("docs/operations.md"), "Metrics and alarms")


def rules() -> list[dict[str, Any]]:
    loaded = yaml.safe_load((FOLDER / "alerts.yml").read_text())
    return [rule for group in loaded["groups"] for rule in group["rules"]]


def expressions() -> list[str]:
    panels = json.loads((FOLDER / "dashboard.json").read_text())["panels"]
    found = [target["expr"] for panel in panels for target in panel["targets"]]
    assert len(found) > 15
    return found + [rule["expr"] for rule in rules()]


def exported() -> set[str]:
    """The names of all time series that `metrics.py` can export."""
    from wrapper_project.observability import metrics  # must not be imported where it is off

    text = metrics.exposition().decode()
    kinds = dict(re.findall(r"^# TYPE (wrapper_\w+) (\w+)$", text, re.MULTILINE))
    assert len(kinds) > 8
    names = set()
    for name, kind in kinds.items():
        parts = ("_bucket", "_count", "_sum") if kind == "histogram" else ("",)
        names |= {name + part for part in parts}
    return names


def labels_of(metric: str) -> set[str]:
    """The labels in the operators' table, which test_metrics compares with the service."""
    base = re.sub(r"_(bucket|count|sum)$", "", metric)
    row = next(line for line in ROWS.splitlines() if re.match(rf"\|.*`{base}`", line))
    return set(re.findall(r"`(\w+)`", row.split("|")[2]))


@pytest.mark.django_db
def test_every_metric_is_one_that_the_service_exports() -> None:
    named = {name for text in expressions() for name, _ in METRIC.findall(text)}
    assert named
    assert named <= exported()


@pytest.mark.django_db
def test_every_metric_is_in_the_operators_table_and_no_other() -> None:
    listed = {name for name in first_column(ROWS) if name.startswith("wrapper_")}
    assert listed == {re.sub(r"_(bucket|count|sum)$", "", name) for name in exported()}


def test_every_label_and_every_route_is_there() -> None:
    routes = {name for name in get_resolver().reverse_dict if isinstance(name, str)}
    for text in expressions():
        known = set(OF_PROMETHEUS)
        for metric, selector in METRIC.findall(text):
            known |= labels_of(metric)
            for label, value in re.findall(r'(\w+)=~?"([^"]*)"', selector):
                assert label in labels_of(metric), text
                if label == "route":
                    assert set(value.split("|")) <= routes, text
        for group in GROUPED.findall(text):
            assert set(re.split(r",\s*", group)) <= known, text


def test_every_alert_says_what_it_is_about_and_is_in_the_operators_table() -> None:
    for rule in rules():
        assert rule["for"]
        assert rule["labels"]["severity"] in {"warning", "critical"}
        assert set(rule["annotations"]) == {"summary", "description"}
    listed = {name for name in first_column(ROWS) if name.startswith("Wrapper")}
    assert listed == {rule["alert"] for rule in rules()}


def test_the_jobs_have_the_name_that_the_rules_use() -> None:
    config = yaml.safe_load((FOLDER / "prometheus.yml").read_text())
    jobs = {job["job_name"] for job in config["scrape_configs"]}
    named = {name for text in expressions() for name in re.findall(r'job="([^"]+)"', text)}
    assert named == jobs == {"school-wrapper"}


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is missing (prometheus)")
@pytest.mark.parametrize(
    "command",
    [
        ["check", "rules", "alerts.yml"],
        ["check", "config", "--syntax-only", "prometheus.yml"],
        ["test", "rules", "alerts_test.yml"],
    ],
    ids=" ".join,
)
def test_prometheus_accepts_them_and_they_fire(command: list[str]) -> None:
    ran = subprocess.run(
        ["promtool", *command], cwd=FOLDER, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
