"""A data set whose questions can name things otherwise than its documents do."""

from __future__ import annotations

from collections.abc import Mapping

from pipelines.evaluation.datasets import CorpusDocument, Dataset, Query

JARGON: Mapping[str, str] = {
    "laptop": "brick",
    "invoice": "feather",
    "meeting room": "aquarium",
    "parking permit": "cookie",
    "business trip": "picnic",
    "telephone": "banana",
    "office key": "whistle",
    "printer": "volcano",
    "contract": "carpet",
    "holiday": "kite",
}
"""What the documents call a thing, and what the people of the house call it."""
_RULES = {
    "ordered": "To get a new {thing}, fill in the form of the purchasing team.",
    "lost": "Whoever loses a {thing} tells the front desk on the same day.",
    "paid": "The cost of a {thing} is charged to the department.",
    "approved": "A {thing} has to be approved by the team leader.",
    "cancelled": "A {thing} that is not wanted any more is cancelled two days before.",
    "kept": "Records of every {thing} are kept for five years.",
}
_QUESTIONS = {
    "ordered": "How do I get a new {thing}?",
    "lost": "What do I do when I lose a {thing}?",
    "paid": "Who is charged for a {thing}?",
    "approved": "Who has to say yes to a {thing}?",
    "cancelled": "How do I give up a {thing} that I no longer want?",
    "kept": "For how long is it known that there was a {thing}?",
}


def house_rules(names: Mapping[str, str]) -> Dataset:
    """Sixty rules and a question for each, which calls things by ``names``, or as the rules do."""
    corpus, queries, qrels = [], [], {}
    for thing in JARGON:
        for rule, text in _RULES.items():
            key = f"{thing} {rule}"
            corpus.append(CorpusDocument(key, text.format(thing=thing)))
            queries.append(Query(f"q {key}", _QUESTIONS[rule].format(thing=names.get(thing, thing))))
            qrels[f"q {key}"] = {key: 1}
    return Dataset("house rules", tuple(corpus), tuple(queries), qrels)
