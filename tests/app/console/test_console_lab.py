"""The tabs Search lab and Health in a real browser."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.app.console.conftest import Open
from tests.app.running import Serve

pytestmark = pytest.mark.browser

KEYED = """
tenant: vault
jobs: {run: worker}
auth: {keys: [{name: look, secret: "${VAULT_READER}", role: reader}]}
"""


def search(page: Page, query: str) -> None:
    page.get_by_role("searchbox", name="Query").fill(query)
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("region", name="Results")).to_be_visible()


def passages(page: Page) -> list[str]:
    return page.locator(".ranks .snippet").all_inner_texts()


def test_the_lab_shows_the_ranks_of_every_leg(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets, "/console/#/pets/lab")
    search(page, "exercise of a collie")
    heads = page.locator(".ranks thead th").all_inner_texts()
    assert heads[:6] == ["Rank", "Passage", "Score", "Meaning", "Words", "Fused"]
    found = pets.post("/tenants/pets/search", json={"query": "exercise of a collie", "top_k": 20}).json()["results"]
    first = page.locator(".ranks tbody tr").first
    expect(first).to_contain_text(f"{found[0]['scores']['sparse']['score']:.3f}".rstrip("0"))
    expect(first).to_contain_text(found[0]["title"])


def test_one_leg_can_be_searched_alone(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets, "/console/#/pets/lab")
    page.get_by_label("Legs").select_option("sparse")
    search(page, "ragdoll")
    heads = page.locator(".ranks thead th").all_inner_texts()
    assert "Words" in heads
    assert "Meaning" not in heads
    expect(page.get_by_role("slider")).to_have_count(0)


def test_other_weights_change_the_order_of_results(pets: httpx.Client, open_page: Open) -> None:
    query = "collie exercise and how much a cat plays"
    found = pets.post("/tenants/pets/search", json={"query": query, "top_k": 20}).json()["results"]
    page = open_page(pets, "/console/#/pets/lab")
    search(page, query)
    for weight, leg in (("1", "dense"), ("0", "sparse")):
        page.get_by_role("slider").fill(weight)
        expect(page.locator(".weights code")).to_have_text(f"dense_weight: {weight}")
        best = max((hit for hit in found if leg in hit["scores"]), key=lambda hit: hit["scores"][leg]["score"])
        assert passages(page)[0] == best["content"].splitlines()[-1]  # without the headings before it
    page.get_by_role("button", name="As searched").click()
    assert passages(page)[0] == found[0]["content"].splitlines()[-1]


def test_a_missing_document_is_explained(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets, "/console/#/pets/lab")
    page.get_by_role("button", name="Narrow").click()
    page.locator("fieldset", has_text="species").get_by_label("cat").check()
    search(page, "exercise")
    page.get_by_label("Its id").fill("collie.md")
    page.get_by_role("button", name="Explain").click()
    explained = page.locator(".explain [role=status]")
    expect(explained).to_contain_text("The search does not show it: dropped by filter")
    expect(explained).to_contain_text("To let it in")


def test_an_explanation_names_the_steps_as_the_results_do(pets: httpx.Client, open_page: Open) -> None:
    page = open_page(pets, "/console/#/pets/lab")
    search(page, "exercise of a collie")
    page.get_by_label("Its id").fill("collie.md")
    page.get_by_role("button", name="Explain").click()
    steps = page.locator(".explain tbody td:first-child")
    expect(steps.first).to_be_visible()
    assert steps.all_inner_texts()[:3] == page.locator(".ranks thead th").all_inner_texts()[3:6]
    expect(steps.last).to_have_text("Result")
    assert page.get_by_label("Legs").locator("option").all_inner_texts()[2:] == ["Meaning", "Words"]


def test_health_shows_figures_and_unanswered_questions(pets: httpx.Client, open_page: Open) -> None:
    question = "Which treaty ended the Thirty Years' War?"
    assert pets.post("/tenants/pets/query", json={"question": question}).json()["abstained"]
    page = open_page(pets, "/console/#/pets/health")
    expect(page.locator(".tile", has_text="documents")).to_contain_text("2")
    expect(page.get_by_role("img", name="How long answers took")).to_be_visible()
    expect(page.get_by_role("img", name="How sure answers were")).to_be_visible()
    expect(page.get_by_role("row", name=question).first).to_contain_text("low confidence")


def test_health_without_an_admins_key_says_what_is_missing(
    serve: Serve, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULT_READER", "look-at-the-vault-now")
    page = open_page(serve(KEYED), "/console/#/vault/health", errors_expected=True)
    page.get_by_label("Key", exact=True).fill("look-at-the-vault-now")
    page.get_by_role("button", name="Continue").click()
    expect(page.locator(".tile", has_text="documents")).to_contain_text("0")
    expect(page.get_by_text("need an admin's key")).to_be_visible()
    page.get_by_role("link", name="Documents").click()
    expect(page.get_by_text("No documents yet.")).to_be_visible()
    expect(page.locator(".drop")).to_have_count(0)
