from time import process_time

import pytest

from pipelines.components.sparse import Bm25Encoder
from pipelines.profile.sections.retrieval import SparseSection
from pipelines.query.spelling import Spelling

TERMS = Bm25Encoder(SparseSection()).terms
SPELLING = Spelling("english", TERMS)
DOCUMENTS = TERMS(
    "A container of herrings is landed at the harbour. Kubelets reef the halyard. The quay, located here, is allocated."
    " Berths are located there."
)


def rarity(word: str) -> float:
    return 1.0 if TERMS(word) & DOCUMENTS else 0.0


@pytest.mark.parametrize(
    ("question", "corrected"),
    [
        ("What is a conatiner?", "What is a container?"),
        ("Which harbuor has berhts?", "Which harbour has berths?"),
        ("Where is the hallyard, the halyrd?", "Where is the halyard, the halyard?"),
        ("Conatiner of what?", "Container of what?"),
        ("It leaks. Conatiner or halyrd?", "It leaks. Container or halyard?"),
        ('"Conatiner": is it landed?', '"Container": is it landed?'),
        ("One question: Hallyard or quay?", "One question: Halyard or quay?"),
        ("What Is A Conatiner?", "What Is A Container?"),
        ("How to Reef the Halyrd at the Quay", "How to Reef the Halyard at the Quay"),
        ("Does Bert need a conatiner?", "Does Bert need a container?"),
        ("What is a kubleet?", "What is a kubelet?"),
        ("What is a halyarn?", "What is a halyard?"),
        ("What is Halyrd?", "What is Halyard?"),
        ("Who is Ann Kubleet?", "Who is Ann Kubelet?"),
        ("What does KubeLte do?", "What does Kubelet do?"),
        ("What do kubellets do?", "What do kubelets do?"),
        ("Is it ocntainer?", "Is it container?"),
        ("Where are boats alocated?", "Where are boats allocated?"),
    ],
)
def test_a_slip_is_corrected_to_a_word_of_the_documents(question: str, corrected: str) -> None:
    assert SPELLING.corrected(question, rarity) == corrected


@pytest.mark.parametrize(
    "question",
    [
        "Which containers are landed?",
        "Which retainers are landed?",  # a word, though the documents lack it
        "What does a barrel of weather cost?",
        "Who is Bert, and what is a quai?",  # short
        "Is conatiner_name set in /conatiner/x, conatiner.yaml or --conatiner?",
        "CONATINER",
        "WHAT IS A CONATINER?",
        "What is Zanzibarium?",
        "Who is Ann Halyarn?",
        "Is Dr. Halyarn here, in the berths?",
        "Are there berths for Halyarn, and a container?",
        "Halyarn is a name; is Halyarn located here?",
        "What is a kontainer, or a xcontainer?",
        "",
    ],
)
def test_nothing_else_is_corrected(question: str) -> None:
    assert SPELLING.corrected(question, rarity) == question


def test_a_capital_tells_no_name_where_all_nouns_have_one() -> None:
    german = Bm25Encoder(SparseSection(language="german")).terms
    documents = german("Der Hafen hat Lagerhallen.")
    asked = Spelling("german", german).corrected(
        "Wo sind die Lagerhalllen?", lambda word: 1.0 if german(word) & documents else 0.0
    )
    assert asked == "Wo sind die Lagerhallen?"


def test_without_a_dictionary_nothing_is_corrected() -> None:
    def never(word: str) -> float:
        raise AssertionError(word)

    assert Spelling("finnish", TERMS).corrected("What is a conatiner?", never) == "What is a conatiner?"


def test_a_known_word_is_asked_for_once() -> None:
    asked: list[str] = []
    spelling = Spelling("english", TERMS)

    def noted(word: str) -> float:
        asked.append(word)
        return rarity(word)

    for _ in range(2):
        spelling.corrected("Which container is landed?", noted)
    assert sorted(asked) == ["container", "landed"]


def test_a_long_message_takes_little_time() -> None:
    started = process_time()
    SPELLING.corrected("conatiner halyrd " * 20_000, rarity)
    SPELLING.corrected("a" * 100_000, rarity)
    assert process_time() - started < 10
