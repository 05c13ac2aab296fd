"""A real browser: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.app.running import serving

TENANT = """
tenant: pets
title: Pets
metadata:
  fields:
    species: {type: keyword, values: [dog, cat]}
    breed: {type: keyword}
answer: {abstain_below: 0.1}
"""
COLLIE = (
    "# Border Collie\n\n## Exercise\n\n\U0001f415 A Border Collie needs two hours of exercise a day.\n\n"
    "## Care\n\nBrush a Border Collie twice a week.\n"
)
RAGDOLL = "# Ragdoll\n\n## Exercise\n\nA Ragdoll cat needs about thirty minutes of play a day.\n"
SETTINGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
CHROMIUM = shutil.which("chromium")
expect.set_options(timeout=30_000)  # milliseconds: a busy machine takes longer than the default of 5 s

Open = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a browser where there is none."""
    for item in items:
        if CHROMIUM is None and item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason="chromium is not installed"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium for one module: while it runs, this thread can run no event loop of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SETTINGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def pets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A server with one open tenant and two documents."""
    with serving(Path(tmp_path_factory.mktemp("pets")), (TENANT,)) as client:
        for name, text in (("collie.md", COLLIE), ("ragdoll.md", RAGDOLL)):
            species = "dog" if name == "collie.md" else "cat"
            body = {"content": text, "source": name, "document_id": name, "metadata": {"species": species}}
            assert client.post("/tenants/pets/documents", json=body).status_code == 201
        yield client


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Opens pages of a server; fails the test if one of them reports an error."""
    errors: list[str] = []
    contexts = []

    def open_it(client: httpx.Client, path: str = "/", *, errors_expected: bool = False, **settings: object) -> Page:
        context = browser.new_context(base_url=str(client.base_url), **settings)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        if not errors_expected:
            page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto(path)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert errors == []


def ask(page: Page, question: str) -> None:
    """Ask a question on the page, and wait for the whole answer."""
    page.get_by_label("question").fill(question)
    page.keyboard.press("Enter")
    expect(page.locator(".turn").last).to_have_attribute("aria-busy", "false")
