"""Lists and tables that begin apart from what stands above them."""

import pytest

from pipelines.query.extracts.passages.passages import passages_of
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.drafts import hit, stored

LONG = "Stay with the boat. Never swim alone. Call for help."


def shown(above: str, kind: str) -> list[str]:
    def text(draft: Draft) -> None:
        draft.add(above, kind)
        draft.add("Water | Who may row", "header", level=1)
        draft.add("cold | adults", "row", level=1)

    written = stored(text)
    return [passage.shown for passage in passages_of([hit(written)], [written])]


@pytest.mark.parametrize(("above", "kind"), [("coxlog read", "code"), (LONG, "paragraph")])
def test_a_row_is_shown_without_code_or_prose_that_says_nothing_of_its_table(above: str, kind: str) -> None:
    found = shown(above, kind)
    assert "Water: cold; Who may row: adults" in found
    assert not any(above in one and "adults" in one for one in found)


def below_list(item: str, level: int) -> list[str]:
    def text(draft: Draft) -> None:
        draft.add("News of the club:")
        draft.add("- The jetty is open.", "item", level=1)
        draft.add(item, "item", level=1)
        draft.add("Course | Day", "header", level=level)
        draft.add("rowing | Monday", "row", level=level)

    written = stored(text)
    return [passage.shown for passage in passages_of([hit(written)], [written])]


def test_a_table_behind_a_list_begins_apart() -> None:
    found = below_list("- A new boat is here.", 1)
    assert "Course: rowing; Day: Monday" in found
    assert not any("jetty" in one and "rowing" in one for one in found)


@pytest.mark.parametrize(("item", "level"), [("- The courses are:", 1), ("- A new boat is here.", 2)])
def test_a_table_of_an_item_stays_with_its_list(item: str, level: int) -> None:
    assert any("jetty" in one and "rowing" in one for one in below_list(item, level))


@pytest.mark.parametrize("above", ["Who may row:", f"{LONG} The table says who may row.", "Who may row when."])
def test_what_leads_into_a_table_is_shown_above_it(above: str) -> None:
    assert any(one.startswith(above) and "adults" in one for one in shown(above, "paragraph"))


def table_with_title(above: str) -> list[str]:
    def text(draft: Draft) -> None:
        draft.add(above)
        draft.add("Depth of the quays", "caption", level=1)
        draft.add_table([["Quay", "Depth"], ["North", "4 m"], ["South", "6 m"]])

    written = stored(text)
    return [passage.shown for passage in passages_of([hit(written)], [written])]


@pytest.mark.parametrize("above", ["Oars lie in the loft.", "Is the gate locked? Ask the harbour master."])
def test_a_table_with_a_title_stands_apart_from_prose_that_says_nothing_of_it(above: str) -> None:
    found = table_with_title(above)
    assert above in found
    assert not any(above in one and "North" in one for one in found)
    assert any(one.startswith("Depth of the quays") and "North" in one for one in found)


@pytest.mark.parametrize("above", ["Mind the depth:", "The table says how deep it is.", "Here are all of the quays."])
def test_what_leads_into_a_table_with_a_title_is_shown_above_it(above: str) -> None:
    assert any(one.startswith(above) and "North" in one for one in table_with_title(above))
