"""JSON and JSON Lines: each value with the path to it."""

from __future__ import annotations

import pytest
from block_checks import assert_blocks_fit

from pipelines.errors import CorruptDocument, EmptyDocument
from pipelines.reading import read


def text_of(content: str, name: str = "a.json") -> str:
    document = read(content, name=name)
    assert_blocks_fit(document)
    return document.text


def test_each_value_stands_after_its_path() -> None:
    assert (
        text_of('{"a": {"b": 1, "c": [1.50, 2, true]}, "d": null, "e": "x", "f": []}')
        == "a.b: 1\na.c: 1.50, 2, true\ne: x"
    )


def test_each_record_of_a_list_is_a_paragraph() -> None:
    assert text_of('[{"id": 1, "name": "Ann"}, {"id": 2}, "three"]') == "id: 1\nname: Ann\n\nid: 2\n\nthree"
    assert (
        text_of('{"v": 1, "items": [{"a": 1}, {"a": 2}], "w": 2}') == "v: 1\n\nitems[0].a: 1\n\nitems[1].a: 2\n\nw: 2"
    )


def test_numbers_stay_as_they_are_written() -> None:
    assert text_of(f'{{"a": 1.10, "b": 1e5, "c": {"9" * 5000}}}') == f"a: 1.10\nb: 1e5\nc: {'9' * 5000}"


def test_a_title_at_the_top_is_the_title() -> None:
    assert read('{"title": "Rules", "name": "x"}', name="a.json").title == "Rules"
    assert read('{"title": {"en": "Rules"}}', name="a.json").title is None


def test_invalid_json_is_refused_with_the_place() -> None:
    with pytest.raises(CorruptDocument, match="line 2, column"):
        text_of('{"a": 1,\n b: 2}')


@pytest.mark.parametrize("depth", [5_000, 100_000])
def test_absurd_nesting_is_refused(depth: int) -> None:
    with pytest.raises(CorruptDocument, match="nested too deeply"):
        text_of("[" * depth + "]" * depth)


def test_a_structure_without_values_holds_no_text() -> None:
    with pytest.raises(EmptyDocument):
        text_of('{"a": [], "b": {"c": null}}')


def test_json_lines_are_a_paragraph_each() -> None:
    assert text_of('{"a": 1, "b": {"c": "x"}}\r\n\n{"a": 2}', "a.jsonl") == "a: 1\nb.c: x\n\na: 2"


def test_a_bad_record_is_named_by_its_line() -> None:
    with pytest.raises(CorruptDocument, match=r"not a readable JSONL file: record on line 3: .*; mend it there"):
        text_of('{"a": 1}\n\n{"a": \n', "a.ndjson")


def test_records_inside_a_record_belong_to_it() -> None:
    document = read('{"v": 1, "items": [{"a": 1}, {"b": {"c": [{"d": 2}]}}], "w": 2}', name="a.json")
    shown = [(block.level, document.text[block.span.start : block.span.end]) for block in document.blocks]
    assert shown == [(0, "v: 1"), (1, "items[0].a: 1"), (2, "items[1].b.c[0].d: 2"), (0, "w: 2")]


def test_records_of_json_lines_know_their_lines() -> None:
    assert [block.line for block in read('{"a": 1}\n\n{"a": 2}\n', name="a.jsonl").blocks] == [1, 3]
