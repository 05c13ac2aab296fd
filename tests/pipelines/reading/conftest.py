"""What the tests of readers share."""

from collections.abc import Iterator

import pytest

from tests.pipelines.reading.ocr.ocr_cases import opened


@pytest.fixture
def closed() -> Iterator[None]:
    """Closes what a test opened to read pages."""
    yield
    while opened:
        opened.pop().close()
