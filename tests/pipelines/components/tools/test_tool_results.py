"""Results of tools as text: readable, quotable, and never more than may be."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.components.tools.results import ToolResult, tool_result


def parts(result: ToolResult) -> list[str]:
    return [result.text[part.start : part.end] for part in result.parts]


def test_the_objects_of_a_list_are_a_line_and_a_part_each() -> None:
    products = [
        {"name": "Bed", "price": 49.9, "brand": {"name": "Cozy", "since": 1990}, "tags": ["dog", "sleep"]},
        {"name": "Toy", "stock": False, "note": None, "more": "", "sizes": [{"cm": 10}, {"cm": 20}]},
    ]
    lines = [
        "name: Bed; price: 49.9; brand.name: Cozy; brand.since: 1990; tags: dog, sleep",
        "name: Toy; stock: false; sizes: (cm: 10), (cm: 20)",
    ]
    assert parts(tool_result(products, (), 8000)) == lines
    assert parts(tool_result({"result": products}, (), 8000)) == lines
    assert parts(tool_result({"total": 2, "products": products}, (), 8000)) == ["total: 2", *lines]
    assert parts(tool_result(None, ['[{"name": "Bed"}]'], 8000)) == ["name: Bed"]


def test_items_of_a_list_are_separate_parts() -> None:
    told_apart = tool_result({"cheap": [{"name": "Toy"}], "dear": [{"name": "Bed"}]}, (), 8000)
    assert parts(told_apart) == ["cheap: name: Toy", "dear: name: Bed"]


def test_structured_output_is_preferred_over_the_same_text() -> None:
    assert tool_result({"name": "Bed"}, ['{"name": "Bed"}'], 8000).text == "name: Bed"


@pytest.mark.parametrize(
    ("texts", "text"),
    [
        (["Two beds.", "One toy."], "Two beds.\n\nOne toy."),
        (["[not JSON"], "[not JSON"),
        (["zero\u200bwidth\x00 and half a \ud800 pair"], "zerowidth and half a ? pair"),
        ([], ""),
        (["[]"], ""),
        (["[" * 100_000], "[" * 8000),
    ],
)
def test_texts_are_kept_without_invisible_or_invalid_characters(texts: list[str], text: str) -> None:
    result = tool_result(None, texts, 8000)
    assert result.text == text
    assert "".join(parts(result)).replace("\n", "") == text.replace("\n", "")


def test_a_long_text_has_parts_that_end_at_sentences() -> None:
    text = "The bed costs 64.90 EUR today. " * 200
    result = tool_result(None, [text], 100_000)
    assert len(result.parts) == 5
    assert all(part.endswith(".") for part in parts(result))


def test_many_records_share_their_parts() -> None:
    result = tool_result([{"number": number} for number in range(100)], (), 8000)
    assert len(result.parts) == 20
    assert parts(result)[0] == "number: 0\n\nnumber: 1\n\nnumber: 2\n\nnumber: 3\n\nnumber: 4"


@pytest.mark.parametrize("most", [100, 1501, 1600, 5000])
@pytest.mark.parametrize("value", [[{"n": "x" * 90}] * 100, "A sentence that is said again. " * 300])
def test_a_truncated_result_is_marked_and_no_part_exceeds_it(value: Any, most: int) -> None:
    result = tool_result(value, (), most)
    assert (result.cut, len(result.text)) == (True, most)
    assert all(0 <= part.start < part.end <= most for part in result.parts)
    assert result.parts[-1].end > most - 100


@pytest.mark.parametrize("nothing", [{"result": None}, [None], {"result": [None, None]}])
def test_null_tells_nothing(nothing: Any) -> None:
    assert tool_result(nothing, ("null",), 8000) == ToolResult("", (), cut=False)
