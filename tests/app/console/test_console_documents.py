"""The tab Documents in a real browser: bring in, read, compare, delete."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.app.console.conftest import Open
from tests.pipelines.reading.reader_files import pdf

pytestmark = pytest.mark.browser

FIRST = "# Note\n\nThe gate opens at seven.\n"
SECOND = "# Note\n\nThe gate opens at eight.\n"

FOLDER = """
() => {
  const last = (path) => path.split("/").pop();
  const file = (path, text) => ({
    isFile: true, name: last(path), fullPath: path, file: (give) => give(new File([text], last(path))),
  });
  const folder = (path, entries) => ({
    isFile: false, name: last(path), fullPath: path,
    createReader: () => { const left = [entries, []]; return { readEntries: (give) => give(left.shift()) }; },
  });
  const dropped = folder("/care", [
    folder("/care/dogs", [file("/care/dogs/walk.txt", "Walk twice.")]), file("/care/.hidden", "No."),
  ]);
  const event = new Event("drop", { bubbles: true, cancelable: true });
  event.dataTransfer = { items: [{ webkitGetAsEntry: () => dropped }], files: [] };
  document.querySelector(".drop").dispatchEvent(event);
}
"""
"""A drop of a folder; only a person's own has real entries."""

UNREADABLE = """
() => {
  const gone = { isFile: true, fullPath: "/gone.txt", file: (give, fail) => fail(new Error("moved away")) };
  const kept = { isFile: true, fullPath: "/kept.txt", file: (give) => give(new File(["Kept."], "kept.txt")) };
  const event = new Event("drop", { bubbles: true, cancelable: true });
  event.dataTransfer = { items: [gone, kept].map((entry) => ({ webkitGetAsEntry: () => entry })), files: [] };
  document.querySelector(".drop").dispatchEvent(event);
}
"""


def bring(page: Page, *files: Path) -> None:
    before = page.locator(".uploads li").count()
    page.locator("input[type=file]").set_input_files(list(files))
    ended = page.locator(".uploads li[data-state=done], .uploads li[data-state=failed]")
    expect(ended).to_have_count(before + len(files))


def written(folder: Path, name: str, content: str | bytes) -> Path:
    file = folder / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def test_files_are_uploaded_and_failures_say_why(pets: httpx.Client, open_page: Open, tmp_path: Path) -> None:
    page = open_page(pets, "/console/#/pets/documents")
    page.get_by_text("Metadata for these files").click()
    page.get_by_role("button", name="Add a field").click()
    page.get_by_label("Field", exact=True).fill("species")
    page.get_by_label("Value", exact=True).fill("cat")
    bring(page, written(tmp_path, "gate.md", FIRST), written(tmp_path, "torn.pdf", b"%PDF-1.4 torn"))
    uploads = page.get_by_role("list", name="Brought in")
    expect(uploads).to_contain_text("ready, 1 chunk")
    expect(uploads.locator("[data-state=failed]")).to_contain_text("not a readable PDF file")
    expect(page.get_by_role("row", name="gate.md")).to_contain_text("ready")
    expect(page.get_by_role("row", name="torn.pdf")).to_contain_text("not a readable PDF file")
    page.get_by_label("Show").select_option("failed")
    expect(page.get_by_role("row", name="gate.md")).to_have_count(0)
    assert pets.get("/tenants/pets/documents/gate.md").json()["metadata"]["species"] == "cat"


def test_dropping_a_file_uploads_it(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets, "/console/#/pets/documents")
    expect(page.locator(".drop")).to_be_visible()
    dropped = page.evaluate_handle(
        "() => { const data = new DataTransfer(); data.items.add(new File(['Dropped.'], 'drop.txt')); return data; }"
    )
    page.locator(".drop").dispatch_event("drop", {"dataTransfer": dropped})
    expect(page.get_by_role("row", name="drop.txt")).to_contain_text("ready")


def test_a_dropped_folder_uploads_its_files_by_path(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets, "/console/#/pets/documents")
    expect(page.locator(".drop")).to_be_visible()
    page.evaluate(FOLDER)
    expect(page.get_by_role("row", name="care/dogs/walk.txt")).to_contain_text("ready")
    assert pets.get("/tenants/pets/documents/care%2Fdogs%2Fwalk.txt/content").text.strip() == "Walk twice."
    expect(page.get_by_role("list", name="Brought in").get_by_role("listitem")).to_have_count(1)


def test_the_list_is_read_again_when_it_is_opened_again(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets, "/console/#/pets/documents")
    expect(page.get_by_role("button", name="Ragdoll")).to_be_visible()
    page.get_by_role("link", name="Ask", exact=True).click()
    body = {"content": "# Manx\n\nA Manx cat has no tail.\n", "source": "manx.md", "document_id": "manx.md"}
    assert pets.post("/tenants/pets/documents", json=body).status_code == 201
    page.get_by_role("link", name="Documents").click()
    expect(page.get_by_role("button", name="Manx")).to_be_visible()


def test_versions_are_read_compared_and_asked(pets: httpx.Client, open_page: Open, tmp_path: Path) -> None:
    page = open_page(pets, "/console/#/pets/documents")
    for content in (FIRST, SECOND):
        bring(page, written(tmp_path, "hours.md", content))
    row = page.get_by_role("row", name="hours.md")
    expect(row.locator("[data-label=Version]")).to_have_text("2")
    row.get_by_role("button").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("opens at eight")
    dialog.get_by_role("button", name="Versions").click()
    dialog.get_by_role("button", name="Compare").click()
    expect(dialog.locator("del")).to_have_text("seven")
    expect(dialog.locator("ins")).to_have_text("eight")
    older = dialog.locator(".versions li").last
    older.get_by_role("button", name="Read").click()
    expect(dialog).to_contain_text("opens at seven")
    dialog.get_by_role("button", name="Versions").click()
    older.get_by_role("button", name="Ask as of then").click()
    page.get_by_label("question").fill("When does the gate open?")
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_attribute("aria-busy", "false")
    expect(page.locator(".turn .answer")).to_contain_text("opens at seven")


@pytest.mark.parametrize(("purge", "left"), [(False, 200), (True, 404)])
def test_deleting_shows_the_receipt(
    pets: httpx.Client, open_page: Open, tmp_path: Path, purge: bool, left: int
) -> None:
    page = open_page(pets, "/console/#/pets/documents")
    bring(page, written(tmp_path, f"going-{purge}.md", FIRST))
    page.get_by_role("row", name=f"going-{purge}.md").get_by_role("button").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="About").click()
    dialog.get_by_role("button", name="Delete…").click()
    if purge:
        dialog.get_by_label("Erase its history too, for good").check()
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(dialog.get_by_role("status")).to_contain_text("Deleted: the receipt")
    expect(dialog.get_by_role("status")).to_contain_text("Chunks removed")
    page.keyboard.press("Escape")
    expect(page.get_by_role("row", name=f"going-{purge}.md")).to_have_count(0)
    assert pets.get(f"/tenants/pets/documents/going-{purge}.md").status_code == 404
    snapshot = pets.get("/tenants/pets/stats").json()["snapshot"] - 1
    history = pets.get(f"/tenants/pets/documents/going-{purge}.md/content", params={"as_of": snapshot})
    assert history.status_code == left


def test_a_file_that_the_browser_cannot_read_does_not_lose_the_others(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets, "/console/#/pets/documents")
    page.locator(".drop").evaluate(UNREADABLE)
    uploads = page.get_by_role("list", name="Brought in")
    expect(uploads.locator("[data-state=failed]")).to_contain_text("The browser cannot read it. Is it still there?")
    expect(uploads.locator("[data-state=done]")).to_contain_text("kept.txt")
    pets.delete("/tenants/pets/documents/kept.txt")


def test_a_lost_look_at_a_job_is_no_failure_of_the_upload(pets: httpx.Client, open_page: Open, tmp_path: Path) -> None:
    page = open_page(pets, "/console/#/pets/documents", errors_expected=True)
    page.route("**/jobs/*", lambda route: route.abort(), times=1)
    file = written(tmp_path, "lost.md", FIRST)
    page.locator("input[type=file]").set_input_files(file)
    uploads = page.get_by_role("list", name="Brought in")
    expect(uploads).to_contain_text("connection lost, trying again")
    expect(uploads).to_contain_text("ready, 1 chunk")
    expect(uploads.locator("[data-state=failed]")).to_have_count(0)
    pets.delete("/tenants/pets/documents/lost.md")


def test_an_upload_fails_after_many_lost_looks_and_at_once_without_its_job(
    pets: httpx.Client, open_page: Open, tmp_path: Path
) -> None:
    page = open_page(pets, "/console/#/pets/documents", errors_expected=True)
    page.evaluate("() => { window.setTimeout = (then) => queueMicrotask(then); }")
    page.route("**/jobs/*", lambda route: route.fulfill(status=502, body="Bad gateway"))
    bring(page, written(tmp_path, "lost.md", FIRST))
    uploads = page.get_by_role("list", name="Brought in")
    expect(uploads).to_contain_text("The file may still be read: reload this page later.")
    page.route("**/jobs/*", lambda route: route.fulfill(status=404, json={"detail": "no such job"}))
    bring(page, written(tmp_path, "gone.md", SECOND))
    expect(uploads).to_contain_text("no such job")
    for name in ("lost.md", "gone.md"):
        pets.delete(f"/tenants/pets/documents/{name}")


def test_a_pdf_opens_at_its_first_page_with_its_text_beside_it(pets: httpx.Client, open_page: Open) -> None:
    content = pdf([["The tapir", 30, "A tapir swims well."], ["Food", 30, "It eats leaves."]])
    assert pets.post("/tenants/pets/documents", files={"file": ("tapir.pdf", content)}).status_code == 201
    page = open_page(pets, "/console/#/pets/documents")
    page.get_by_role("row", name="tapir.pdf").get_by_role("button").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("img", name="Page 1")).to_be_visible()
    expect(dialog.get_by_role("status")).to_have_text("Page 1")
    dialog.get_by_role("button", name="Next").click()
    expect(dialog.get_by_role("img", name="Page 2")).to_be_visible()
    dialog.get_by_role("button", name="Text").click()
    expect(dialog.locator(".document-text")).to_contain_text("A tapir swims well.")
    dialog.get_by_role("button", name="Versions").click()
    dialog.get_by_role("button", name="Read").click()
    expect(dialog.get_by_role("img", name="Page 1")).to_be_visible()
    pets.delete("/tenants/pets/documents/tapir.pdf")
