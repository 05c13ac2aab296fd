"""Formatting and meaning of measures."""

from __future__ import annotations

_DECIMALS = {
    "chunks": 0,
    "ingest_seconds": 2,
    "chunks_per_second": 1,
    "query_p50_ms": 2,
    "query_p95_ms": 2,
    "answer_words": 1,
    "answer_p50_ms": 1,
    "answer_p95_ms": 1,
}

MEANINGS = {
    "ndcg@10": "how well the first ten documents are ordered, by grade and rank",
    "recall@10": "share of the relevant documents among the first ten",
    "recall@100": "share of the relevant documents among the first hundred",
    "mrr@10": "one over the rank of the first relevant document",
    "hit@1": "share of the questions whose first document is relevant",
    "hit@5": "share of the questions with a relevant document among the first five",
    "chunks": "what the documents were cut into",
    "ingest_seconds": "reading, cutting, embedding and indexing, once",
    "chunks_per_second": "of the same",
    "query_p50_ms": "half of the searches took no longer, embedding included; lower is better",
    "query_p95_ms": "nineteen of twenty searches took no longer; lower is better",
    "answer_hit_rate": "share of the answers that contain a gold answer",
    "token_f1": "words that the answer shares with the gold answer",
    "answer_words": "length of the answers given; neither more nor less is better",
    "citation_precision": "share of the quotes that stand word by word in their source",
    "abstention_auroc": "how well the confidence tells answerable questions from others; 0.5 is a guess",
    "calibration_error": "how far the confidence lies from the share that is right; lower is better",
    "calibration_chance": "the calibration error that exactly right confidences show on so many answers, on average",
    "answer_p50_ms": "half of the answers took no longer; lower is better",
    "answer_p95_ms": "nineteen of twenty answers took no longer; lower is better",
    "right": "share of the answerable questions that are answered right",
    "wrong": "share of the answerable questions that are answered, but not right",
    "missed": "share of the answerable questions that are declined",
    "declined": "share of the unanswerable questions that are declined",
    "right_lost": "share of the right answers that are withheld for want of confidence",
    "markup_shown": "share of the answers that show source markup",
    "cut_off": "share of the answers that end in a lead-in without what it leads into",
    "confidence_auroc": "how well the confidence tells right answers from others; 0.5 is a guess",
    "declinable": "share of the unanswerable questions declined by the threshold that costs 5 % of the right answers",
    "declinable_below": "that threshold",
    "aurc": "share that is wrong among the most confident answers, a mean over how many are kept; lower is better",
}


def figure(name: str, value: float, sign: str = "") -> str:
    """Format a measure's value; ``sign`` "+" always prints a sign, for differences."""
    return f"{value:{sign},.{_DECIMALS.get(name, 4)}f}"


def degraded_line(count: int, of: int) -> str:
    """Return a sentence on degraded answers, which measure another pipeline than the profile's; empty without any."""
    return f"{count} of {of} answers are without the profile's language model, which was not available" if count else ""


def are_shares(name: str) -> bool:
    """Return whether the measure's values lie in 0..1."""
    return name not in _DECIMALS
