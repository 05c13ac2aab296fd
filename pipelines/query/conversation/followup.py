"""Follow-ups without a language model: a question that leans on earlier ones is given their subject.

The subject is the word of the latest questions that is rarest in this tenant's documents (BM25's inverse document
frequency), weighed by its place: see `subjects`. A word of an earlier question counts for less, and so does one of a
question that itself leaned on those before it: "And its dose?" names a side of the subject and not the subject. The
latest question that leans on none is heard however long ago it was asked. One word does, or a name of two: with more
of them a question whose subject is another one is led astray. What an answer names counts where the question asked
for that. "Why?" asks for the reason of all that was asked. A question that has a rarer word of its own is left alone,
and so is one that asks what a thing is ("What is hip dysplasia?", though not "What is the dose?") or is written in
letters that no earlier question has. docs/benchmarks.md has figures.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from math import inf

from pipelines.query.conversation.subjects import identified, is_abbreviation, named
from pipelines.query.terms import Terms

Rarity = Callable[[str], float]
"""How rare a word is among the chunks; 0 where none has it."""
Find = Callable[[str], Sequence[str]]
Scores = Callable[[str, Sequence[str]], Sequence[float]]
Judge = Callable[[Sequence[str]], Sequence[float]]
"""How well what is found for each rewrite of a question answers it."""

_LATEST = 3
_FADING = 0.7  # a turn
_LEANING = 0.5  # of a question that leans on those before it
_TOLD = 1.5  # what an answer names, where its question asked which one it is
_SHORT = 5  # terms
_LIKELY = 0.8  # of the weight of the likeliest subject, for a judge to consider another
_MOST_JUDGED = 3
_MOST_WORDS = 30
"""Of a question that is asked again, with "Why?" before it."""
_WORD = re.compile(r"\w+(?:['\u2019-]\w+)*")
_ONE = re.compile(
    r"\b(?:(?!(?-i:IT)\b)its?|he|him|his|she|hers?|that"
    r"|this(?!\s+(?:year|quarter|month|week|weekend|morning|afternoon|evening)\b))\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"\b(?:they|them|theirs?|these|those|ones)\b", re.IGNORECASE)
_NAMED = re.compile(r"\s(?:an?\s|\w*[A-Z\d])")
_PLURAL = re.compile(r"[^isu]s$", re.IGNORECASE)
_POINTS = re.compile(
    rf"{_ONE.pattern}|{_SEVERAL.pattern}|\b(?:one|there|such|same|others?|another|else|former|latter)\b", re.IGNORECASE
)
_STANDS_ALONE = re.compile(
    r"^\W*(?:what|who)\s+(?:is|are|was|were)\s+(?!(?:the|most|some|your|my|our)\b)[\w-]+(?:\s+[\w-]+){0,3}\W*$",
    re.IGNORECASE,
)
_COUNT = re.compile(r"\d{1,2}")
_LETTER = re.compile(r"[^\W\d_]")
_ONLY_WHY = re.compile(
    r"^\W*(?:(?:and|but|so)\W+)?(?:why(?:\s+(?:not|so|is\s+that))?|how\s+(?:come|so))\W*$", re.IGNORECASE
)
_REFERS = re.compile(
    rf"{_POINTS.pattern}|\b(?:more|also|then|mean|meant|(?:what|how) about)\b|^\s*(?:and|or|but|so|why)\b"
    r"|^\s*(?:which|how\s+many)\s+(?:is|are|was|were|of|can|fit)\b",
    re.IGNORECASE,
)


def with_subject(
    question: str,
    earlier: Sequence[str],
    terms: Terms,
    rarity: Rarity,
    *,
    answers: Sequence[str] = (),
    judge: Judge | None = None,
) -> str | None:
    """Return the question with the subject of earlier ones behind it; None where it says itself what it is about.

    Args:
        question: What is asked now.
        earlier: The questions before it, the oldest first.
        terms: The terms of a text.
        rarity: How rare a word is in the documents.
        answers: What was answered to each of ``earlier``, if that is known.
        judge: Decides between the likeliest subjects by what is found for them; None: the likeliest is taken.
    """
    own = terms(question)
    refers = refers_back(question)
    if not earlier or (not refers and (len(own) > _SHORT or _stands_alone(question, earlier, terms))):
        return None
    candidates = _candidates(question, own, earlier, terms, rarity)
    if points_back(question):
        candidates += _answer_subjects(list(zip(earlier, answers, strict=False))[-_LATEST:], own, terms, rarity)
    least = 0.0 if refers else max((rarity(one.word) * one.counts for one in named(question)), default=0.0)
    likely = sorted((one for one in candidates if one[0] > least), key=lambda one: -one[0])
    whole = _leans_on_none(earlier)
    if likely and _ONLY_WHY.match(question) and len(whole.split()) <= _MOST_WORDS:
        return f"{question} {whole}"
    return _chosen([f"{question} {subject}" for weight, subject in likely if weight >= _LIKELY * likely[0][0]], judge)


def says_something(question: str, rarity: Rarity, is_word: Callable[[str], bool]) -> bool:
    """Return whether a question has a word that means something; "asdf" and signs alone have none."""
    words = (word for word in _WORD.findall(question) if len(word) > 1 or not word.isascii())
    return any(is_word(word) or rarity(word) > 0 for word in words)


def refers_back(question: str) -> bool:
    """Return whether a question points at what was said before it, or goes on from it."""
    return _has(_REFERS, question)


def points_back(question: str) -> bool:
    """Return whether a question has a word that stands for something said before it."""
    return _has(_POINTS, question)


def judge_by_findings(find: Find, scores: Scores) -> Judge:
    """Judge a rewrite by the text found for it that answers it best.

    Args:
        find: The texts found for a question.
        scores: How well each text answers a question.
    """

    def judge(rewrites: Sequence[str]) -> list[float]:
        found = [(one, find(one)) for one in rewrites]
        return [max(scores(one, texts)) if texts else -inf for one, texts in found]

    return judge


def _chosen(rewrites: Sequence[str], judge: Judge | None) -> str | None:
    """Return the first of the rewrites, or of the first few the one that is judged best; of equals the first."""
    several = list(dict.fromkeys(rewrites))[:_MOST_JUDGED]
    if judge is None or len(several) < 2:
        return several[0] if several else None
    scored = judge(several)
    return several[max(range(len(several)), key=scored.__getitem__)]


def _stands_alone(question: str, earlier: Sequence[str], terms: Terms) -> bool:
    """Return whether a question that refers to nothing before it is complete in itself.

    It asks what a thing is, is in another script than the turns before it, or has an abbreviation that the index drops
    as a stop word: "IT".
    """
    if any(is_abbreviation(one.word) and not terms(one.word) for one in named(question)):
        return True
    if _STANDS_ALONE.match(question):
        return all(one.counts >= 1 for one in named(question))  # the others name a side of something: "side effects"
    scripts = [frozenset(map(_script, _LETTER.findall(text))) for text in (question, *earlier)]
    return bool(scripts[0]) and scripts[0].isdisjoint(frozenset().union(*scripts[1:]))


def _has(pattern: re.Pattern[str], text: str) -> bool:
    """Return whether a text has such words. In one that is all in capitals "IT" is "it"."""
    return pattern.search(text.lower() if text.isupper() else text) is not None


def _script(letter: str) -> str:
    """Return the script of a letter, by the first word of its name in Unicode: LATIN, CJK, ARABIC."""
    return unicodedata.name(letter, "").split(" ")[0]


def _heard(question: str, earlier: Sequence[str]) -> Iterator[tuple[str, float]]:
    """The questions among whose words the subject is, the latest first, and how much these count."""
    latest = list(reversed(earlier))
    leaning = [*map(refers_back, latest[:-1]), False]
    subject = leaning.index(False)
    for age in sorted({*range(min(_LATEST, len(latest))), subject}):
        fading = _FADING ** (min(age, 1) if age == subject else age)
        yield latest[age], fading * (_LEANING if leaning[age] and _aside(latest[age], question) else 1.0)


def _leans_on_none(earlier: Sequence[str]) -> str:
    """Return the latest question that leans on none before it."""
    return next((text for text in reversed(earlier) if not refers_back(text)), earlier[0])


def _aside(text: str, question: str) -> bool:
    """Return whether what leans on others names no subject for ``question``: it points at one, or is of another
    number.

    "What about side effects?" is not what "its dose" is of, but "What about insulins?" may be what "they" are. "And a
    pug?" and "What about DPP-4?" name a subject however one goes on.
    """
    if points_back(text):
        return True
    if _NAMED.search(text):
        return False
    one, several = _has(_ONE, question), _has(_SEVERAL, question)
    words = _WORD.findall(text)
    return one != several and bool(words) and (_PLURAL.search(words[-1]) is not None) != several


def _candidates(
    question: str, own: frozenset[int], earlier: Sequence[str], terms: Terms, rarity: Rarity
) -> list[tuple[float, str]]:
    """Return the words of the questions that are heard that are not in this one, with the names that they are part
    of.
    """
    weights: dict[frozenset[int], float] = {}
    spelt: dict[frozenset[int], str] = {}
    for text, counts in _heard(question, earlier):
        words = {terms(one.word): one for one in named(text) if not _COUNT.fullmatch(one.word)}
        for found, one in words.items():
            if found and not found & own:
                weights[found] = weights.get(found, 0.0) + rarity(one.word) * counts * one.counts
                spelt.setdefault(found, " ".join(one.phrase))
    return [(weight, spelt[found]) for found, weight in weights.items()]


def _answer_subjects(
    turns: Sequence[tuple[str, str]], own: frozenset[int], terms: Terms, rarity: Rarity
) -> Iterator[tuple[float, str]]:
    """Yield what the answers of the latest turns named, where that was asked."""
    for age, (asked, answer) in enumerate(reversed(turns)):
        name = identified(asked, answer)
        if name is not None and not terms(name) & own:
            yield rarity(name) * _FADING**age * _TOLD, name
