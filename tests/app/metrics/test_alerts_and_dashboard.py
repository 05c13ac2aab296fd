"""The shipped alerts, the dashboard and docs/monitoring.md agree with what a server counts."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest
import yaml

from tests.app.metrics.five_tenants import ingest
from tests.app.metrics.promql import wanted
from tests.app.metrics.scraping import Scrape

MONITORING = Path(__file__).resolve().parents[3] / "configs" / "monitoring"
OF_TARGETS = {"job", "instance"}
"""Labels that Prometheus itself puts on what it scrapes."""


# ---------------------------------------------------------------------------------------------------------------------
# What the shipped alerts and the dashboard ask for is there
def alerts() -> list[str]:
    groups = yaml.safe_load((MONITORING / "alerts.yaml").read_text(encoding="utf-8"))["groups"]
    return [rule["expr"] for group in groups for rule in group["rules"]]


def panels() -> list[str]:
    dashboard = json.loads((MONITORING / "dashboard.json").read_text(encoding="utf-8"))
    found = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", ())]
    return [expression.replace("$__rate_interval", "5m") for expression in found]


def test_alerts_and_dashboard_use_existing_series_and_labels(client: httpx.Client) -> None:
    ingest(client, "plain", " ", "nothing")
    asked = {"question": "How much exercise do beagles need?"}
    for tenant in ("cortx", "deaf"):
        client.post(f"/tenants/{tenant}/query", json=asked)
    there = Scrape(client).labels() | {"up": set()}
    expressions = [*alerts(), *panels()]
    assert len(expressions) > 40
    for expression in expressions:
        for one in wanted(expression):
            assert one.name in there, expression
            assert one.labels - OF_TARGETS <= there[one.name], expression


def test_alerts_look_for_values_that_labels_can_have(client: httpx.Client) -> None:
    scrape = Scrape(client)
    for expression in alerts():
        for one in wanted(expression):
            for label, (operator, value) in one.matched.items():
                if operator == "MatchOp.Equal" and label not in OF_TARGETS:
                    assert value in {has.get(label) for name, has, _ in scrape if name == one.name}, expression


def test_the_dashboard_asks_for_each_family_of_questions_and_documents(client: httpx.Client) -> None:
    shown = {one.name for expression in panels() for one in wanted(expression)}
    for name in ("query_duration_seconds", "answer_confidence", "search_relevance", "ingestion_duration_seconds"):
        assert f"footnote_{name}_bucket" in shown
    assert {"footnote_ingested_documents_total", "footnote_cache_lookups_total"} <= shown


def test_the_alerts_mean_what_they_say() -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed; it comes with Debian's package prometheus")
    cases = Path(__file__).with_name("alert_cases.yaml")
    for command in (["check", "rules", MONITORING / "alerts.yaml"], ["test", "rules", cases]):
        done = subprocess.run([promtool, *command], capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr


# ---------------------------------------------------------------------------------------------------------------------
# What docs/monitoring.md says
PAGE = (MONITORING.parents[1] / "docs" / "monitoring.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return [
        body for found, body in re.findall(r"^```(\w*)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL) if found == kind
    ]


def test_the_page_lists_all_metrics_with_their_labels(client: httpx.Client) -> None:
    rows = re.findall(r"^\| (`footnote_.*?`) \| ?(.*?) ?\|", PAGE, re.MULTILINE)
    listed = {
        name: {label for label in labels.split(", ") if label}
        for names, labels in rows
        for name in re.findall(r"`(footnote_\w+)`", names)
    }
    places = {"footnote_http_working", "footnote_http_waiting", "footnote_http_refused_total"}
    of_process = {"footnote_build_info", "footnote_http_requests_in_progress", *places}
    there = Scrape(client).labels()
    for name, labels in listed.items():
        found = there.get(name) or there.get(f"{name}_bucket", set())
        of_all = {"version", "python"} if name == "footnote_build_info" else set() if name in of_process else {"tenant"}
        assert found - {"le"} == labels | of_all, name
    known = {re.sub(r"_(bucket|count|sum)$", "", name) for name in there if name.startswith("footnote_")}
    assert known == set(listed)


def test_the_expressions_of_the_page_use_existing_series(client: httpx.Client) -> None:
    there = Scrape(client).labels()
    (lines,) = blocks("promql")
    for expression in lines.splitlines():
        for one in wanted(expression):
            assert one.labels <= there[one.name], expression


def test_the_page_lists_the_alerts() -> None:
    groups = yaml.safe_load((MONITORING / "alerts.yaml").read_text(encoding="utf-8"))["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    rows = dict(re.findall(r"^\| (`Footnote.*?`) \|.*\| (\w+) \|$", PAGE, re.MULTILINE))
    listed = {name: severity for names, severity in rows.items() for name in re.findall(r"`(\w+)`", names)}
    assert listed == {rule["alert"]: rule["labels"]["severity"] for rule in rules}
    assert all({"summary", "action"} == set(rule["annotations"]) for rule in rules)


def test_the_scrape_of_the_page_is_a_configuration_of_prometheus(tmp_path: Path) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed; it comes with Debian's package prometheus")
    (reported,) = blocks("yaml")
    (tmp_path / "token").write_text("secret", encoding="utf-8")
    shutil.copy(MONITORING / "alerts.yaml", tmp_path)
    config = tmp_path / "prometheus.yml"
    config.write_text(reported.replace("/etc/prometheus/footnote-token", str(tmp_path / "token")), encoding="utf-8")
    done = subprocess.run(
        [promtool, "check", "config", config], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
