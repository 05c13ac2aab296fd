from __future__ import annotations

import pytest

from pipelines.errors.sizes import readable_size, readable_sizes


@pytest.mark.parametrize(
    ("size", "read"),
    [(999, "999 bytes"), (1_900_000, "1.9 MB"), (100_000_000, "100 MB"), (1_234_000_000_000, "1,234 GB")],
)
def test_a_size_is_read_in_its_largest_unit(size: int, read: str) -> None:
    assert readable_size(size) == read


def test_a_size_just_over_its_limit_is_told_apart() -> None:
    assert readable_sizes(100_000_001, 100_000_000) == ("100,000,001 bytes", "100,000,000 bytes")
