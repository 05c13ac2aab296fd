"""Pages of a source that lead to others, for a while or for good."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from pipelines.engine import Engine
from tests.conftest import OpenTenant
from tests.pipelines.engine.sites import Site, page, running_site

OLDER, NEWER = datetime(2025, 3, 1, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def site() -> Iterator[Site]:
    with running_site() as site:
        site.put("/timetable", page("The ferry leaves at noon."))
        site.put("/works", page("The pier is closed for works."))
        yield site


@pytest.fixture
def tenant(open_tenant: OpenTenant, site: Site) -> Engine:
    source = f"{{name: site, kind: web, pages: ['{site.url}/timetable']}}"
    return open_tenant(f"tenant: pier\nknowledge: {{sources: [{source}]}}")


def text_after_sync(tenant: Engine) -> str:
    tenant.sync()
    (document,) = tenant.documents().documents
    return tenant.content(document.document_id)


@pytest.mark.parametrize(("own", "other"), [(OLDER, NEWER), (NEWER, OLDER)], ids=["to a newer", "to an older"])
def test_a_page_that_led_to_another_is_read_again_whichever_is_newer(
    tenant: Engine, site: Site, own: datetime, other: datetime
) -> None:
    site.changed = {"/timetable": own, "/works": other}
    assert "at noon" in text_after_sync(tenant)
    site.moved["/timetable"] = "/works"
    assert "closed for works" in text_after_sync(tenant)
    del site.moved["/timetable"]
    assert "at noon" in text_after_sync(tenant)


def test_a_page_that_still_leads_to_the_same_one_is_not_sent_again(tenant: Engine, site: Site) -> None:
    site.moved["/timetable"] = "/works"
    text_after_sync(tenant)
    site.asked.clear()
    assert "closed for works" in text_after_sync(tenant)
    assert ("/works", 304) in site.asked


def test_a_page_that_leads_to_one_that_robots_txt_forbids_keeps_its_text(tenant: Engine, site: Site) -> None:
    site.put("/robots.txt", "User-agent: *\nDisallow: /login", "text/plain")
    site.put("/login", page("Type your name and your password."))
    text_after_sync(tenant)
    site.moved["/timetable"] = "/login"
    (failed,) = [one for one in tenant.sync().results if one.state == "failed"]
    assert failed.reason == f"it leads to {site.url}/login, which the robots.txt of that host forbids"
    assert "at noon" in text_after_sync(tenant)
    assert "/login" not in dict(site.asked)


def test_a_page_that_leads_to_no_page_says_where(tenant: Engine, site: Site) -> None:
    site.moved["/timetable"] = "file:///timetable"
    (failed,) = tenant.sync().results
    assert failed.reason == "it leads to file:/timetable, which is not among the source's hosts"


def test_headers_that_are_not_ascii_stop_no_sync(tenant: Engine, site: Site) -> None:
    site.put("/f%C3%A4hre", page("The ferry is on strike."))
    site.moved["/timetable"] = "/f\u00e4hre"
    site.etags["/f%C3%A4hre"] = '"f\u00e4hre"'
    for _ in range(2):
        assert "on strike" in text_after_sync(tenant)
