from time import process_time

import pytest

from pipelines.query.plain_question import plain_question, told_around


@pytest.mark.parametrize(
    ("message", "question"),
    [
        ("Hi, what is a lug sail?", "what is a lug sail?"),
        ("Hello! Could you please help me? Which sails are there? Thank you!", "Which sails are there?"),
        ("Good morning team, quick question - who may land here?", "who may land here?"),
        ("Hi, I am new to this. What is a lug sail?", "What is a lug sail?"),
        ("Thanks for your help! Which sails are there?", "Which sails are there?"),
        ("I have a question: how many berths are free?", "how many berths are free?"),
        ("Can you tell me what a lug sail is?", "what is a lug sail?"),
        ("I'd like to know how reefing works.", "how does reefing work?"),
        ("Could you explain what a cleat does?", "what does a cleat do?"),
        ('I don\u2019t understand what "reefed" means.', 'what does "reefed" mean?'),
        ("I was wondering whether two boats can share a berth", "can two boats share a berth?"),
        ("I want to know if I need a permit", "do I need a permit?"),
        ("Tell me how I can reef a sail.", "how can I reef a sail?"),
        ("Please explain to me how to reef a sail", "how to reef a sail?"),
        ("I need to know which sails a dinghy has.", "which sails a dinghy has?"),
        ("Please list all sails, thanks in advance!", "list all sails"),
        ("Please tell me: which sails are there?", "which sails are there?"),
        ("I would like to know are lug sails square", "are lug sails square?"),
        ("what is a lug sail", "what is a lug sail?"),
        ("Which sails are there, please?", "Which sails are there?"),
        ("What exactly is a lug sail?", "What is a lug sail?"),
        ("How can someone reef a sail?", "How can I reef a sail?"),
        ("How does one reef a sail?", "How do I reef a sail?"),
        ("How high is the mooring fee?", "How much is the mooring fee?"),
        ("How high is the board with the prices?", "How high is the board with the prices?"),
        ("What is a lug sail? I am from the mountains.", "What is a lug sail?"),
        ("Which sails are there.", "Which sails are there?"),
        ("Our club races on Sundays. What is a lug sail?", "What is a lug sail?"),
        ("We race on Sundays. What is a seed?", "What is a seed?"),
        ("We race on Sundays. What are fixed keels?", "What are fixed keels?"),
        ("Hi what is a lug sail?", "what is a lug sail?"),
        ("Hi list all sails", "list all sails"),
        ("Hello there\nLug sail", "Lug sail"),
        ("Hi - which sails are there?", "which sails are there?"),
        ("Thank you for your help can you list all sails?", "list all sails?"),
        ("Hey I need to know what a lug sail is", "what is a lug sail?"),
        ("Good morning I'd like to know what a cleat does", "what does a cleat do?"),
        ("Which sails are there please", "Which sails are there?"),
        ("What is it made of please", "What is it made of?"),
        ("What does reefed mean please?", "What does reefed mean?"),
        ("Which sails are there thank you", "Which sails are there?"),
        ("Where do I land, thanks", "Where do I land?"),
        ("Explain what a lease is and what a tenant is", "what a lease is and what a tenant is?"),
        ("Tell me what a lease does mean", "what a lease does mean?"),
        ("Tell me what the do loop does", "what does the do loop do?"),
        ("Tell me what the is operator does", "what does the is operator do?"),
        ("Tell me what the lug and the sail are", "what are the lug and the sail?"),
    ],
)
def test_the_question_of_a_message_is_put_plainly(message: str, question: str) -> None:
    assert plain_question(message) == question


@pytest.mark.parametrize(
    "message",
    [
        "What is a lug sail?",
        "Can you reef a lug sail?",
        "Can you give a seal herrings?",
        "Would you moor here in winter?",
        "So far, which boats have landed?",
        "Thanksgiving: is the harbour open?",
        "Our boat is old. What is its keel made of?",
        "We race on Sundays. What is the limit?",
        "We moor boats in winter. What is supported?",
        "We moor boats in winter. What is included in spring?",
        "We moor boats in winter. What is missing?",
        "Hi-Fi mode: how do I turn it on?",
        "Question-answering mode: how is it enabled?",
        "Thank you notes: who writes them?",
        "Hello World program: how do I run it?",
        "What is the meaning of please?",
        "What is the rule for saying thank you?",
        "What is the difference between please and thank you?",
        "Explain reefing",
        "What a boat!",
        "Is it new? I need it today.",
        "How is it rigged\n\nThe mast is high.",
        "lug sail",
        "Please",
        "Hello",
        "",
    ],
)
def test_other_messages_stay_as_they_are(message: str) -> None:
    assert plain_question(message) == message


def test_what_is_told_around_a_question_is_no_part_of_it() -> None:
    assert told_around("We race on Sundays. The boat is new. Which sails may be set?") == (
        "We race on Sundays. The boat is new.",
        "Which sails may be set?",
    )
    assert told_around("Which sails may be set? We race.") == ("We race.", "Which sails may be set?")
    for other in ("Which sails may be set?", "Is it new? Which sails may be set?", "We race. We win.", ""):
        assert told_around(other) is None


def test_hostile_messages_take_linear_time() -> None:
    started = process_time()
    for part in (
        "hi, ",
        "please ",
        "thanks! ",
        "can you please ",
        " , ",
        "if a b ",
        "question - ",
        "of please ",
        "a-b and what ",
        "what does ",
    ):
        plain_question(part * (1000 // len(part)))
        plain_question(part * 20_000)
    assert process_time() - started < 5
