"""Sources that mean harm, break, or hold what no file system takes: nothing is lost, and nothing else is read."""

from __future__ import annotations

import gzip
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFile

from pipelines.engine import Engine
from pipelines.errors import InvalidRequest
from pipelines.types import Progress, SyncResult
from tests.conftest import OpenTenant
from tests.pipelines.engine.sites import Site, page, running_site
from tests.pipelines.ingestion.knowledge import removed, states


@pytest.fixture
def site() -> Iterator[Site]:
    with running_site() as site:
        yield site


@pytest.fixture
def store() -> Iterator[Any]:
    store = fsspec.filesystem("memory")
    yield store
    if store.exists("/kennel"):
        store.rm("/kennel", recursive=True)


def opened(open_tenant: OpenTenant, tmp_path: Path, sources: str, more: str = "") -> Engine:
    return open_tenant(f"tenant: kennel\nknowledge: {{{more}sources: [{sources}]}}", tmp_path / "data")


def reasons(result: SyncResult) -> dict[str, str]:
    return {one.document_id: one.reason or "" for one in result.results if one.state == "failed"}


def ready(result: SyncResult) -> set[str]:
    return {name for name, state in states(result).items() if state == "ready"}


def test_a_key_is_not_sent_where_the_profile_does_not_name_the_server(
    open_tenant: OpenTenant, tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WIKI_KEY", "opensesame")
    with running_site() as other:
        site.moved["/a"] = f"{other.url}/b"
        other.put("/b", page("A page elsewhere."))
        engine = opened(
            open_tenant,
            tmp_path,
            f"{{name: site, kind: web, pages: ['{site.url}/a'], hosts: ['{other.host}'], "
            "headers: {X-Wiki-Key: '${WIKI_KEY}'}}",
        )
        assert len(ready(engine.sync())) == 1
        assert set(site.keys) == {"opensesame"}
        assert set(other.keys) == {None}


def test_a_hostile_sitemap_harms_nothing(open_tenant: OpenTenant, tmp_path: Path, site: Site) -> None:
    odd = [
        "http://[broken",
        "http://[broken#one",
        "http://a\\@b/",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "http://h:99999999/",
        "",
        "x",
    ]
    site.list_in_sitemap("/a", "/a#one", "/a#two")
    listed = site.pages["/sitemap.xml"][1].replace(
        "</urlset>", "".join(f"<url><loc>{url}</loc></url>" for url in odd) + "</urlset>"
    )
    site.put("/sitemap.xml", listed, "application/xml")
    site.put("/a", page("The page."))
    engine = opened(open_tenant, tmp_path, f"{{name: site, kind: web, sitemap: '{site.url}/sitemap.xml'}}")
    first = engine.sync()
    assert len(ready(first)) == 1
    assert len(reasons(first)) >= 5
    assert "root:" not in "".join(reasons(first).values())

    index = f"<sitemapindex><sitemap><loc>{site.url}/sitemap.xml</loc></sitemap></sitemapindex>"
    site.put("/sitemap.xml", index, "application/xml")
    site.asked.clear()
    assert "lists no page" in reasons(engine.sync())["site/"]
    assert [path for path, _ in site.asked] == ["/sitemap.xml"]
    many = "".join(f"<sitemap><loc>{site.url}/s{n}</loc></sitemap>" for n in range(1200))
    site.put("/sitemap.xml", f"<sitemapindex>{many}</sitemapindex>", "application/xml")
    assert "more than 1,000 sitemaps" in reasons(engine.sync())["site/"]
    site.raw["/sitemap.xml"] = gzip.compress(b" " * (60 * 2**20))
    assert "when it is unpacked" in reasons(engine.sync())["site/"]
    site.raw["/sitemap.xml"] = gzip.compress(b"<urlset/>")[:-12]
    assert "cannot be read" in reasons(engine.sync())["site/"]
    entity = "<!DOCTYPE u [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><urlset><url><loc>&e;</loc></url></urlset>"
    site.raw["/sitemap.xml"] = entity.encode()
    hostile = engine.sync()
    assert "root:" not in str(hostile)
    assert engine.stats().documents == 1


def test_a_feed_that_answers_with_the_name_of_a_file_is_no_feed(
    open_tenant: OpenTenant, tmp_path: Path, site: Site
) -> None:
    secret = tmp_path / "secret.xml"
    secret.write_text("<rss version='2.0'><channel><item><title>Secret</title></item></channel></rss>")
    site.raw["/feed"] = str(secret).encode()
    engine = opened(open_tenant, tmp_path, f"{{name: news, kind: feed, url: '{site.url}/feed'}}")
    assert "is no feed" in reasons(engine.sync())["news/"]
    assert engine.stats().documents == 0


def test_what_a_feed_says_of_an_impossible_moment_or_character_stops_no_other_source(
    open_tenant: OpenTenant, tmp_path: Path, site: Site
) -> None:
    site.put("/a", page("A page."))
    site.put("/feed", feed("<title>Old</title><pubDate>0001-01-01T00:00:00+14:00</pubDate>"), "application/rss+xml")
    feeds = f"{{name: news, kind: feed, url: '{site.url}/feed'}}"
    engine = opened(open_tenant, tmp_path, f"{feeds}, {{name: site, kind: web, pages: ['{site.url}/a']}}")
    assert len(ready(engine.sync())) == 2
    site.put("/feed", feed("<title>&#xD800;</title>"), "application/rss+xml")
    later = engine.sync()
    assert "cannot be read" in reasons(later)["news/"]
    assert engine.stats().documents == 2


def feed(entry: str) -> str:
    return f"<rss version='2.0'><channel><item>{entry}<description>Words.</description></item></channel></rss>"


def test_an_unchanged_feed_is_not_read_again(open_tenant: OpenTenant, tmp_path: Path, site: Site) -> None:
    date = "<pubDate>Mon, 04 May 2026 00:00:00 GMT</pubDate>"
    entry = f"<item><title>Beagles</title>{date}<description>Two hours.</description></item>"
    site.put("/feed", f"<rss version='2.0'><channel>{entry}</channel></rss>", "application/rss+xml")
    engine = opened(open_tenant, tmp_path, f"{{name: news, kind: feed, url: '{site.url}/feed'}}")
    (name,) = ready(engine.sync())
    assert engine.document(name).metadata["published"] == "2026-05-04T00:00:00+00:00"
    assert set(states(engine.sync()).values()) == {"unchanged"}
    assert site.asked == [("/feed", 200), ("/feed", 304)]


def test_robots_txt_is_read_with_its_wildcards_and_an_outage_of_it_allows_nothing(
    open_tenant: OpenTenant, tmp_path: Path, site: Site
) -> None:
    site.put("/robots.txt", "User-agent: *\nDisallow: /*/drafts/*.html$", "text/plain")
    site.put("/a/drafts/x.html", page("A draft."))
    site.put("/a/done.html", page("Done."))
    site.list_in_sitemap("/a/drafts/x.html", "/a/done.html")
    engine = opened(open_tenant, tmp_path, f"{{name: site, kind: web, sitemap: '{site.url}/sitemap.xml'}}")
    (name,) = ready(engine.sync())
    assert name.endswith("done.html")
    site.put("/robots.txt", "", status=503)
    later = engine.sync()
    assert (removed(later), engine.stats().documents) == ([], 1)
    assert "robots.txt answers with status 503" in " ".join(reasons(later).values())
    assert site.asked.count(("/robots.txt", 503)) == 1


def test_pages_whose_names_a_file_system_would_confuse_stay_apart(
    open_tenant: OpenTenant, tmp_path: Path, site: Site
) -> None:
    paths = ["/%E6%97%A5%E6%9C%AC", "/%E4%B8%AD%E5%9B%BD", "/a!b", "/a$b", "/a", "/a/", "/a/b", f"/{'%E6%97%A5' * 80}"]
    for number, path in enumerate(paths):
        site.put(path, page(f"This is page number {number} of them."))
    site.list_in_sitemap(*paths)
    engine = opened(open_tenant, tmp_path, f"{{name: site, kind: web, sitemap: '{site.url}/sitemap.xml'}}")
    first = engine.sync()
    assert (len(ready(first)), reasons(first)) == (len(paths), {})
    texts = {engine.content(name) for name in ready(first)}
    assert len(texts) == len(paths)
    urls = {engine.document(name).metadata["url"]: engine.content(name) for name in ready(first)}
    assert all(f"page number {n} of" in urls[site.url + path] for n, path in enumerate(paths))
    assert set(states(engine.sync()).values()) == {"unchanged"}
    site.list_in_sitemap(*reversed(paths))
    site.pages = {
        path: (200, text.replace("This", "Now this"), "text/html") for path, (_, text, _) in site.pages.items()
    }
    site.list_in_sitemap(*reversed(paths))
    assert (ready(engine.sync()), engine.stats().documents) == (ready(first), len(paths))


def test_names_of_a_store_that_no_folder_takes_are_kept_or_reported(
    open_tenant: OpenTenant, tmp_path: Path, store: Any
) -> None:
    store.store.update(
        {
            f"/kennel/{name}": MemoryFile(store, f"/kennel/{name}", text)
            for name, text in {
                "guide.txt": b"The guide itself.",
                "guide.txt/part.txt": b"A part below it.",
                "a//b.txt": b"Two slashes.",
                "x/../../escape.txt": b"Out of the source.",
                f"{'n' * 300}.txt": b"A long name.",
            }.items()
        }
    )
    engine = opened(open_tenant, tmp_path, "{name: bucket, kind: files, url: 'memory://kennel'}")
    first = engine.sync()
    texts = {engine.content(name).strip() for name in ready(first)}
    assert texts == {"The guide itself.", "A part below it.", "Two slashes."}
    assert set(reasons(first)) == {"bucket/x/../../escape.txt", f"bucket/{'n' * 300}.txt"}
    assert not list(tmp_path.rglob("escape.txt"))
    assert set(states(engine.sync()).values()) <= {"unchanged", "failed"}
    assert engine.stats().documents == 3


def test_links_out_of_a_folder_are_not_followed(open_tenant: OpenTenant, tmp_path: Path) -> None:
    folder = tmp_path / "share"
    folder.mkdir()
    (folder / "a.txt").write_text("A file.")
    (folder / "passwords.txt").symlink_to("/etc/passwd")
    (folder / "loop").symlink_to(tmp_path)
    engine = opened(open_tenant, tmp_path, "{name: share, kind: files, url: share}")
    assert states(engine.sync()) == {"share/a.txt": "ready"}


def test_what_patterns_leave_out_is_not_fetched(open_tenant: OpenTenant, tmp_path: Path, site: Site) -> None:
    site.list_in_sitemap("/blog/a", "/docs/b", "/docs/old/c")
    for path in ("/blog/a", "/docs/b", "/docs/old/c"):
        site.put(path, page(f"The page {path}."))
    engine = opened(
        open_tenant,
        tmp_path,
        f"{{name: site, kind: web, sitemap: '{site.url}/sitemap.xml', include: [docs/], exclude: [old/]}}",
    )
    (name,) = ready(engine.sync())
    assert name.endswith("docs/b.html")
    assert {path for path, _ in site.asked} == {"/sitemap.xml", "/robots.txt", "/docs/b"}


def test_an_outage_deletes_nothing_even_where_the_copies_are_lost(
    open_tenant: OpenTenant, tmp_path: Path, site: Site, store: Any
) -> None:
    site.put("/a", page("The first page."))
    site.put("/b", page("The second page."))
    store.pipe("/kennel/a.txt", b"A file.")
    engine = opened(
        open_tenant,
        tmp_path,
        f"{{name: site, kind: web, pages: ['{site.url}/a', '{site.url}/b']}}, "
        "{name: bucket, kind: files, url: 'memory://kennel'}",
    )
    assert len(ready(engine.sync())) == 3
    shutil.rmtree(tmp_path / "data" / "kennel" / "sources")
    site.put("/a", "", status=500)
    store.mv("/kennel", "/away", recursive=True)
    try:
        lost = engine.sync()
    finally:
        store.mv("/away", "/kennel", recursive=True)
    assert (removed(lost), engine.stats().documents) == ([], 3)
    site.put("/a", page("The first page."))
    back = engine.sync()
    assert (removed(back), set(states(back).values()), engine.stats().documents) == ([], {"unchanged"}, 3)


def test_a_source_that_suddenly_holds_nothing_counts_as_an_outage(open_tenant: OpenTenant, tmp_path: Path) -> None:
    box = tmp_path / "archive.mbox"
    box.write_text("From a Mon May  4 00:00:00 2026\nSubject: Beagles\n\nTwo hours of walks.\n")
    engine = opened(open_tenant, tmp_path, "{name: mail, kind: mbox, path: archive.mbox}")
    assert len(ready(engine.sync())) == 1
    box.write_text("")
    assert "it is empty now" in reasons(engine.sync())["mail/"]
    assert engine.stats().documents == 1
    assert len(removed(engine.sync(allow_empty=True))) == 1


def test_what_is_over_the_number_of_items_is_not_read_and_nothing_is_lost(
    open_tenant: OpenTenant, tmp_path: Path, store: Any
) -> None:
    for name in "bcd":
        store.pipe(f"/kennel/{name}.txt", name.encode())
    engine = opened(open_tenant, tmp_path, "{name: bucket, kind: files, url: 'memory://kennel', most: 3}")
    assert len(ready(engine.sync())) == 3
    store.pipe("/kennel/a.txt", b"a")
    later = engine.sync()
    assert reasons(later) == {"bucket/": "it has more than 3 items; raise `most`"}
    assert (removed(later), engine.stats().documents) == ([], 4)


def test_a_damaged_state_reads_everything_again_and_changes_nothing(
    open_tenant: OpenTenant, tmp_path: Path, store: Any
) -> None:
    store.pipe("/kennel/a.txt", b"A file.")
    engine = opened(open_tenant, tmp_path, "{name: bucket, kind: files, url: 'memory://kennel'}")
    engine.sync()
    (tmp_path / "data" / "kennel" / "sources" / ".states" / "bucket.json").write_bytes(b"{half")
    assert states(engine.sync()) == {"bucket/a.txt": "unchanged"}


def test_a_state_that_cannot_be_read_keeps_no_other_source_from_being_read(
    open_tenant: OpenTenant, tmp_path: Path, store: Any
) -> None:
    store.pipe({"/kennel/cats/a.txt": b"A cat.", "/kennel/dogs/a.txt": b"A dog."})
    named = (f"{{name: {one}, kind: files, url: 'memory://kennel/{one}'}}" for one in ("cats", "dogs"))
    engine = opened(open_tenant, tmp_path, ", ".join(named))
    engine.sync()
    state = tmp_path / "data" / "kennel" / "sources" / ".states" / "cats.json"
    state.unlink()
    state.mkdir()
    store.pipe("/kennel/dogs/b.txt", b"Another dog.")
    later = engine.sync()
    assert ready(later) == {"dogs/b.txt"}
    assert reasons(later).keys() == {"cats/"}
    assert (removed(later), engine.stats().documents) == ([], 3)


def test_a_sync_that_is_stopped_in_the_middle_goes_on_the_next_time(
    open_tenant: OpenTenant, tmp_path: Path, site: Site
) -> None:
    paths = [f"/{number}" for number in range(6)]
    for path in paths:
        site.put(path, page(f"The page {path}."))
    pages = ", ".join(f"'{site.url}{path}'" for path in paths)
    engine = opened(open_tenant, tmp_path, f"{{name: site, kind: web, pages: [{pages}]}}")

    class Stopped(Exception):
        pass

    def stop(_: Progress) -> None:
        if len(site.asked) > 3:
            raise Stopped

    with pytest.raises(Stopped):
        engine.sync(stop)
    assert len(site.asked) < 6
    assert len(ready(engine.sync())) == 6


def test_a_branch_that_looks_like_an_option_is_a_branch(open_tenant: OpenTenant, tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    subprocess.run(["git", "init", "--quiet", str(tmp_path / "repo")], check=True)
    mark = tmp_path / "mark"
    branch = f"--upload-pack=touch {mark};"
    engine = opened(open_tenant, tmp_path, f"{{name: repo, kind: git, url: repo, branch: '{branch}'}}")
    assert "repo/" in reasons(engine.sync())
    assert not mark.exists()


def test_two_syncs_at_once_read_each_source_one_after_the_other(
    open_tenant: OpenTenant, tmp_path: Path, site: Site
) -> None:
    site.put("/a", page("The page."))
    engine = opened(open_tenant, tmp_path, f"{{name: site, kind: web, pages: ['{site.url}/a']}}")
    results: list[SyncResult] = []
    threads = [threading.Thread(target=lambda: results.append(engine.sync())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(state for result in results for state in states(result).values()) == [
        "ready",
        "unchanged",
        "unchanged",
        "unchanged",
    ]


def test_faults_are_reported_to_whoever_follows_the_sync(open_tenant: OpenTenant, tmp_path: Path, site: Site) -> None:
    site.put("/a", page("The page."))
    engine = opened(open_tenant, tmp_path, f"{{name: site, kind: web, pages: ['{site.url}/a', '{site.url}/b']}}")
    told: list[Progress] = []
    engine.sync(told.append)
    failed = [file for progress in told for file in progress.latest if file.state == "failed"]
    assert [(file.path, file.reason) for file in failed] == [(f"site/{site.url}/b", "status 404")]
    assert (told[-1].documents_done, told[-1].documents_total) == (2, 2)


def test_a_source_of_no_name_is_refused(open_tenant: OpenTenant, tmp_path: Path) -> None:
    engine = opened(open_tenant, tmp_path, "{name: repo, kind: git, url: repo}")
    with pytest.raises(InvalidRequest, match='there is no source "repos", did you mean "repo"'):
        engine.sync(source="repos")
