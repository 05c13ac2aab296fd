"""How the console lays text out: from right to left, and beside long words."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.app.console.conftest import Open, ask

pytestmark = pytest.mark.browser

HEBREW = "# כלב רועים\n\nכלב הרועים הגרמני (German Shepherd) זקוק לשעתיים של פעילות ביום.\n"


def test_text_from_right_to_left_ends_at_the_left(pets: httpx.Client, open_page: Open) -> None:
    body = {"content": HEBREW, "source": "hebrew.md", "document_id": "hebrew.md"}
    assert pets.post("/tenants/pets/documents", json=body).status_code == 201
    page = open_page(pets)
    ask(page, "כמה פעילות כלב הרועים הגרמני צריך ביום?")
    for selector in (".question", ".prose", ".footnotes blockquote"):
        assert ends_at_the_left(page, selector), selector
    page.locator(".prose .note").first.click()
    expect(page.get_by_role("dialog").locator("mark")).to_be_in_viewport()
    assert ends_at_the_left(page, ".source .line:has(mark)")
    pets.delete("/tenants/pets/documents/hebrew.md")


def ends_at_the_left(page: Page, selector: str) -> bool:
    """Whether the last character of the text, its full stop or question mark, stands left of the first one."""
    return bool(
        page.locator(selector).first.evaluate("""(box) => {
          const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
          const places = [];
          for (let node; (node = walker.nextNode()); ) {
            for (let index = 0; index < node.length; index += 1) {
              if (!/[\\u0590-\\u05ff.?]/.test(node.data[index])) continue;
              const range = new Range();
              range.setStart(node, index);
              range.setEnd(node, index + 1);
              places.push(range.getBoundingClientRect());
            }
          }
          const line = places.filter((place) => Math.abs(place.top - places.at(-1).top) < 5);
          return line.length > 1 && line.at(-1).left < line[0].left;
        }""")
    )


def test_states_and_sizes_stay_on_one_line_beside_a_long_reason(pets: httpx.Client, open_page: Open) -> None:
    torn = {"file": ("torn.pdf", b"%PDF-1.4 torn")}
    pets.post("/tenants/pets/documents", files=torn)
    page = open_page(pets, "/console/#/pets/documents")
    page.locator(".reason").evaluate("reason => (reason.textContent = 'A very long reason. '.repeat(40))")
    badge = page.locator(".badge[data-state=failed]").first
    assert badge.evaluate("one => one.getClientRects().length === 1 && one.offsetHeight < 30")
    pets.delete("/tenants/pets/documents/torn.pdf")


def test_a_long_title_takes_two_lines_of_the_list(pets: httpx.Client, open_page: Open) -> None:
    title = "The minutes of the board, with all that was said. " * 10
    body = {"content": f"# {title}\n\nThe board met.", "source": "m" * 400, "document_id": "minutes"}
    assert pets.post("/tenants/pets/documents", json=body).status_code == 201
    page = open_page(pets, "/console/#/pets/documents", viewport={"width": 390, "height": 800})
    row = page.locator(".list tr", has_text="The minutes of the board")
    for part in (row.locator(".link"), row.locator("td:first-child > .fine")):
        assert part.evaluate("one => one.offsetHeight <= 2.2 * parseFloat(getComputedStyle(one).lineHeight)")
    pets.delete("/tenants/pets/documents/minutes")


def test_an_open_panel_of_filters_does_not_cover_the_answer(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets)
    ask(page, "How much play does a Ragdoll need?")
    page.get_by_role("button", name="Narrow").click()
    page.locator("fieldset", has_text="species").get_by_label("dog").check()
    ask(page, "How much exercise does a Border Collie need?")
    expect(page.get_by_role("button", name="Remove species: dog")).to_be_visible()
    expect(page.get_by_role("button", name="Narrow")).to_have_attribute("aria-expanded", "false")
    answer = page.locator(".turn").last.locator(".prose")
    expect(answer).to_be_in_viewport()
    assert answer.evaluate("""(one) => {
      const box = one.getBoundingClientRect();
      return one.contains(document.elementFromPoint(box.left + 5, box.top + box.height / 2));
    }""")


def test_an_answer_that_is_declined_is_not_called_a_quote(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets)
    ask(page, "Which treaty ended the Thirty Years' War?")
    expect(page.locator(".answer-facts")).to_contain_text("Confidence in the best guess")
    expect(page.locator(".answer-facts")).not_to_contain_text("quoted word for word")


def test_the_questions_of_health_fit_a_narrow_phone(pets: httpx.Client, open_page: Open) -> None:
    assert pets.post("/tenants/pets/query", json={"question": "Who won the world cup?"}).json()["abstained"]
    page = open_page(pets, "/console/#/pets/health", viewport={"width": 320, "height": 640})
    expect(page.get_by_role("row", name="Who won the world cup?").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 320
