"""Changes of a profile at work."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.errors import InvalidRequest
from pipelines.profile.overrides import apply_changes, merge_changes
from pipelines.profile.schema import Profile


def test_changes_lie_over_the_profile() -> None:
    profile = apply_changes(Profile(), {"chunking": {"size": 300}, "store": {"hnsw": {"m": 8, "ef_construct": 64}}})
    assert (profile.chunking.size, profile.chunking.overlap) == (300, 64)
    assert profile.store.hnsw.m == 8
    assert apply_changes(Profile(), {}) == Profile()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"chunkin": {"size": 1}}, 'did you mean "chunking"'),
        ({"chunking": {"splitter": "markdown"}}, "chunking -> splitter: cannot be changed at run time"),
        ({"chunking": {"overlap": 100}}, "chunking -> overlap"),
        ({"embedding": {"quantize": "int4"}}, "embedding -> quantize"),
        ({"store": {"hnsw": {"m": 1}}}, "store -> hnsw -> m"),
    ],
)
def test_an_invalid_override_is_refused_by_its_path(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidRequest, match=said):
        apply_changes(Profile(), changes)


def test_later_changes_count() -> None:
    assert merge_changes({"chunking": {"size": 1, "overlap": 0}}, {"chunking": {"size": 2}, "store": {}}) == {
        "chunking": {"size": 2, "overlap": 0},
        "store": {},
    }
