import pytest

from pipelines.query.small_talk import small_talk_reply


@pytest.mark.parametrize(
    ("message", "begins"),
    [
        ("Hello!", "Hello!"),
        ("hi there", "Hello!"),
        ("Good morning, how are you?", "Hello!"),
        ("Thanks!", "You're welcome!"),
        ("ok, thank you so much 🙂", "You're welcome!"),
        ("Thanks for your help.", "You're welcome!"),
        ("Thanks, bye!", "Goodbye!"),
        ("ok", "Is there anything else"),
        ("OK, got it.", "Is there anything else"),
        ("Great! That\u2019s all", "Is there anything else"),
    ],
)
def test_a_message_that_asks_nothing_is_replied_to(message: str, begins: str) -> None:
    assert (small_talk_reply(message) or "").startswith(begins)


@pytest.mark.parametrize(
    "message",
    [
        "Hello, what is an edge?",
        "Thanks, and how long do they live?",
        "What does good morning mean?",
        "hello world",
        "Hi-fi",
        "okra",
        "ok, and cats?",
        "Great Danes",
        "I see spots",
        "Understood?",
        "thanks " * 20,
        "",
    ],
)
def test_whatever_else_a_message_says_is_a_question(message: str) -> None:
    assert small_talk_reply(message) is None
