from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from pipelines.query.steps.clauses import insert_subject, split

NAMES = {"metformin", "ozempic", "jardiance", "sulfonylureas", "sglt2 inhibitors", "insulin"}


def complete(question: str, earlier: Sequence[str]) -> str:
    return f"{question} <" if earlier else question


def is_name(phrase: str) -> bool:
    return phrase.lower() in NAMES


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "What are the side effects of metformin and of sulfonylureas?",
            ["What are the side effects of metformin?", "What are the side effects of sulfonylureas?"],
        ),
        (
            "What is the difference between metformin and SGLT2 inhibitors in cardiovascular risk?",
            ["Cardiovascular risk of metformin?", "Cardiovascular risk of SGLT2 inhibitors?"],
        ),
        ("How do type 1 and type 2 diabetes differ?", ["What is type 1 diabetes?", "What is type 2 diabetes?"]),
        ("Compare sulfonylureas with insulin", ["What are sulfonylureas?", "What is insulin?"]),
        (
            "Does Ozempic cause more nausea than Jardiance?",
            ["Does Ozempic cause nausea?", "Does Jardiance cause nausea?"],
        ),
        ("What is X and how does it work?", ["What is X?", "How does it work? <"]),
        ("What is X? Who made it?", ["What is X?", "Who made it? <"]),
        (
            "Who pays the Harbor Agency and the Prairie Bureau?",
            ["Who pays the Harbor Agency?", "Who pays the Prairie Bureau?"],
        ),
        ("What about side effects? metformin", []),
        ("What is its dose and how is it taken? metformin", ["What is metformin's dose?", "How is it taken? <"]),
        ("What causes nausea and vomiting?", []),
        ("How does the search and replace tool work?", []),
        ("What is metformin?", []),
        ("metformin", []),
        ("?", []),
        ("", []),
    ],
)
def test_a_question_of_several_parts_is_split(question: str, parts: list[str]) -> None:
    assert split(question, complete, is_name) == parts


@pytest.mark.parametrize(
    ("question", "completed", "whole"),
    [
        ("How does it work?", "How does it work? metformin", "How does metformin work?"),
        ("What is its dose?", "What is its dose? metformin", "What is metformin's dose?"),
        ("Which drug is preferred?", "Which drug is preferred? women", "Which drug is preferred (women)?"),
        ("What is metformin?", "What is metformin?", "What is metformin?"),
    ],
)
def test_the_subject_stands_in_the_place_of_the_pronoun(question: str, completed: str, whole: str) -> None:
    assert insert_subject(question, completed) == whole


@pytest.mark.parametrize("question", ["What is it" + "\n" * 980 + "!", "Is it A and" + (" " + "1a" * 120) * 4 + "!"])
def test_a_question_of_blanks_or_digits_takes_no_time(question: str) -> None:
    began = time.thread_time()
    split(question, complete, is_name)
    assert time.thread_time() - began < 1


@pytest.mark.parametrize(
    "question",
    [
        "Does " + "a and " * 160 + "b",
        "compare " + "the the " * 120 + "and",
        "How do " + "a or " * 190 + "b differ from c",
    ],
)
def test_the_time_of_a_hostile_question_grows_with_its_length_alone(question: str) -> None:
    def took(asked: str) -> float:
        began = time.thread_time()
        split(asked, complete, is_name)
        return time.thread_time() - began

    longer = 8 * (question + " ")
    assert min(took(longer) for _ in range(3)) < 24 * min(took(question) for _ in range(3))
