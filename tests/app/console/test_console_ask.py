"""The tab Ask in a real browser: answers with footnotes that open their source."""

from __future__ import annotations

import time

import httpx
import pytest
from playwright.sync_api import expect

from tests.app.console.conftest import Open, ask
from tests.app.running import Serve
from tests.fakes.ollama import ollama_server
from tests.pipelines.reading.picture_files import image, word_file
from tests.pipelines.reading.reader_files import pdf

pytestmark = pytest.mark.browser

QUESTION = "How much exercise does a Border Collie need?"
FACT = "A Border Collie needs two hours of exercise a day."
KEYED = """
tenant: vault
jobs: {run: worker}
auth: {keys: [{name: look, secret: "${VAULT_READER}", role: reader}]}
"""
WITH_MODEL = """
tenant: model
jobs: {run: worker}
llm: {provider: ollama, model: MODEL, base_url: "URL", fallback: error}
"""
HOSTILE = "<img src=x onerror=\"document.title='owned'\"> A griffin eats two <script>apples</script> a day."


def test_an_answer_has_footnotes_and_shows_its_confidence(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets)
    expect(page.get_by_role("heading", name="Ask Pets")).to_be_visible()
    ask(page, QUESTION)
    expect(page.locator(".prose")).to_contain_text("two hours of exercise")
    expect(page.locator(".footnotes blockquote").first).to_contain_text(FACT)
    expect(page.locator(".sureness")).to_contain_text("Confidence")
    expect(page.get_by_role("status").last).to_contain_text("Answer with 1 footnote")


def test_a_footnote_shows_its_quote_on_focus_and_opens_its_source_there(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets)
    ask(page, QUESTION)
    note = page.locator(".prose .note").first
    note.focus()
    expect(page.locator(".note-card")).to_contain_text(FACT)
    page.keyboard.press("Escape")
    expect(page.locator(".note-card")).to_have_count(0)
    note.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Border Collie")
    expect(dialog.locator("mark")).to_be_in_viewport()
    assert dialog.locator("mark").inner_text().removeprefix("\U0001f415 ") == FACT
    expect(dialog).to_contain_text("Brush a Border Collie")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(note).to_be_focused()


def test_a_follow_up_continues_the_conversation(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets)
    ask(page, QUESTION)
    ask(page, "How often should I brush it?")
    expect(page.locator(".turn").last.locator(".prose")).to_contain_text("twice a week")
    expect(page.locator(".turn").last).to_contain_text("understood as")
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator(".turn")).to_have_count(0)


def test_an_unanswerable_question_is_declined_with_the_reason(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets)
    ask(page, "Which treaty ended the Thirty Years' War?")
    expect(page.locator(".declined")).to_be_visible()
    expect(page.locator(".why")).to_have_text(
        "The closest passages are listed below; none answers the question well enough."
    )
    expect(page.locator(".footnotes")).to_have_count(0)
    assert "Border Collie\n" not in page.locator(".sources p").all_inner_texts()[0]
    expect(page.locator(".sources p").filter(has_text=FACT)).to_have_count(1)


def test_filters_narrow_a_question_and_clear_with_one_press(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets)
    page.get_by_role("button", name="Narrow").click()
    page.locator("fieldset", has_text="species").get_by_label("cat").check()
    expect(page.get_by_role("button", name="Remove species: cat")).to_be_visible()
    ask(page, QUESTION)
    expect(page.locator(".turn")).not_to_contain_text("two hours of exercise")
    page.get_by_role("button", name="Remove species: cat").click()
    ask(page, QUESTION)
    expect(page.locator(".turn").last.locator(".prose")).to_contain_text("two hours of exercise")


def test_copying_an_answer_includes_its_citations(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets)
    ask(page, QUESTION)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(page.evaluate("document.querySelector('.prose').innerText").split("\n")[0][:20])
    assert f"{FACT}”" in copied
    assert "collie.md" in copied


def test_feedback_is_stored_with_the_wrong_footnotes(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets)
    ask(page, QUESTION)
    page.get_by_role("button", name="Not helpful").click()
    expect(page.get_by_text("Thank you.")).to_be_visible()
    page.get_by_label("1. Border Collie").check()
    page.get_by_label("Comment").fill("Too short")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Sent. Thank you.")).to_be_visible()
    kept = pets.get("/tenants/pets/feedback").json()["feedback"][0]
    assert (kept["helpful"], kept["comment"]) == (False, "Too short")
    assert [one["number"] for one in kept["citations"] if one["correct"] is False] == [1]


def test_document_text_is_never_rendered_as_html(pets: httpx.Client, open_page: Open) -> None:
    body = {"content": f"Griffins\n\n{HOSTILE}", "document_id": "g.txt", "source": "g.txt", "title": "<b>Griffin</b>"}
    assert pets.post("/tenants/pets/documents", json=body).status_code == 201
    page = open_page(pets)
    ask(page, "What does a griffin eat a day?")
    expect(page.locator(".prose")).to_contain_text("A griffin eats two")
    page.locator(".prose .note").first.click()
    expect(page.get_by_role("dialog").locator("mark")).to_contain_text("<img src=x")
    expect(page.get_by_role("dialog")).to_contain_text("<b>Griffin</b>")
    assert page.locator("img").count() == 0
    assert page.title() == "Pets · Footnote"
    pets.delete("/tenants/pets/documents/g.txt")


def test_a_key_is_asked_for_and_used(serve: Serve, open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULT_READER", "look-at-the-vault-now")
    page = open_page(serve(KEYED), errors_expected=True)
    page.get_by_label("Key", exact=True).fill("wrong")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Key", exact=True).fill("look-at-the-vault-now")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="Ask")).to_be_visible()
    assert "look-at-the-vault-now" not in page.evaluate(
        "JSON.stringify(localStorage) + document.cookie + location.href"
    )


def test_a_footnote_of_a_pdf_opens_its_page_with_the_passage_marked(pets: httpx.Client, open_page: Open) -> None:
    content = pdf([["Contents", 30, "One: the okapi."], ["The okapi", 30, "An okapi browses forty kinds of leaves."]])
    answer = pets.post("/tenants/pets/documents", files={"file": ("okapi.pdf", content)})
    assert answer.status_code == 201
    page = open_page(pets)
    ask(page, "How many kinds of leaves does an okapi browse?")
    page.locator(".prose .note").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("img", name="Page 2")).to_be_visible()
    expect(dialog.get_by_role("status")).to_have_text("Page 2, passage marked")
    assert dialog.locator("img").evaluate("picture => picture.naturalWidth") > 800
    dialog.get_by_role("button", name="Previous").click()
    expect(dialog.get_by_role("img", name="Page 1")).to_be_visible()
    dialog.get_by_role("button", name="Text").click()
    expect(dialog.locator("mark")).to_contain_text("forty kinds of leaves")
    pets.delete("/tenants/pets/documents/okapi.pdf")


def served_with(serve: Serve, url: str, model: str) -> httpx.Client:
    client = serve(WITH_MODEL.replace("URL", url).replace("MODEL", model))
    body = {"content": "Beagles need 60 minutes of exercise a day.", "document_id": "b"}
    assert client.post("/tenants/model/documents", json=body).status_code == 201
    return client


def test_an_answer_of_a_model_shows_its_verdicts(serve: Serve, open_page: Open) -> None:
    with ollama_server(lambda asked: "Beagles need 60 minutes of exercise a day [1].") as fake:
        page = open_page(served_with(serve, fake.url, "m"))
        ask(page, "How much exercise does a beagle need?")
        expect(page.locator(".answer-facts")).to_contain_text("written by m")
        page.get_by_text("1 of 1 statement supported").click()
        expect(page.locator(".claims li")).to_contain_text("Supported by its footnote (1)")


def test_an_answer_can_be_stopped_while_the_model_writes(serve: Serve, open_page: Open) -> None:
    with ollama_server() as fake:
        page = open_page(served_with(serve, fake.url, "slow"))
        page.get_by_label("question").fill("How much exercise does a beagle need?")
        page.keyboard.press("Enter")
        expect(page.locator(".stage")).to_have_text("Reading 1 passage…")
        while not fake.asked:
            time.sleep(0.01)
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_role("alert")).to_have_text("Stopped.")
        assert fake.asked[0].gone.wait(30)


def test_a_failing_model_is_reported_and_can_be_asked_again(serve: Serve, open_page: Open) -> None:
    with ollama_server() as fake:
        page = open_page(served_with(serve, fake.url, "crash"))
        ask(page, "How much exercise does a beagle need?")
        expect(page.get_by_role("alert")).to_contain_text("Llm unavailable: the server's log says more")
        page.get_by_role("button", name="Ask again").click()
        expect(page.locator(".turn")).to_have_count(2)


def test_a_footnote_of_a_picture_shows_it_and_opens_it(serve: Serve, open_page: Open) -> None:
    with ollama_server(lambda asked: "A brass valve with a red handle.") as fake:
        client = serve(f"""
tenant: workshop
jobs: {{run: worker}}
pictures: {{keep: true, describe: llm}}
llm: {{provider: ollama, model: extract, base_url: "{fake.url}", fallback: extractive}}
""")
        content = word_file(["The valve is closed by hand.", (image(), "Valve of the boiler")])
        answer = client.post("/tenants/workshop/documents", files={"file": ("boiler.docx", content)})
        assert answer.status_code == 201, answer.text
    page = open_page(client)
    ask(page, "What does the valve of the boiler look like?")
    expect(page.locator(".footnotes .thumbnail").first).to_be_visible()
    expect(page.locator(".footnotes")).to_contain_text("written by extract")
    page.locator(".footnotes .link").first.click()
    shown = page.get_by_role("dialog").locator("img.page")
    expect(shown).to_have_js_property("naturalWidth", 240)
    page.get_by_role("button", name="Text").click()
    expect(page.get_by_role("dialog").locator("mark").filter(has_text="Picture 1")).to_be_in_viewport()
