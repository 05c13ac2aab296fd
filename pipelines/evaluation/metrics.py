"""Measures: rankings as in trec_eval, answers as in SQuAD, and the quality of a confidence."""

from __future__ import annotations

import math
import re
import string
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, compress
from statistics import fmean

from pipelines.errors import NotFound
from pipelines.types import Answer, Citation

_MEASURES = {
    "ndcg@10": "nDCG@10",
    "recall@10": "R@10",
    "recall@100": "R@100",
    "mrr@10": "RR@10",
    "hit@1": "Success@1",
    "hit@5": "Success@5",
}
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_LONGEST_CONTAINED = 20
"""Words of a gold answer that an answer can be expected to hold word by word; longer ones are essays."""
_SHORT = re.compile(r"[a-z]{1,3}")
"""A gold answer that stands inside many words: "no", "cat", "ige"."""
_ARTICLES = re.compile(r"\b(a|an|the)\b")

Content = Callable[[str, int], str]


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """An answer compared with the gold answers.

    An abstention is never right. ``answerable`` is False where the documents hold no answer; ``words`` counts without
    the citation numbers; of ``citations``, ``verbatim`` quote exactly what stands in the version they name.

    ``sound`` is what a confidence is held against: the answer is right or, where the gold answers are too long for any
    answer to contain one, it quotes a relevant document. ``signals`` are what the confidence was reckoned from.
    ``degraded`` is one that the profile's language model was to write, and could not.
    """

    answerable: bool
    abstained: bool
    confidence: float
    right: bool
    f1: float
    words: int
    citations: int
    verbatim: int
    sound: bool
    signals: Mapping[str, float] = field(default_factory=dict)
    degraded: bool = False


def score_rankings(
    qrels: Mapping[str, Mapping[str, int]], rankings: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, float]]:
    """Return the measures of each query that has a relevant document, by query id and name.

    nDCG has linear gain, as in trec_eval; recall is the share of the relevant documents that was found; a document is
    relevant from 1 up. ``rankings`` holds document ids, the best first. A query without a ranking scores 0 throughout.
    """
    import ir_measures  # noqa: PLC0415 - a tenth of a second that only an evaluation should pay

    judged = {query: _no_negatives(grades) for query, grades in qrels.items() if any(g > 0 for g in grades.values())}
    # trec_eval orders by score and breaks ties by document id, so the ranks become scores without ties.
    run = {query: falling_scores(rankings.get(query, ())) for query in judged}
    names = {ir_measures.parse_measure(measure): name for name, measure in _MEASURES.items()}
    scores: dict[str, dict[str, float]] = {query: dict.fromkeys(_MEASURES, 0.0) for query in judged}
    for result in ir_measures.iter_calc(list(names), judged, run):
        scores[result.query_id][names[result.measure]] = float(result.value)
    return scores


def mean_scores(scores: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of each measure over the queries; empty where there is none."""
    return {name: fmean(row[name] for row in scores.values()) for name in _MEASURES} if scores else {}


def falling_scores(ranking: Sequence[str]) -> dict[str, float]:
    """Return scores without ties that keep the order of a ranking: the last document has 1."""
    return {document: float(len(ranking) - rank) for rank, document in enumerate(ranking)}


def first_relevant(grades: Mapping[str, int], ranking: Sequence[str]) -> int | None:
    """Return the rank, from 1, of the first relevant document of a ranking; None where it holds none."""
    return next((rank for rank, document in enumerate(ranking, 1) if grades.get(document, 0) > 0), None)


def _no_negatives(grades: Mapping[str, int]) -> dict[str, int]:
    return {document: max(0, relevance) for document, relevance in grades.items()}


def normalise(text: str) -> str:
    """Return text as SQuAD's official script compares it: lower case, no ASCII punctuation, no articles, single
    spaces.
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def contains_gold(text: str, golds: Sequence[str]) -> bool:
    """Return whether any gold answer stands in the text, both normalised; one that normalises to nothing does not.

    A number stands there whole: "3" is not in "30". So does a short word, but for its plural: "no" is not in "know".
    """
    answer, words = normalise(text), normalise(text.replace("-", " "))
    return any(_stands_in(gold, words if _SHORT.fullmatch(gold) else answer) for gold in map(normalise, golds) if gold)


def _stands_in(gold: str, answer: str) -> bool:
    if _SHORT.fullmatch(gold):
        return re.search(rf"\b{gold}s?\b", answer, re.ASCII) is not None
    before, behind = (r"(?<!\d)" if gold[0].isdigit() else "", r"(?!\d)" if gold[-1].isdigit() else "")
    return re.search(f"{before}{re.escape(gold)}{behind}", answer) is not None


def token_f1(text: str, golds: Sequence[str]) -> float:
    """Return the best F1 of the text's words against any one gold answer, as SQuAD's official script counts it."""
    return max((_f1(normalise(text).split(), normalise(gold).split()) for gold in golds), default=0.0)


def _f1(given: Sequence[str], gold: Sequence[str]) -> float:
    if not given or not gold:
        return float(given == gold)
    shared = (Counter(given) & Counter(gold)).total()
    return 2 * shared / (len(given) + len(gold))


def judge_answer(
    answer: Answer, golds: Sequence[str], content: Content, relevant: Collection[str] = ()
) -> JudgedAnswer:
    """Compare an answer with the gold answers (none: the question is unanswerable), and its citations with the texts.

    ``content`` gives the stored text of a document's version; ``relevant`` names the documents that answer.
    """
    text = "" if answer.abstained else shown_text(answer)
    right = contains_gold(text, golds)
    return JudgedAnswer(
        answerable=bool(golds),
        abstained=answer.abstained,
        confidence=answer.confidence,
        right=right,
        f1=0.0 if answer.abstained else token_f1(text, golds),
        words=len(text.split()),
        citations=len(answer.citations),
        verbatim=sum(_is_verbatim(citation, content) for citation in answer.citations),
        sound=right or (not answer.abstained and _are_essays(golds) and _quotes(answer, relevant)),
        signals=dict(answer.signals),
        degraded=answer.degraded,
    )


def _are_essays(golds: Sequence[str]) -> bool:
    return bool(golds) and min(len(gold.split()) for gold in golds) > _LONGEST_CONTAINED


def _quotes(answer: Answer, documents: Collection[str]) -> bool:
    return any(citation.document_id in documents for citation in answer.citations)


def shown_text(answer: Answer) -> str:
    """Return the answer's text without its citation numbers: "[3]" would be found to contain the gold answer "3"."""
    numbers = "|".join(str(citation.number) for citation in answer.citations)
    return (
        re.sub(rf"\s*[\[【](?:{numbers})(?:\s*,\s*(?:{numbers}))*[\]】]", "", answer.text) if numbers else answer.text
    )


def _is_verbatim(citation: Citation, content: Content) -> bool:
    try:
        text = content(citation.document_id, citation.version)
    except NotFound:
        return False
    return bool(citation.quote) and text[citation.span.start : citation.span.end] == citation.quote


def answer_metrics(judged: Sequence[JudgedAnswer]) -> dict[str, float]:
    """Return the measures of the answers that can be measured.

    Hit rate and F1 are means over the answerable questions; words a mean over those of them that were answered;
    citation precision the share of all citations. The calibration error, what of it is left to chance, and the area
    under the risk-coverage curve are those of the answers given, to answerable questions and others: an abstention is
    neither right nor wrong.
    """
    answerable = [answer for answer in judged if answer.answerable]
    unanswerable = [answer for answer in judged if not answer.answerable]
    if not answerable:
        return {"declined": fmean(answer.abstained for answer in unanswerable)} if unanswerable else {}
    given = [answer for answer in judged if not answer.abstained]
    metrics = {
        "answer_hit_rate": fmean(answer.right for answer in answerable),
        "token_f1": fmean(answer.f1 for answer in answerable),
    }
    if words := [answer.words for answer in answerable if not answer.abstained]:
        metrics["answer_words"] = fmean(words)
    if citations := sum(answer.citations for answer in judged):
        metrics["citation_precision"] = sum(answer.verbatim for answer in judged) / citations
    if unanswerable:
        metrics["declined"] = fmean(answer.abstained for answer in unanswerable)
        metrics["abstention_auroc"] = auroc([a.confidence for a in judged], [a.answerable for a in judged])
    if given:
        confidences, sound = [a.confidence for a in given], [a.sound for a in given]
        metrics["calibration_error"] = calibration_error(confidences, sound)
        metrics["calibration_chance"] = calibration_chance(confidences)
        metrics["aurc"] = area_under_risk(confidences, sound)
    return metrics


def auroc(scores: Sequence[float], positive: Sequence[bool]) -> float:
    """Return the chance that a positive scores higher than a negative, ties counting half (the Mann-Whitney
    statistic).

    Both kinds must be present.
    """
    positives = sum(positive)
    rank_sum = sum(compress(_mid_ranks(scores), positive))
    return (rank_sum - positives * (positives + 1) / 2) / (positives * (len(scores) - positives))


def calibration_error(confidences: Sequence[float], right: Sequence[bool], bins: int = 10) -> float:
    """Expected calibration error: how far the confidence lies from the share that is right, a mean over bins.

    The bins hold equally many answers (Nguyen and O'Connor 2015), which estimates the true error with less bias than
    bins of equal width (Roelofs et al. 2022); equal confidences always share a bin. Values lie in 0..1.
    """
    gaps: defaultdict[int, float] = defaultdict(float)
    for place, confidence, correct in zip(calibration_bins(confidences, bins), confidences, right, strict=True):
        gaps[place] += confidence - correct
    return sum(map(abs, gaps.values())) / len(confidences)


def calibration_chance(confidences: Sequence[float], bins: int = 10) -> float:
    """Return the calibration error that is left to chance: what confidences that are exactly right show on so many
    answers, on average.

    The number of right answers in a bin then varies like a sum of coins; its mean distance from what is expected is
    that of a normal distribution, the square root of 2 / pi times its deviation.
    """
    variances: defaultdict[int, float] = defaultdict(float)
    for place, confidence in zip(calibration_bins(confidences, bins), confidences, strict=True):
        variances[place] += confidence * (1 - confidence)
    return sum(math.sqrt(2 * variance / math.pi) for variance in variances.values()) / len(confidences)


def risk_coverage(confidences: Sequence[float], right: Sequence[bool]) -> list[tuple[float, float]]:
    """Return the risk-coverage curve: of the most confident answers, their share of all and the share of them that
    is wrong.

    A point for each answer, from the most confident down (El-Yaniv and Wiener, JMLR 11, 2010). Answers of equal
    confidence are tied, and each counts as wrong as they are on average.
    """
    wrong: defaultdict[float, list[bool]] = defaultdict(list)
    for confidence, correct in zip(confidences, right, strict=True):
        wrong[confidence].append(not correct)
    means = {confidence: fmean(group) for confidence, group in wrong.items()}
    totals = accumulate(means[confidence] for confidence in sorted(confidences, reverse=True))
    return [(count / len(confidences), total / count) for count, total in enumerate(totals, 1)]


def area_under_risk(confidences: Sequence[float], right: Sequence[bool]) -> float:
    """Return the mean risk over all coverages, in 0..1 (AURC; Geifman and El-Yaniv, ICLR 2019); lower is better."""
    return fmean(risk for _, risk in risk_coverage(confidences, right))


def calibration_bins(confidences: Sequence[float], bins: int = 10) -> list[int]:
    """Return the bin, from 0, of each confidence among bins that hold equally many; equal confidences share one."""
    return [int(2 * rank - 1) * bins // (2 * len(confidences)) for rank in _mid_ranks(confidences)]


def _mid_ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1, the least first; equal values share the mean of their ranks."""
    ordered = sorted(values)
    return [(bisect_left(ordered, value) + bisect_right(ordered, value) + 1) / 2 for value in values]


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share (0..1) of the values lies, interpolated between neighbours; at least one
    value.
    """
    ordered = sorted(values)
    below, rest = divmod(share * (len(ordered) - 1), 1)
    low, high = ordered[int(below)], ordered[min(int(below) + 1, len(ordered) - 1)]
    return low + (high - low) * rest
