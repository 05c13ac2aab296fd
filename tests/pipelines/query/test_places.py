"""Places that answer where something is."""

import time

import pytest

from pipelines.query.places import asks_where, tells_where
from pipelines.query.question_types import names_new


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Where is the spare key?", "It hangs behind the lamp in the shed."),
        ("Where is the spare key?", "on the third hook"),
        ("Where are the charts kept?", "They lie in the captain's drawer."),
        ("Where are the defaults?", "/etc/ebb.conf holds them."),
        ("Where are the defaults?", "~/.ebb comes first."),
        ("Where is the log written?", "It goes to logs/ebb.log by default."),
        ("Where are the logs?", "C:\\ebb\\logs has them."),
        ("Where do I send the form?", "Send it to pier@ebb.example."),
        ("Where do I find the tide?", "see https://ebb.example"),
        ("Where can I switch it off?", "Open it, then clear the box on the lamps tab."),
    ],
)
def test_a_place_answers_where_without_a_name(question: str, text: str) -> None:
    assert asks_where(question)
    assert tells_where(text, question)
    assert names_new("name", text, question)


@pytest.mark.parametrize(
    "text",
    [
        "The key is made of brass.",
        "It opens in the morning and/or at night.",
        "Half of them, 1/2, are there 24/7.",
        "The key to the shed is new.",
    ],
)
def test_other_texts_tell_no_place(text: str) -> None:
    assert not tells_where(text, "Where is the key to the shed?")


@pytest.mark.parametrize("question", ["Where was Ida Holm born?", "Where do terns come from?", "Who keeps the key?"])
def test_a_name_is_wanted_all_the_same(question: str) -> None:
    assert not asks_where(question)
    assert not names_new("name", "behind the lamp in the shed", question)


@pytest.mark.parametrize("text", ["in a ", "a/", "/a", "a.", "a-", "in a-a-", "../", "@a"])
def test_long_texts_take_linear_time(text: str) -> None:
    began = time.process_time()
    tells_where(text * 20_000, "Where?")
    assert time.process_time() - began < 5
