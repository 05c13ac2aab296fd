"""A page is named by what is printed on it, what is said in a recording by its time."""

from __future__ import annotations

import pytest

from pipelines.types.page_names import page_name


@pytest.mark.parametrize(
    ("number", "label", "name"),
    [
        (None, None, ""),
        (3, None, "page 3"),
        (3, "iv", "page iv"),
        (13, "12:31", "at 12:31"),
        (63, "1:02:31", "at 1:02:31"),
        (7, "123456:00:01", "at 123456:00:01"),
        (3, "2:1", "page 2:1"),
        (3, "12:31 b", "page 12:31 b"),
    ],
)
def test_a_page_has_a_name(number: int | None, label: str | None, name: str) -> None:
    assert page_name(number, label) == name
