"""Windows of long prose."""

from itertools import pairwise

from pipelines.query.extracts.passages.windows import refers_back, windows
from pipelines.types import Span

PLAIN = [f"The clerk of the harbour wrote line {number} of the long report." for number in range(12)]


def shown(sentences: list[str]) -> list[str]:
    text = " ".join(sentences)
    return [text[window.start : window.end] for window in windows(text, Span(0, len(text)))]


def test_each_window_shares_a_sentence_with_the_next() -> None:
    found = shown(PLAIN)
    assert len(found) > 2
    assert all(second.startswith(first.split(". ")[-1]) for first, second in pairwise(found))
    assert all(len(one.split()) <= 60 for one in found)


def test_a_window_begins_with_the_sentence_that_its_first_one_speaks_of() -> None:
    second = next(number for number, said in enumerate(PLAIN) if shown(PLAIN)[1].startswith(said))
    told = [*PLAIN[:second], "This means that boats wait for the tide.", *PLAIN[second + 1 :]]
    assert shown(told)[1].startswith(f"{PLAIN[second - 1]} This means that boats wait for the tide.")


def test_a_remark_in_brackets_is_shown_behind_what_it_is_on() -> None:
    assert refers_back("(Note that this may change in the next season.)")
    assert not refers_back("(a) The first boat leaves.")
    assert not refers_back("(2) The second boat follows.")


def test_a_sentence_that_is_too_long_is_not_put_before_a_window() -> None:
    long = f"The report has {'many and many ' * 35}lines."
    found = shown([long, "This means that boats wait.", *PLAIN])
    assert found[1].startswith("This means that boats wait.")


def test_sentences_that_all_speak_of_the_one_before_are_no_endless_window() -> None:
    told = ["It was so that the harbour had a long day."] * 5_000
    assert max(len(one.split()) for one in shown(told)) <= 120
