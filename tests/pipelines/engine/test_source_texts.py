"""What pages and feeds say of their own texts: encodings, links, and where they end."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from pipelines.engine import Engine
from tests.conftest import OpenTenant
from tests.pipelines.engine.sites import Site, page, running_site
from tests.pipelines.ingestion.knowledge import states

RUSSIAN = "Собака весит двадцать килограммов."


@pytest.fixture
def site() -> Iterator[Site]:
    with running_site() as site:
        yield site


def opened(open_tenant: OpenTenant, tmp_path: Path, sources: str) -> Engine:
    return open_tenant(f"tenant: kennel\nknowledge: {{sources: [{sources}]}}", tmp_path / "data")


def put(site: Site, path: str, content: bytes, media_type: str) -> None:
    site.raw[path] = content
    site.raw_types[path] = media_type


def test_a_text_is_read_in_the_encoding_that_only_its_server_names(
    open_tenant: OpenTenant, tmp_path: Path, site: Site
) -> None:
    declared = page(RUSSIAN).replace("<head>", '<head><meta charset="windows-1251">')
    put(site, "/koi.txt", RUSSIAN.encode("koi8-r"), "text/plain; charset=KOI8-R")
    put(site, "/koi", page(RUSSIAN).encode("koi8-r"), "text/html; charset=koi8-r")
    put(site, "/wide.txt", RUSSIAN.encode("utf-16-le"), "text/plain; charset=utf-16le")
    put(site, "/own", declared.encode("windows-1251"), "text/html; charset=iso-8859-1")
    put(site, "/utf8", page(RUSSIAN).encode(), "text/html; charset=iso-8859-1")
    put(site, "/unknown", page(RUSSIAN).encode(), "text/html; charset=nothing")
    pages = ", ".join(f"'{site.url}{path}'" for path in site.raw)
    engine = opened(open_tenant, tmp_path, f"{{name: site, kind: web, pages: [{pages}]}}")
    found = states(engine.sync())
    assert set(found.values()) == {"ready"}
    for name in found:
        assert RUSSIAN in engine.content(name), name


def test_a_file_that_a_server_calls_a_text_is_kept_as_it_is(
    open_tenant: OpenTenant, tmp_path: Path, site: Site
) -> None:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("beagle.txt", "Beagles need two hours of exercise.")
    put(site, "/dogs.zip", packed.getvalue(), "text/plain; charset=iso-8859-1")
    engine = opened(open_tenant, tmp_path, f"{{name: site, kind: web, pages: ['{site.url}/dogs.zip']}}")
    engine.sync()
    (copy,) = (tmp_path / "data").rglob("dogs.zip")
    assert copy.read_bytes() == packed.getvalue()


def test_half_a_character_leaves_a_text_as_it_is(open_tenant: OpenTenant, tmp_path: Path, site: Site) -> None:
    put(site, "/half.txt", b"\x1b[0m A beagle weighs ten kilograms +2AA-.", "text/plain; charset=utf-7")
    engine = opened(open_tenant, tmp_path, f"{{name: site, kind: web, pages: ['{site.url}/half.txt']}}")
    (name,) = states(engine.sync())
    assert "A beagle weighs ten kilograms" in engine.content(name)


def feed(*items: str, declaration: str = "") -> str:
    return f'{declaration}<rss version="2.0"><channel><title>News</title>{"".join(items)}</channel></rss>'


def entry(title: str, link: str = "", text: str = "It opens in May.") -> str:
    guid = f"<guid isPermaLink='false'>{title}</guid>"
    return f"<item><title>{title}</title>{guid}{link}<description>{text}</description></item>"


def test_links_of_a_feed_lead_to_the_server_that_gave_it(open_tenant: OpenTenant, tmp_path: Path, site: Site) -> None:
    site.moved["/feed"] = "/blog/feed.xml?key=secret"
    entries = feed(entry("Kennel", "<link>posts/1?a=b</link>"))
    site.put("/blog/feed.xml?key=secret", entries, "application/rss+xml")
    engine = opened(open_tenant, tmp_path, f"{{name: news, kind: feed, url: '{site.url}/feed'}}")
    (name,) = states(engine.sync())
    assert engine.document(name).metadata["url"] == f"{site.url}/blog/posts/1?a=b"


@pytest.mark.parametrize(
    ("declaration", "media_type"),
    [
        ("", "application/rss+xml; charset=windows-1251"),
        ("", "text/xml; charset=windows-1251"),
        ('<?xml version="1.0" encoding="windows-1251"?>', "application/rss+xml; charset=utf-8"),
        ('<?xml version="1.0" encoding="windows-1251"?>', "text/plain"),
    ],
)
def test_a_feed_is_read_in_its_encoding(
    open_tenant: OpenTenant, tmp_path: Path, site: Site, declaration: str, media_type: str
) -> None:
    text = feed(entry("Собаки", text=RUSSIAN), declaration=declaration)
    put(site, "/feed", text.encode("windows-1251"), media_type)
    engine = opened(open_tenant, tmp_path, f"{{name: news, kind: feed, url: '{site.url}/feed'}}")
    (name,) = states(engine.sync())
    assert RUSSIAN in engine.content(name)


def test_a_feed_that_breaks_off_changes_no_entry(open_tenant: OpenTenant, tmp_path: Path, site: Site) -> None:
    whole = feed(entry("Cattery"), entry("Kennel"))
    site.put("/feed", whole, "application/rss+xml")
    engine = opened(open_tenant, tmp_path, f"{{name: news, kind: feed, url: '{site.url}/feed'}}")
    names = [name for name in states(engine.sync()) if "Kennel" in name]
    site.put("/feed", whole[: whole.rindex("opens")], "application/rss+xml")
    (failed,) = (one for one in engine.sync().results if one.state == "failed")
    assert "breaks off before its end" in (failed.reason or "")
    assert "It opens in May." in engine.content(names[0])
    site.put("/feed", whole.replace("Cattery", "Cats & dogs") + "<!-- made by hand", "application/rss+xml")
    assert "failed" not in states(engine.sync()).values()  # what is merely written badly is read
