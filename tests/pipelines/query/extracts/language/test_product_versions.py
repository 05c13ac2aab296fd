from dataclasses import replace

import pytest

from pipelines.query.extracts.language.product_versions import lacks_past_release, lacks_version, line_of_version
from pipelines.query.extracts.mismatch import is_off_subject
from tests.pipelines.query.extracts.drafts import extract

_ROW = "Version: 3.0.0; Release date: 2024-05-17; Compiler: 6, 7"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When will Ebbmoor 6 be released?", _ROW),
        ("Which compilers did ebbmoor 7 support?", _ROW),
        ("What does Ebbmoor 2 need?", "Ebbmoor v4 needs a compass."),
        ("What does Ebbmoor 2 need?", "Since version 12 a compass is needed, since 1.x a chart."),
    ],
)
def test_another_version_of_the_product_is_something_else(question: str, text: str) -> None:
    assert lacks_version(question, f"Ebbmoor: {text}", "Ebbmoor")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When was Ebbmoor 3 released?", _ROW),
        ("What does Ebbmoor 2 need?", "Ebbmoor 2 needs a compass, as version 1 did."),
        ("What does Ebbmoor/2 need?", "Ebbmoor/2 needs a compass, as version 1 did."),
        ("What does Ebbmoor 2 weigh?", "It weighs 4.5 kg."),
        ("What does Ebbmoor 2 need?", "On 14.03.2021 a compass was added."),
        ("What does Ebbmoor 2 need?", "It asks 10.4.0.7 for the tide."),
        ("Does it sail with Flood 2?", _ROW),
        ("What does step 2 of Ebbmoor do?", _ROW),
        ("Does Ebbmoor carry 2 boats?", _ROW),
    ],
)
def test_the_same_version_and_other_numbers_are_not(question: str, text: str) -> None:
    assert not lacks_version(question, f"Ebbmoor: {text}", "Ebbmoor")


def test_a_row_of_another_version_is_off_the_subject() -> None:
    row = extract(_ROW)
    row = replace(row, hit=replace(row.hit, title="Ebbmoor"))
    assert is_off_subject("When will Ebbmoor 6 be released?", row)
    assert not is_off_subject("When was Ebbmoor 3 released?", row)


@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("Which chart did Ebbmoor 0.7 use?", "Ebbmoor uses the chart of 2030, and no paper.", True),
        ("How many boats could there be in Ebbmoor 1.2?", "New in Ebbmoor 1.21: there may be 40.", True),
        ("Which chart did Ebbmoor 0.7 use?", "Until 0.7, a paper chart was used.", False),
        ("Which release dropped Flood 2.2?", "Ebbmoor needs Flood 3.9 and newer.", True),
        ("Which release dropped Flood 2.2?", "Ebbmoor 5 does without Flood 2.2.", False),
        ("Which chart does Ebbmoor 0.7 use?", "Ebbmoor uses the chart of 2030.", False),
        ("Which chart did the harbour use?", "The chart of 2030.", False),
    ],
)
def test_what_was_so_in_a_release_is_told_where_that_is_named(question: str, text: str, lacks: bool) -> None:
    assert lacks_past_release(question, text) == lacks


@pytest.mark.parametrize(
    ("names", "line"),
    [
        (["5.x", "4.x"], "4.x"),
        (["4.0.0", "5.0.0"], "4.0.0"),
        (["v4.0", "v5.0"], "v4.0"),
        (["4.0.0", "4.1.0"], ""),
        (["4.2.0", "5.0.0"], ""),
        (["40.0.0", "1.4.0"], ""),
    ],
)
def test_the_first_release_stands_for_its_line_where_it_has_no_other(names: list[str], line: str) -> None:
    assert line_of_version("When does Ebbmoor 4 end?", names) == line
