"""The console for everybody: axe-core finds nothing serious, and a keyboard and a phone are enough."""

from __future__ import annotations

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.app.console.conftest import Open

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 860}
TABS = ("ask", "lab", "documents", "health")


def serious(page: Page) -> list[str]:
    page.emulate_media(reduced_motion="reduce")  # what fades in is measured when it has arrived
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html']} {one['nodes'][0]['failureSummary']}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def fill(page: Page, tab: str) -> None:
    """Bring a tab to where it shows most of what it has."""
    if tab == "ask":
        page.get_by_role("button", name="Narrow").click()
        page.get_by_label("question").fill("How much exercise does a Border Collie need?")
        page.keyboard.press("Enter")
        expect(page.locator(".turn")).to_have_attribute("aria-busy", "false")
        page.get_by_role("button", name="Not helpful").click()
        expect(page.get_by_text("Thank you.")).to_be_visible()
        for summary in page.locator(".answer summary").all():
            summary.click()
    elif tab == "lab":
        page.get_by_role("searchbox").fill("exercise")
        page.keyboard.press("Enter")
        expect(page.locator(".ranks")).to_be_visible()
        page.get_by_role("slider").fill("0.9")
    elif tab == "documents":
        expect(page.locator(".list")).to_be_visible()
        page.get_by_text("Metadata for these files").click()
        page.get_by_role("button", name="Add a field").click()
    else:
        expect(page.locator(".plots").first).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("tab", TABS)
def test_axe_finds_nothing_serious(
    pets: httpx.Client, open_page: Open, tab: str, scheme: str, size: dict[str, int]
) -> None:
    page = open_page(pets, f"/console/#/pets/{tab}", color_scheme=scheme, viewport=size)
    fill(page, tab)
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], "it scrolls sideways"


@pytest.mark.parametrize("section", ["Text", "Versions", "About"])
def test_axe_finds_nothing_serious_in_the_drawer(pets: httpx.Client, open_page: Open, section: str) -> None:
    page = open_page(pets, "/console/#/pets/documents")
    page.get_by_role("row", name="collie.md").get_by_role("button").click()
    page.get_by_role("button", name=section).click()
    expect(page.get_by_role("dialog").locator(".stage")).to_have_count(0)
    assert serious(page) == []


def test_an_answer_can_be_checked_by_keyboard_alone(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets)
    expect(page.get_by_label("question")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("question")).to_be_focused()
    page.keyboard.type("How much exercise does a Border Collie need?")
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_attribute("aria-busy", "false")
    page.locator("#main").focus()
    page.keyboard.press("Tab")
    expect(page.locator(".note").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").locator("mark")).to_be_in_viewport()


def test_the_chosen_theme_is_remembered(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets, color_scheme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    theme = page.get_by_role("button", name="Theme")
    theme.click()
    theme.click()
    assert page.evaluate(paper) != light
    page.reload()
    expect(theme).to_have_accessible_name("Theme: dark. Change")
    assert page.evaluate(paper) != light
