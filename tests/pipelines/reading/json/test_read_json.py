"""JSON and JSON Lines: objects are sections of facts, lists of like objects tables."""

from __future__ import annotations

import pytest

from pipelines.errors import CorruptDocument, EmptyDocument
from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks


def text_of(content: str, name: str = "a.json") -> str:
    document = read(content, name=name)
    assert_blocks_fit(document)
    return document.text


def test_the_values_of_an_object_are_facts_and_what_is_nested_stands_below_its_key() -> None:
    document = read(
        '{"a": {"b": 1, "c": [1.50, 2, true]}, "d": null, "e": "x", "f": [], "g": {"h": null}}', name="a.json"
    )
    assert_blocks_fit(document)
    assert shown_blocks(document) == [
        ("row", 1, "e | x"),
        ("heading", 1, "a"),
        ("row", 1, "b | 1"),
        ("row", 1, "c | 1.50, 2, true"),
    ]


def test_a_list_of_objects_that_are_alike_is_a_table() -> None:
    ebb, gull = '{"name": "Ebb", "size": {"m": 9}, "has": ["radar", "oars"]}', '{"name": "Gull", "size": {"m": 4}}'
    boats = f'[{ebb}, {gull}, {{"name": "Tern"}}]'
    assert text_of(f'{{"v": 1, "boats": {boats}}}').splitlines()[2:] == [
        "boats",
        "",
        "name | size.m | has",
        "Ebb | 9 | radar, oars",
        "Gull | 4",
        "Tern",
    ]


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ('[{"id": 1, "a": 2}, {"b": 2}, "three"]', "- three\n\n1\n\nid | 1\na | 2\n\n2\n\nb | 2"),
        (
            '[{"name": "Ebb", "piers": [{"n": 1}]}, {"name": "Gull"}]',
            "Ebb\n\nname | Ebb\n\npiers\n\nn | 1\n\nGull\n\nname | Gull",
        ),
        ('[{"url": "x", "port": 1}]', "url | x\nport | 1"),
    ],
)
def test_other_objects_of_a_list_are_sections(records: str, expected: str) -> None:
    assert text_of(records) == expected


def test_a_long_value_is_a_text_and_a_long_list_has_items() -> None:
    long = "word " * 41
    assert text_of(f'{{"a": "{long}\\n\\nend", "b": ["{long}", "x"]}}') == (
        f"a\n\n{long.strip()}\n\nend\n\nb\n\n- {long.strip()}\n- x"
    )


def test_a_long_text_needs_no_heading_where_its_key_says_nothing() -> None:
    long = "word " * 41
    expected = ["Ebb", "title | Ebb", long.strip(), "tags", "a | 1"]
    record = f'{{"title": "Ebb", "tags": {{"a": 1}}, "text": "{long}"}}'
    assert text_of(f'[{record}, {{"b": [[{{"c": 1}}]]}}]').split("\n\n")[:5] == expected


def test_numbers_stay_as_they_are_written() -> None:
    assert text_of(f'{{"a": 1.10, "b": 1e5, "c": {"9" * 5000}}}') == f"a | 1.10\nb | 1e5\nc | {'9' * 5000}"


def test_a_title_at_the_top_is_the_title() -> None:
    assert read('{"title": "Rules", "name": "x"}', name="a.json").title == "Rules"
    assert read('{"title": {"en": "Rules"}}', name="a.json").title is None


def test_invalid_json_is_refused_with_the_place() -> None:
    with pytest.raises(CorruptDocument, match="line 2, column"):
        text_of('{"a": 1,\n b: 2}')


@pytest.mark.parametrize(
    ("escaped", "shown"),
    [
        (r"hi \ud83d there", "hi \ufffd there"),
        (r"hi \uDE00\ud83d", "hi \ufffd\ufffd"),
        (r"hi \u0000 there", "hi \ufffd there"),
        (r"hi \ud83d\ud83d\ude00", "hi \ufffd\U0001f600"),
        (r"hi \ud83d\ude00 there", "hi \U0001f600 there"),
        (r"hi \\ud83d and \\u0000", r"hi \ud83d and \u0000"),
        (r"hi \\\ud83d", "hi \\\ufffd"),
        (r"caf\u00e9 \"\u2014\"", 'café "\u2014"'),
    ],
)
def test_an_escape_that_cannot_be_stored_costs_no_more_than_itself(escaped: str, shown: str) -> None:
    assert text_of(f'{{"a": "{escaped}", "b": 1}}') == f"a | {shown}\nb | 1"
    assert text_of(f'{{"{escaped}": 1, "b": 2}}\n', "a.jsonl") == f"{shown} | 1\nb | 2"


def test_the_place_of_an_error_behind_such_an_escape_is_right() -> None:
    with pytest.raises(CorruptDocument, match="line 1, column 22"):
        text_of(r'{"a": "\ud83d", "b": x}')


@pytest.mark.parametrize("depth", [950, 5_000, 100_000])
def test_absurd_nesting_is_refused(depth: int) -> None:
    for content in ("[" * depth + "1" + "]" * depth, '{"a":' * depth + "1" + "}" * depth):
        with pytest.raises(CorruptDocument, match="nested too deeply"):
            text_of(content)


def test_a_structure_without_values_holds_no_text() -> None:
    with pytest.raises(EmptyDocument):
        text_of('{"a": [], "b": {"c": null}}')


def test_json_lines_are_read_like_a_list() -> None:
    assert text_of('{"a": 1, "b": {"c": "x"}}\r\n\n{"a": 2}', "a.jsonl") == "a | b.c\n1 | x\n2"
    assert text_of('{"title": "Ebb", "a": [{"b": 1}]}\n{"c": 2}', "a.jsonl").splitlines()[::2] == [
        "Ebb", "title | Ebb", "a", "b | 1", "2", "c | 2",
    ]  # fmt: skip


def test_a_bad_record_is_named_by_its_line() -> None:
    with pytest.raises(CorruptDocument, match=r"not a readable JSONL file: record on line 3: .*; mend it there"):
        text_of('{"a": 1}\n\n{"a": \n', "a.ndjson")


def test_records_of_json_lines_know_their_lines() -> None:
    assert [block.line for block in read('{"a": 1, "b": 2}\n\n{"a": 2}\n', name="a.jsonl").blocks] == [1, 1, 3]
    assert [block.line for block in read('{"a": 1}\n\n{"b": 2}\n', name="a.jsonl").blocks] == [1, 1, 3, 3]


def test_lines_of_a_value_stay_lines() -> None:
    assert (
        text_of('{"steps": "1. Open the door.\\n2. Turn the key."}') == "steps\n\n1. Open the door.\n2. Turn the key."
    )


def test_two_values_with_one_path_are_no_table() -> None:
    found = text_of('[{"a.b": 1, "a": {"b": 2}}, {"a.b": 3, "a": {"b": 4}}]').split()
    assert [word for word in found if word.isdigit()] == ["1", "1", "2", "2", "3", "4"]


def test_an_empty_record_is_an_empty_row() -> None:
    assert text_of('[{"a": 1, "b": 2}, {"a": null, "b": ""}, {"a": 3, "b": 4}]') == "a | b\n1 | 2\n3 | 4"


def test_what_is_no_number_stays_as_it_is_written() -> None:
    assert text_of('{"a": NaN, "b": -Infinity}') == "a | NaN\nb | -Infinity"


@pytest.mark.parametrize(
    "content",
    [
        '{"a":' * 400 + "[" + "null," * 200_000 + "1]" + "}" * 400,
        '[{"' + "k" * 200_000 + '": {' + ",".join(f'"a{n}": {n}' for n in range(20_000)) + '}}, {"b": 1}]',
    ],
)
def test_hostile_json_is_read_in_time_and_within_memory(content: str) -> None:
    assert_blocks_fit(read(content, name="a.json"))
