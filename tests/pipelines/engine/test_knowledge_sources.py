"""Documents from web sites, feeds, repositories, stores and mailboxes, which a sync follows."""

from __future__ import annotations

import mailbox
import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

import fsspec
import pytest

from pipelines.engine import Engine
from pipelines.errors import InvalidRequest, KnowledgeFolderEmpty, KnowledgeFolderUnreadable, ProfileError
from pipelines.types import Progress, SyncResult
from tests.conftest import OpenTenant
from tests.pipelines.engine.sites import Site, page, running_site
from tests.pipelines.ingestion.knowledge import removed, states

Configure = Callable[[str], Engine]


@pytest.fixture
def site() -> Iterator[Site]:
    with running_site() as site:
        yield site


@pytest.fixture
def tenant(open_tenant: OpenTenant, tmp_path: Path) -> Configure:
    """Opens a tenant with these sources, over the data of the one before."""
    opened: list[Engine] = []

    def configure(sources: str) -> Engine:
        for engine in opened:
            engine.close()
        profile = f"tenant: kennel\nlimits: {{file_bytes: 1_000_000}}\nknowledge: {{sources: [{sources}]}}"
        opened.append(open_tenant(profile, tmp_path / "data"))
        return opened[-1]

    return configure


def reasons(result: SyncResult) -> dict[str, str]:
    return {one.document_id: one.reason or "" for one in result.results if one.state == "failed"}


def test_pages_of_a_sitemap_are_read_followed_and_forgotten(tenant: Configure, site: Site) -> None:
    site.list_in_sitemap("/dogs/beagle", "/dogs/", "/faq?page=2")
    site.put("/dogs/beagle", page("A beagle needs two hours of exercise."))
    site.put("/dogs/", page("Dogs of all kinds live here."))
    site.put("/faq?page=2", "Feed them twice a day.", "text/plain")
    engine = tenant(f"{{name: site, kind: web, sitemap: '{site.url}/sitemap.xml'}}")
    root = f"site/{site.host.replace(':', '-')}"
    first = engine.sync()
    faq = next(name for name in states(first) if "faq" in name)
    assert set(states(first)) == {f"{root}/dogs/beagle.html", f"{root}/dogs/index.html", faq}
    assert set(states(first).values()) == {"ready"}
    answer = engine.answer("How much exercise does a beagle need?")
    assert "two hours" in answer.text
    assert engine.document(f"{root}/dogs/beagle.html").metadata["url"] == f"{site.url}/dogs/beagle"

    site.asked.clear()
    assert set(states(engine.sync()).values()) == {"unchanged"}
    assert dict(site.asked)["/dogs/beagle"] == 304
    site.put("/dogs/beagle", page("A beagle needs three hours of exercise."))
    del site.pages["/dogs/"]
    site.list_in_sitemap("/dogs/beagle", "/dogs/")
    later = engine.sync()
    assert states(later) == {f"{root}/dogs/beagle.html": "ready"}
    assert set(removed(later)) == {f"{root}/dogs/index.html", faq}


def test_what_a_site_does_not_give_is_reported_and_nothing_is_lost(
    tenant: Configure, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WIKI_KEY", "opensesame")
    site.list_in_sitemap("/a", "/b", "http://127.0.0.1:9/elsewhere", "/secret/c", "/moved")
    site.put("/robots.txt", "User-agent: *\nDisallow: /secret/", "text/plain")
    site.moved["/moved"] = "http://127.0.0.1:9/stolen"
    for path in ("/a", "/b", "/secret/c"):
        site.put(path, page(f"The page {path}."))
    engine = tenant(
        f"{{name: site, kind: web, sitemap: '{site.url}/sitemap.xml', headers: {{X-Wiki-Key: '${{WIKI_KEY}}'}}}}"
    )
    first = engine.sync()
    assert sorted(name.rpartition("/")[2] for name, state in states(first).items() if state == "ready") == [
        "a.html",
        "b.html",
    ]
    assert set(reasons(first).values()) == {
        "it leads to 127.0.0.1:9, which is not among the source's hosts",
    }
    assert set(reasons(first)) == {"site/http://127.0.0.1:9/elsewhere", f"site/{site.url}/moved"}
    assert set(site.keys) == {"opensesame"}

    site.put("/b", "", status=500)
    broken = engine.sync()
    assert removed(broken) == []
    assert reasons(broken)[f"site/{site.url}/b"] == "status 500"
    site.put("/sitemap.xml", "<broken", "application/xml")
    down = engine.sync()
    assert removed(down) == []
    assert "cannot be read" in reasons(down)["site/"]
    site.list_in_sitemap()
    assert "lists no page" in reasons(engine.sync())["site/"]
    assert engine.stats().documents == 2


def test_entries_of_a_feed_stay_when_the_feed_drops_them(tenant: Configure, site: Site) -> None:
    def feed(*titles: str) -> str:
        moment = format_datetime(datetime(2026, 5, 4, tzinfo=UTC))
        items = "".join(
            f"<item><title>{title}</title><link>{site.url}/{title}</link><guid>{title}</guid><pubDate>{moment}</pubDate>"
            f"<description>&lt;p&gt;The {title} opens in May.&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;"
            "</description></item>"
            for title in titles
        )
        return f'<rss version="2.0"><channel><title>News</title>{items}</channel></rss>'

    site.put("/feed", feed("kennel", "cattery"), "application/rss+xml")
    engine = tenant(f"{{name: news, kind: feed, url: '{site.url}/feed'}}")
    assert sorted(states(engine.sync()).values()) == ["ready", "ready"]
    site.put("/feed", feed("aviary"), "application/rss+xml")
    later = engine.sync()
    assert sorted(states(later).values()) == ["ready", "unchanged", "unchanged"]
    (found,) = {hit.document_id for hit in engine.search("When does the cattery open?", top_k=1).hits}
    assert engine.document(found).metadata["url"] == f"{site.url}/cattery"
    assert "alert" not in engine.content(found)
    site.put("/feed", "no feed at all", "text/plain")
    assert "is no feed" in reasons(engine.sync())["news/"]


def feed_of(entries: dict[str, str]) -> str:
    """A feed of entries: their titles by what names them."""
    items = "".join(
        f"<item><guid>{name}</guid><title>{title}</title><description>The {title} opens.</description></item>"
        for name, title in entries.items()
    )
    return f'<rss version="2.0"><channel><title>News</title>{items}</channel></rss>'


def titles(engine: Engine) -> list[str]:
    return sorted(one.title for one in engine.documents().documents)


def test_entries_of_a_feed_stay_where_its_copy_was_lost(tenant: Configure, site: Site, tmp_path: Path) -> None:
    source = f"{{name: news, kind: feed, url: '{site.url}/feed'}}"
    site.put("/feed", feed_of({"1": "kennel", "2": "cattery"}), "application/rss+xml")
    tenant(source).sync()
    site.put("/feed", feed_of({"3": "aviary"}), "application/rss+xml")
    tenant(source).sync()
    shutil.rmtree(tmp_path / "data" / "kennel" / "sources")
    engine = tenant(source)
    assert [removed(engine.sync()) for _ in range(2)] == [[], []]
    site.put("/feed", feed_of({"4": "stable"}), "application/rss+xml")
    assert removed(engine.sync()) == []
    assert titles(engine) == ["aviary", "cattery", "kennel", "stable"]
    engine = tenant("{name: other, kind: feed, url: 'http://127.0.0.1:9/feed'}")
    engine.sync(allow_empty=True)
    assert titles(engine) == []


def test_an_entry_of_a_feed_that_is_renamed_is_one_document(tenant: Configure, site: Site) -> None:
    engine = tenant(f"{{name: news, kind: feed, url: '{site.url}/feed'}}")
    site.put("/feed", feed_of({"1": "kennel", "2": "cattery"}), "application/rss+xml")
    engine.sync()
    for title in ("kennels", "kennel", "dogs"):
        site.put("/feed", feed_of({"1": title}), "application/rss+xml")
        engine.sync()
        assert titles(engine) == sorted([title, "cattery"])
    engine.sync()
    assert titles(engine) == ["cattery", "dogs"]


def test_an_entry_that_was_renamed_is_one_document_after_a_killed_sync(tenant: Configure, site: Site) -> None:
    engine = tenant(f"{{name: news, kind: feed, url: '{site.url}/feed'}}")
    site.put("/feed", feed_of({"1": "kennel"}), "application/rss+xml")
    engine.sync()
    site.put("/feed", feed_of({"1": "dogs"}), "application/rss+xml")
    mirror = engine._administration.knowledge._mirror
    assert mirror is not None
    mirror.update()  # the copy is in line, and the tenant not yet
    engine.sync()
    assert titles(engine) == ["dogs"]


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def test_a_repository_is_followed_commit_by_commit(tenant: Configure, tmp_path: Path) -> None:
    origin = tmp_path / "origin"
    (origin / "docs").mkdir(parents=True)
    git(origin, "init", "--quiet", "--initial-branch", "main")
    (origin / "docs" / "beagle.md").write_text("# Beagle\n\nBeagles need two hours of exercise.\n")
    (origin / "docs" / "pug.md").write_text("# Pug\n\nPugs snore.\n")
    (origin / "docs" / "link.md").symlink_to("/etc/passwd")
    (origin / "build.py").write_text("print('not a document')\n")
    git(origin, "add", "--all")
    git(origin, "commit", "--quiet", "--message", "Begin")
    engine = tenant(f"{{name: repo, kind: git, url: '{origin}', branch: main, folder: docs}}")
    assert states(engine.sync()) == {"repo/docs/beagle.md": "ready", "repo/docs/pug.md": "ready"}
    assert set(states(engine.sync()).values()) == {"unchanged"}
    (origin / "docs" / "beagle.md").write_text("# Beagle\n\nBeagles need three hours of exercise.\n")
    (origin / "docs" / "pug.md").rename(origin / "docs" / "mops.md")
    git(origin, "add", "--all")
    git(origin, "commit", "--quiet", "--message", "Go on")
    later = engine.sync()
    assert states(later) == {"repo/docs/beagle.md": "ready", "repo/docs/mops.md": "ready"}
    assert [(rename.before, rename.after) for rename in later.renamed] == [("repo/docs/pug.md", "repo/docs/mops.md")]
    engine = tenant(f"{{name: repo, kind: git, url: '{tmp_path / 'nowhere'}'}}")
    assert "nowhere" in reasons(engine.sync())["repo/"]
    assert engine.stats().documents == 2


def test_files_of_a_store_are_followed(tenant: Configure) -> None:
    store = fsspec.filesystem("memory")
    store.pipe("/kennel/beagle.txt", b"Beagles need two hours of exercise.")
    store.pipe("/kennel/more/pug.txt", b"Pugs snore.")
    store.pipe("/kennel/large.txt", b"x" * 2_000_000)
    try:
        engine = tenant("{name: bucket, kind: files, url: 'memory://kennel'}")
        first = engine.sync()
        assert {name for name, state in states(first).items() if state == "ready"} == {
            "bucket/beagle.txt",
            "bucket/more/pug.txt",
        }
        assert "bytes" in reasons(first)["bucket/large.txt"]
        store.rm("/kennel/more/pug.txt")
        store.pipe("/kennel/beagle.txt", b"Beagles need three hours of exercise.")
        later = engine.sync()
        assert states(later)["bucket/beagle.txt"] == "ready"
        assert removed(later) == ["bucket/more/pug.txt"]
    finally:
        store.rm("/kennel", recursive=True)
    assert "there is nothing at" in reasons(engine.sync())["bucket/"]
    assert engine.stats().documents == 1


def test_each_message_of_a_mailbox_is_a_document(tenant: Configure, tmp_path: Path) -> None:
    box = mailbox.mbox(tmp_path / "archive.mbox")
    for subject in ("Beagle walks", "Pug food"):
        message = EmailMessage()
        message["Subject"], message["From"], message["To"] = subject, "a@example.org", "b@example.org"
        message.set_content(f"{subject} start at nine.")
        box.add(message)
    box.close()
    engine = tenant("{name: mail, kind: mbox, path: archive.mbox}")
    assert sorted(states(engine.sync()).values()) == ["ready", "ready"]
    (hit,) = engine.search("Pug food", top_k=1).hits
    assert hit.title == "Pug food"
    (tmp_path / "archive.mbox").unlink()
    assert "there is no file archive.mbox" in reasons(engine.sync())["mail/"]


def test_a_mailbox_that_is_cut_off_in_its_first_header_removes_nothing(tenant: Configure, tmp_path: Path) -> None:
    file = tmp_path / "archive.mbox"
    header = b"From ann@example.org Mon May  6 07:08:09 2024\nFrom: ann@example.org\nSubject: Kite festival\n"
    file.write_bytes(header + b"\nKites rise at ten.\n\n")
    engine = tenant("{name: mail, kind: mbox, path: archive.mbox}")
    (name,) = states(engine.sync())
    for end in (len(header), len(header) - 8, header.index(b"\n") + 1, 3):
        file.write_bytes(header[:end])
        cut_off = engine.sync()
        assert "ends within the header of its first message" in reasons(cut_off)["mail/"]
        assert [one.document_id for one in engine.documents()] == [name]
        assert removed(cut_off) == []
    file.write_bytes(header + b"\n")
    assert list(states(engine.sync()).values()) == ["ready"]


def test_sources_and_the_folder_are_kept_apart(open_tenant: OpenTenant, tmp_path: Path) -> None:
    folder = tmp_path / "knowledge"
    folder.mkdir()
    (folder / "own.txt").write_text("Cats sleep all day.")
    store = fsspec.filesystem("memory")
    store.pipe("/apart/theirs.txt", b"Dogs bark at night.")
    source = "sources: [{name: bucket, kind: files, url: 'memory://apart'}]"
    try:
        with open_tenant(f"tenant: cats\nknowledge: {{path: knowledge, {source}}}") as engine:
            assert states(engine.sync()) == {"own.txt": "ready", "bucket/theirs.txt": "ready"}
            (folder / "more.txt").write_text("Cats purr.")
            (folder / "own.txt").unlink()
            assert removed(engine.sync()) == ["own.txt"]
        with open_tenant("tenant: cats\nknowledge: {path: knowledge}") as engine:
            assert removed(engine.sync()) == ["bucket/theirs.txt"]
        (folder / "bucket").mkdir()
        again = open_tenant(f"tenant: cats\nknowledge: {{path: knowledge, {source}}}")
        with pytest.raises(InvalidRequest, match='the source "bucket" has the name of a folder in knowledge'):
            again.sync()
    finally:
        store.rm("/apart", recursive=True)


def test_sources_are_followed_where_the_folder_cannot_be(open_tenant: OpenTenant, tmp_path: Path) -> None:
    (tmp_path / "knowledge").mkdir()
    own = tmp_path / "knowledge" / "own.txt"
    own.write_text("Cats sleep all day.")
    store = fsspec.filesystem("memory")
    store.pipe("/harbour/one.txt", b"The ferry leaves at noon.")
    source = "sources: [{name: bucket, kind: files, url: 'memory://harbour'}]"
    engine = open_tenant(f"tenant: cats\nknowledge: {{path: knowledge, {source}}}")
    try:
        engine.sync()
        own.unlink()
        store.pipe("/harbour/two.txt", b"The lighthouse is white.")
        with pytest.raises(KnowledgeFolderEmpty):
            engine.sync()
        assert [one.document_id for one in engine.documents()] == ["bucket/one.txt", "bucket/two.txt", "own.txt"]
        own.parent.rmdir()
        store.rm("/harbour/one.txt")
        with pytest.raises(KnowledgeFolderUnreadable):
            engine.sync()
        assert [one.document_id for one in engine.documents()] == ["bucket/two.txt", "own.txt"]
    finally:
        store.rm("/harbour", recursive=True)


def test_a_folder_that_the_system_refuses_is_named_also_beside_sources(open_tenant: OpenTenant) -> None:
    source = "sources: [{name: mail, kind: mbox, path: nowhere.mbox}]"
    engine = open_tenant(f"tenant: cats\nknowledge: {{path: {'k' * 300}, {source}}}")
    with pytest.raises(KnowledgeFolderUnreadable, match="File name too long"):
        engine.sync()


def test_sources_are_not_begun_where_a_sync_is_stopped_in_the_folder(open_tenant: OpenTenant, tmp_path: Path) -> None:
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "own.txt").write_text("Cats sleep all day.")
    source = "sources: [{name: mail, kind: mbox, path: nowhere.mbox}]"
    engine = open_tenant(f"tenant: cats\nknowledge: {{path: knowledge, {source}}}")
    reported: list[Progress] = []

    def stop(progress: Progress) -> None:
        reported.append(progress)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.sync(stop)
    assert len(reported) == 1
    assert not (tmp_path / "data" / "cats" / "sources").exists()


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("{name: a, kind: web}", "needs pages or a sitemap"),
        ("{name: a, kind: wiki, url: x}", "wiki"),
        ("{name: a, kind: web, sitemap: 'ftp://x'}", "http://"),
        ("{name: a, kind: git, url: x}, {name: a, kind: git, url: y}", "is the name of another source"),
        ("{name: A/b, kind: git, url: x}", "lower-case letters"),
    ],
)
def test_a_wrong_source_is_refused_with_the_profile(tenant: Configure, source: str, problem: str) -> None:
    with pytest.raises(ProfileError, match=problem):
        tenant(source)
