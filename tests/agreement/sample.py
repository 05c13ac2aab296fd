"""Claims of known truth, made from public sets by small honest changes to sentences that their documents hold."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipelines.components.sentences import sentence_spans
from pipelines.query.verdicts.names import names
from pipelines.types import Hit, Span, Verdict

SETS = ("squad", "cfpb_regs", "ros2_docs", "mtrag_un", "pubmedqa", "medquad_diabetes")
_PASSAGE = 8  # sentences
_LEAST_WORDS = 8
_MOST_WORDS = 45
_NUMBER = re.compile(r"(?<![\w.,-])\d+(?![\w,.]*\d)")
_VERB = re.compile(r"\b(is|are|was|were|can|could|will|would|should|must|may|has|have|had)\b(?! not)")
_NOT = re.compile(r"\b(is|are|was|were|can|could|will|would|should|must|may|has|have|had|does|do|did) not\b")
_NAME = r"[A-Z][\w-]+(?: [A-Z][\w-]+)*"
_WHO_DID_WHAT = re.compile(
    rf"\b(?P<who>{_NAME})(?P<did> (?:(?:has|have|had|can|may|will) )?[a-z]{{3,}}(?:ed|es|s|ct|nd|de|ve|se)"
    rf"(?: (?:the|a|an|by|to|for|with|from|in|on))* )(?P<whom>{_NAME})"
)
_SMALL_WORDS = "The This These That It They He She We You In At For Some Most Each When If Both Other"
_NO_NAMES = frozenset(_SMALL_WORDS.split())
_LIKE_VERBS = "is was does has as these those this its his series and because"
_NO_VERBS = frozenset(_LIKE_VERBS.split())
_ASIDE = re.compile(r"\s*\([^()]*\)")
_TAIL = re.compile(r",\s[^,]*\.$")


@dataclass(frozen=True)
class Case:
    """A claim, the chunk that it cites, how it was made, and what should be said of it."""

    dataset: str
    made: str
    claim: str
    hit: Hit
    verdict: Verdict


@dataclass(frozen=True)
class _Place:
    """A sentence, the passage that it stands in, and what others may lend it."""

    sentence: str
    passage: str
    strange: str  # a sentence of another document
    strange_names: tuple[str, ...]
    chance: random.Random


def cases(data: Path, per_kind: int, seed: int) -> list[Case]:
    """At most ``per_kind`` cases of each kind from each set; another ``seed`` draws others."""
    return [case for name in SETS for case in _cases_of(data / name, per_kind, seed)]


def _cases_of(folder: Path, per_kind: int, seed: int) -> Iterator[Case]:
    chance = random.Random(f"{folder.name} {seed}")
    documents = [(row["id"], row["text"]) for row in _rows(folder / "corpus.jsonl")]
    for made, (verdict, change) in KINDS.items():
        found = 0
        for place, document_id in _places(documents, chance):
            claim = change(place)
            if claim is not None and claim != place.sentence:
                yield Case(folder.name, made, claim, _hit(place.passage, document_id), verdict)
                found += 1
            if found == per_kind:
                break
    if folder.name == "mtrag_un":
        yield from _written_answers(folder, dict(documents), per_kind * 3)


def _places(documents: Sequence[tuple[str, str]], chance: random.Random) -> Iterator[tuple[_Place, str]]:
    for document_id, text in chance.sample(documents, len(documents)):
        spans = sentence_spans(text)
        begin = chance.randrange(max(len(spans) - _PASSAGE, 0) + 1)
        part = spans[begin : begin + _PASSAGE]
        good = [span for span in part if _is_good(text[slice(*span)])]
        other_id, other = chance.choice(documents)
        strange = [other[slice(*span)] for span in sentence_spans(other) if _is_good(other[slice(*span)])]
        if good and strange and other_id != document_id:
            sentence = " ".join(text[slice(*chance.choice(good))].split())
            passage = text[part[0][0] : part[-1][1]]
            lent = " ".join(chance.choice(strange).split())
            yield _Place(sentence, passage, lent, names(other), chance), document_id


def _is_good(sentence: str) -> bool:
    words = sentence.split()
    prose = sentence[:1].isupper() and sentence.rstrip().endswith(".") and "\n\n" not in sentence
    return prose and _LEAST_WORDS <= len(words) <= _MOST_WORDS


def _shortened(place: _Place) -> str | None:
    """The sentence without asides and without its last clause."""
    shorter = _ASIDE.sub("", place.sentence)
    cut = _TAIL.sub(".", shorter)
    shorter = cut if len(cut.split()) >= _LEAST_WORDS else shorter
    return f"According to the text, {shorter[0].lower()}{shorter[1:]}"


def _other_number(place: _Place) -> str | None:
    found = _NUMBER.search(place.sentence)
    if found is None:
        return None
    value = next(n for n in iter(lambda: int(found[0]) + place.chance.randint(1, 40), 0) if str(n) not in place.passage)
    return place.sentence[: found.start()] + str(value) + place.sentence[found.end() :]


def _foreign_name(place: _Place) -> str | None:
    return _renamed(place, [name for name in place.strange_names if name.lower() not in place.passage.lower()])


def _neighbours_name(place: _Place) -> str | None:
    return _renamed(place, [name for name in names(place.passage) if name not in place.sentence])


def _renamed(place: _Place, others: Sequence[str]) -> str | None:
    own = [name for name in names(place.sentence) if len(name) > 2]
    if not own or not others:
        return None
    return re.sub(rf"\b{re.escape(own[-1])}\b", place.chance.choice(others), place.sentence)


def _neighbours_number(place: _Place) -> str | None:
    """The sentence with a number of another sentence of its passage."""
    found = _NUMBER.search(place.sentence)
    others = sorted({one[0] for one in _NUMBER.finditer(place.passage)} - set(_NUMBER.findall(place.sentence)))
    if found is None or not others:
        return None
    return place.sentence[: found.start()] + place.chance.choice(others) + place.sentence[found.end() :]


def _exchanged(place: _Place) -> str | None:
    """The sentence with the names on both sides of a verb exchanged: "Bolt bought Acme" for "Acme bought Bolt"."""
    for found in _WHO_DID_WHAT.finditer(place.sentence):
        is_named = found["who"].split()[0] not in _NO_NAMES
        if is_named and not _NO_VERBS & set(found["did"].split()) and found["who"] != found["whom"]:
            turned = f"{found['whom']}{found['did']}{found['who']}"
            return place.sentence[: found.start()] + turned + place.sentence[found.end() :]
    return None


def _denied(place: _Place) -> str | None:
    if _NOT.search(place.sentence):
        return _NOT.sub(r"\1", place.sentence, count=1)
    return _VERB.sub(r"\1 not", place.sentence, count=1) if _VERB.search(place.sentence) else None


def _with_addition(place: _Place) -> str | None:
    return f"{place.sentence.rstrip('.')}, and {place.strange[0].lower()}{place.strange[1:]}"


KINDS: dict[str, tuple[Verdict, Callable[[_Place], str | None]]] = {
    "shortened": ("supported", _shortened),
    "number changed": ("unsupported", _other_number),
    "name of another document": ("unsupported", _foreign_name),
    "name from the same passage": ("unsupported", _neighbours_name),
    "negation": ("unsupported", _denied),
    "sentence of another document": ("unsupported", lambda place: place.strange),
    "with another document's sentence": ("partial", _with_addition),
    "number from the same passage": ("unsupported", _neighbours_number),
    "exchanged roles": ("unsupported", _exchanged),
}
WRITTEN = "written answer"


def _written_answers(folder: Path, texts: dict[str, str], most: int) -> Iterator[Case]:
    """Sentences of answers that people corrected, against the passages they were written from."""
    passages: dict[str, list[str]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query_id, document_id, _ = line.split("\t")
        passages.setdefault(query_id, []).append(document_id)
    found = 0
    for row in _rows(folder / "queries.jsonl"):
        for answer in row.get("answers", ())[:1]:
            hits = [_hit(texts[name], name) for name in passages.get(row["id"], ()) if name in texts]
            for start, end in sentence_spans(answer):
                if found < most and hits and _is_good(answer[start:end]):
                    text = "\n\n".join(hit.content for hit in hits)
                    yield Case(folder.name, WRITTEN, answer[start:end], _hit(text, hits[0].document_id), "supported")
                    found += 1


def _rows(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _hit(text: str, document_id: str) -> Hit:
    return Hit(f"{document_id}:{hash(text)}", document_id, 1, "", "", text, {}, 0.9, {}, Span(0, len(text)))
