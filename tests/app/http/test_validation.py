from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import Field

from app.http.errors import MalformedRequest
from app.http.validation import StrictBody, validated
from pipelines.errors import Problem


class _Inner(StrictBody):
    content: str


class _Asked(StrictBody):
    query: str = Field(min_length=1, max_length=9)
    top_k: int | None = Field(default=None, gt=0)
    mode: Literal["hybrid", "dense"] = "hybrid"
    share: float = Field(default=0.0, ge=0, le=1)
    parts: list[_Inner] = Field(default_factory=list, min_length=1, max_length=2)
    fast: bool = False
    filters: dict[str, int] | None = None


def _problems(body: Any) -> tuple[Problem, ...]:
    with pytest.raises(MalformedRequest) as caught:
        validated(_Asked, body)
    return caught.value.problems


def test_what_fits_is_taken() -> None:
    assert (
        validated(_Asked, {"query": "a", "top_k": 3, "share": 1, "parts": [{"content": "b"}]}).parts[0].content == "b"
    )


def test_unknown_keys_are_named_with_the_nearest_known_one() -> None:
    message = "unknown key, known are query, top_k, mode, share, parts, fast, filters"
    expected = (Problem("topk", message, "top_k"), Problem("zzz", message))
    assert _problems({"query": "a", "topk": 3, "zzz": 1}) == expected


def test_unknown_keys_inside_have_their_whole_path() -> None:
    problem = Problem("parts -> 1 -> contnt", "unknown key, known are content", "content")
    assert _problems({"query": "a", "parts": [{"content": "b"}, {"contnt": "c"}]}) == (problem,)


def test_a_missing_key_is_named() -> None:
    assert _problems({}) == (Problem("query", "must be given"),)


def test_a_word_outside_a_closed_set_is_answered_with_the_set() -> None:
    assert _problems({"query": "a", "mode": "hybird"}) == (Problem("mode", "must be one of hybrid, dense", "hybrid"),)


@pytest.mark.parametrize(
    ("key", "value"), [("query", 3), ("top_k", "3"), ("top_k", 3.5), ("top_k", True), ("share", "1"), ("parts", {})]
)
def test_a_value_of_another_type_is_never_converted(key: str, value: object) -> None:
    assert [problem.path for problem in _problems({"query": "a", key: value})] == [key]


@pytest.mark.parametrize("body", [[], "a", 3, None])
def test_a_body_that_is_not_an_object_is_refused(body: object) -> None:
    assert _problems(body) == (Problem("", "must be a JSON object"),)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("query", 3, "must be text"),
        ("query", "", "must not be empty"),
        ("query", "a" * 10, "must have at most 9 characters"),
        ("top_k", "3", "must be a whole number"),
        ("top_k", 3.5, "must be a whole number"),
        ("top_k", 0, "must be over 0"),
        ("share", "1", "must be a number"),
        ("share", -1, "must be at least 0"),
        ("share", 2, "must be at most 1"),
        ("parts", {}, "must be a list"),
        ("parts", [], "must not be empty"),
        ("parts", [{"content": "a"}] * 3, "must have at most 2 items"),
        ("fast", 1, "must be true or false"),
        ("filters", [], "must be a JSON object"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_in_plain_words(key: str, value: object, message: str) -> None:
    assert _problems({"query": "a", key: value}) == (Problem(key, message),)
