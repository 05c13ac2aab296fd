"""The console when something goes wrong: wrong keys, lost connections, stray drops."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.app.console.conftest import Open, ask
from tests.app.running import Serve

pytestmark = pytest.mark.browser

KEYED = """
tenant: vault
jobs: {run: worker}
answer: {abstain_below: 0.1}
auth:
  keys:
    - {name: ops, secret: "${VAULT_ADMIN}", role: admin}
    - {name: look, secret: "${VAULT_READER}", role: reader}
"""
ADMIN, READER = "administer-the-vault", "look-at-the-vault-now"
TOKEN = 'event: token\ndata: {"text": "A beagle "}\n\n'
STREAM = (
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    f"{len(TOKEN):x}\r\n{TOKEN}\r\n"
)
FILE_EVENT = """
(name) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["text"], "stray.txt"));
  return !document.body.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer }));
}
"""


@pytest.fixture
def vault(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> httpx.Client:
    monkeypatch.setenv("VAULT_ADMIN", ADMIN)
    monkeypatch.setenv("VAULT_READER", READER)
    client = serve(KEYED)
    client.headers["authorization"] = f"Bearer {ADMIN}"
    body = {"content": "# Beagle\n\nBeagles need an hour of exercise a day.", "document_id": "beagle"}
    assert client.post("/tenants/vault/documents", json=body).status_code == 201
    return client


@contextmanager
def breaking_off(over: threading.Event) -> Iterator[str]:
    """A server that begins a streamed answer and goes away when it is ``over``."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(STREAM.encode())
                over.wait(30)

        thread = threading.Thread(target=answer)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread.join()


def enter(page: Page, key: str) -> None:
    page.get_by_label("Key", exact=True).fill(key)
    page.get_by_role("button", name="Continue").click()


@pytest.mark.parametrize("wrong", ["wrong", "ключ от сейфа"])
def test_a_wrong_key_is_named_in_the_words_of_the_page(vault: httpx.Client, open_page: Open, wrong: str) -> None:
    page = open_page(vault, errors_expected=True)
    enter(page, wrong)
    expect(page.get_by_role("alert")).to_have_text(
        "The server does not accept this key. Check it, or ask for another one."
    )
    expect(page.get_by_label("Key", exact=True)).to_be_visible()


def test_another_key_shows_nothing_of_what_the_one_before_could_see(vault: httpx.Client, open_page: Open) -> None:
    page = open_page(vault, "/console/#/vault/documents", errors_expected=True)
    enter(page, ADMIN)
    expect(page.get_by_role("button", name="Beagle")).to_be_visible()
    assert vault.delete("/tenants/vault/documents/beagle").status_code == 200
    page.get_by_role("button", name="Change the key").click()
    enter(page, READER)
    expect(page.get_by_text("No documents yet.")).to_be_visible()
    expect(page.get_by_role("button", name="Beagle")).to_have_count(0)


def test_the_form_for_a_key_can_be_left_without_a_change(vault: httpx.Client, open_page: Open) -> None:
    page = open_page(vault, errors_expected=True)
    enter(page, ADMIN)
    page.get_by_role("button", name="Change the key").click()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_label("Key", exact=True)).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="Ask")).to_be_visible()
    page.get_by_role("button", name="Change the key").click()
    page.get_by_role("link", name="Health").click()
    expect(page.get_by_role("heading", name="Health")).to_be_visible()


def test_health_says_why_the_numbers_of_a_tenant_cannot_be_had(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets, errors_expected=True)
    page.route("**/stats?*", lambda route: route.fulfill(status=500, body="{}"))
    page.get_by_role("link", name="Health").click()
    expect(page.get_by_role("alert")).to_be_visible()


def test_an_answer_that_breaks_off_is_reported_in_plain_words(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets, errors_expected=True)
    over = threading.Event()
    with breaking_off(over) as elsewhere:
        page.route("**/query", lambda route: route.continue_(url=f"{elsewhere}/query"))
        page.get_by_label("question").fill("How much exercise does a beagle need?")
        page.keyboard.press("Enter")
        expect(page.locator(".prose")).to_have_text("A beagle")
        over.set()
        expect(page.get_by_role("alert")).to_have_text("The connection to the server broke off.")
    expect(page.get_by_role("button", name="Ask again")).to_be_visible()


def test_a_proxy_without_a_server_behind_it_is_named_by_its_status(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets, errors_expected=True)
    page.route("**/query", lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>"))
    ask(page, "How much exercise does a beagle need?")
    expect(page.get_by_role("alert")).to_have_text("The server cannot be reached (status 502).")


@pytest.mark.parametrize("event", ["dragover", "drop"])
def test_a_file_dropped_beside_its_place_does_not_replace_the_page(
    pets: httpx.Client, open_page: Open, event: str
) -> None:
    assert open_page(pets, "/console/#/pets/documents").evaluate(FILE_EVENT, event), "the browser opens the file"


def test_deleting_by_keyboard_keeps_the_focus(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets, "/console/#/pets/documents")
    page.get_by_role("row", name="ragdoll.md").get_by_role("button").click()
    page.get_by_role("button", name="About").click()
    page.get_by_role("button", name="Delete…").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Keep it")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Delete…")).to_be_focused()


def test_a_question_of_a_pasted_page_is_given_back_and_its_refusal_is_in_sight(
    pets: httpx.Client, open_page: Open
) -> None:
    page = open_page(pets, errors_expected=True)
    pasted = "How much exercise does a collie need? " * 500
    ask(page, pasted)
    expect(page.get_by_role("alert")).to_be_in_viewport()
    expect(page.get_by_label("question").last).to_have_value(pasted.strip())
    expect(page.get_by_role("region", name="The question")).to_be_visible()


def test_documents_can_be_read_again_once_the_server_is_back(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets, errors_expected=True)
    page.route("**/documents?*", lambda route: route.abort(), times=1)
    page.get_by_role("link", name="Documents").click()
    expect(page.get_by_role("alert")).to_have_text("The server cannot be reached.")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("row", name="ragdoll.md")).to_be_visible()


def test_a_tenant_without_documents_says_where_to_bring_them_in(serve: Serve, open_page: Open) -> None:
    page = open_page(serve("tenant: bare\njobs: {run: worker}\n"))
    expect(page.get_by_text("There are no documents to ask yet.")).to_be_visible()
    page.get_by_role("link", name="Bring some in.").click()
    expect(page.get_by_text("No documents yet.")).to_be_visible()
