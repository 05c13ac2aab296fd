"""Arguments are held against the schema of their tool, and nothing is looked up for it elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.components.tools import argument_flaw

QUERY = {"type": "object", "properties": {"query": {"type": "string", "minLength": 1}}, "required": ["query"]}
EITHER = {"type": "object", "anyOf": [{"properties": {"id": {"type": "string"}}, "required": ["id"]}, QUERY]}
REMOTE = {"type": "object", "properties": {"query": {"$ref": "http://127.0.0.1:9/schema.json"}}}
PATTERN = {"type": "object", "properties": {"query": {"type": "string", "pattern": r"^\p{L}+$"}}}
PATTERNS = {"type": "object", "patternProperties": {r"^\p{L}+$": {"type": "string"}}}
LOCAL = {"type": "object", "properties": {"query": {"$ref": "#/$defs/Q"}}, "$defs": {"Q": {"type": "string"}}}


@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        (QUERY, {"query": "bed"}),
        (EITHER, {"id": "p1"}),
        (EITHER, {"query": "bed"}),
        (LOCAL, {"query": "bed"}),
        ({"type": "object"}, {}),
        ({**QUERY, "additionalProperties": True}, {"query": "bed", "more": 1}),
        (PATTERN, {"query": "bed"}),
        (PATTERNS, {"query": "bed"}),
        ({**PATTERNS, "additionalProperties": False}, {"query": "bed"}),
        ({**QUERY, "$schema": "http://json-schema.org/draft-07/schema#"}, {"query": "bed"}),
    ],
)
def test_arguments_that_match_the_schema_are_valid(schema: dict[str, Any], arguments: dict[str, Any]) -> None:
    assert argument_flaw(schema, arguments) is None


@pytest.mark.parametrize(
    ("schema", "arguments", "flaw"),
    [
        (QUERY, {}, "'query' is a required property"),
        (QUERY, {"query": ""}, "query: '' should be non-empty"),
        (QUERY, {"query": "bed", "more": 1}, "'more' was unexpected"),
        (EITHER, {"id": "p1", "more": 1}, "'more' was unexpected"),
        ({"type": "object"}, {"anything": 1}, "'anything' was unexpected"),
        (LOCAL, {"query": 1}, "query: 1 is not of type 'string'"),
        (REMOTE, {"query": "bed"}, "own schema is invalid"),
        ({"type": "nothing"}, {}, "own schema is invalid"),
        (QUERY, {"query": ["x" * 5000]}, "query: ['xxx"),
    ],
)
def test_invalid_arguments_are_reported_briefly(schema: dict[str, Any], arguments: dict[str, Any], flaw: str) -> None:
    found = argument_flaw(schema, arguments)
    assert found is not None
    assert flaw in found
    assert len(found) <= 300


def test_a_pattern_is_left_to_the_server_and_takes_no_time() -> None:
    endless = "^(a+)+$"
    schema = {"type": "object", "properties": {"query": {"pattern": endless}}, "patternProperties": {endless: {}}}
    assert argument_flaw(schema, {"query": "a" * 60 + "!", "a" * 60 + "!": 1}) is None


def test_a_key_named_pattern_is_an_argument_like_any_other() -> None:
    schema = {"type": "object", "properties": {"pattern": {"type": "string"}}}
    assert argument_flaw(schema, {"pattern": "bed"}) is None
    assert "not of type" in (argument_flaw(schema, {"pattern": 1}) or "")


def test_references_that_multiply_end() -> None:
    twice = {f"d{depth}": {"allOf": [{"$ref": f"#/$defs/d{depth + 1}"}] * 2} for depth in range(60)}
    schema = {"type": "object", "$ref": "#/$defs/d0", "$defs": {**twice, "d60": {}}}
    assert "own schema is invalid" in (argument_flaw(schema, {}) or "")
