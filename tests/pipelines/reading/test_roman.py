import pytest

from pipelines.reading.roman import roman


@pytest.mark.parametrize(("number", "written"), [(0, ""), (1, "i"), (4, "iv"), (48, "xlviii"), (1994, "mcmxciv")])
def test_a_number_is_written_with_signs(number: int, written: str) -> None:
    assert roman(number) == written
