"""What a question is about, by the place of its words: "the payload of the arm" is about the arm.

There is no parser. A few signs of English tell the subject from what is asked of it; other languages have none of them,
and there every word counts alike.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_MOST_WORDS = 64  # of a question, the last ones: the index is asked for each, and some paste a page before they ask
_WORD = re.compile(r"\w+(?:['\u2019-]\w+)*")
_AUXILIARY = "do does did can could should would will may might must"
_BEING = "is are was were has have had"
_SMALL = (
    "a an the my your our their his her its this that these those i you we he she it they one me us them and or but "
    "not in on at to from with by of for about as than what which who whom whose when where why how many much often "
    "long there be been if then so any some all mine please help ok okay thanks mean know think want tell explain"
)
_FRAMES = (
    "side effect effects symptom symptoms sign signs cause causes kind kinds type types sort way ways rule rules "
    "policy policies limit limits size amount number choice option options method methods step steps difference "
    "example examples reason reasons purpose cost costs price dose dosage first best main good use used uses work "
    "works happen happens happened need needs support supported large larger small smaller big bigger high higher low "
    "lower long longer short shorter new newer old older young common different important general normal typical"
)
_ABBREVIATIONS = frozenset(("IT", "US", "WHO"))
"""Spelt like small words, but for their capitals."""
_AUXILIARIES = frozenset(_AUXILIARY.split())
_BEINGS = frozenset(_BEING.split())
_FUNCTION_WORDS = frozenset(f"{_AUXILIARY} {_BEING} {_SMALL}".split())
_FRAME_WORDS = frozenset(_FRAMES.split())
_DETERMINERS = frozenset(("a", "an", "the", "my", "your", "our"))
_PERSONS = frozenset(("i", "you", "we", "one"))
_ARTICLES = frozenset(("a", "an"))
_TURNING = frozenset(("and", "or", "about"))
_DEFINED = frozenset(("what", "who"))
_OF = frozenset(("of", "on", "about"))
_AFTER_AUXILIARY = 1.5
_AFTER_BEING = 1.3
_BEHIND_OF = 1.3
_FRAME = 0.3
_BEFORE_OF = 0.5
_PERSONS_VERB = 0.4
_SIDE = re.compile(r"\W*(?:(?:and|but|or|so)\s+)?(?:what|how)\s+about\s+((?:\w+\s+){0,3}\w+)\W*", re.IGNORECASE)
_MOST_TURN = 2  # words, "what about"
_MOST_PHRASE = 2  # words: longer ones lead a question astray whose subject is another one
_MOST_NAME = 3  # words with capitals: more of them are a title's, and no name
_MOST_ANSWER = 200  # characters


@dataclass(frozen=True, slots=True)
class Named:
    """A word that a question may be about, how much that counts, and the words beside it that it is one name with."""

    word: str
    counts: float
    phrase: tuple[str, ...]


def identified(question: str, answer: str) -> str | None:
    """Return what an answer names to a question that asks which one it is: "Metformin is the first choice."."""
    asked, words = _WORD.findall(question.lower()), _WORD.findall(answer[:_MOST_ANSWER])
    if len(words) < 2 or asked[:1] not in (["what"], ["which"], ["who"]) or not _BEINGS & set(asked[1:4]):
        return None
    is_named = words[0].lower() not in _FUNCTION_WORDS | _FRAME_WORDS | set(asked)
    return words[0] if is_named and words[1].lower() in _BEINGS else None


def names_side(question: str) -> bool:
    """Return whether a question turns to a side of something and does not say of what: "What about side effects?"."""
    turn = _SIDE.fullmatch(question)
    return turn is not None and all(word in _FRAME_WORDS | _FUNCTION_WORDS for word in turn[1].lower().split())


def is_small(word: str) -> bool:
    """Return whether a word joins others and names nothing: "the", "does"."""
    return word.lower() in _FUNCTION_WORDS and not is_abbreviation(word)


def is_general(word: str) -> bool:
    """Return whether a word is a side of many things: "dose", "effects"."""
    return word.lower() in _FRAME_WORDS


def is_abbreviation(word: str) -> bool:
    """Return whether a word is a name such as "IT", in a question that is not all in capitals."""
    return word in _ABBREVIATIONS


def named(question: str) -> list[Named]:
    """Return the words of a question, each with how much its place counts; the phrase of a word holds the word."""
    words = _WORD.findall(question)[-_MOST_WORDS:]
    shouted = question.isupper()
    low = [word if is_abbreviation(word) and not shouted else word.lower() for word in words]
    places = [place for place, word in enumerate(low) if word not in _FUNCTION_WORDS]
    return [Named(words[place], _counts(words, low, place), tuple(_phrase(words, low, place))) for place in places]


def _counts(words: Sequence[str], low: Sequence[str], place: int) -> float:
    counts = _FRAME if low[place] in _FRAME_WORDS else 1.0
    before = low[:place]
    head = before[:-1] if before and before[-1] in _DETERMINERS else before
    if before and before[-1] in _PERSONS and _AUXILIARIES & set(before[-3:]):
        counts *= _PERSONS_VERB  # "How do I enable the cache?" is about the cache
    turns = bool(head) and head[-1] in _TURNING
    if head and (head[-1] in _AUXILIARIES or (turns and (before[-1] in _ARTICLES or _opens(words, head, place)))):
        counts *= _AFTER_AUXILIARY  # "How much exercise does a beagle need?" is about beagles; so is "And a beagle?"
    elif place + 1 < len(low) and low[place + 1] in _OF and _is_defined(low, place):
        counts *= _BEFORE_OF  # "What is the payload of the arm?" is about the arm
    elif head and head[-1] in _BEINGS:
        counts *= _AFTER_BEING  # "Are grapes dangerous for dogs?" is about grapes
    if _OF & set(before) and low[place] not in _FRAME_WORDS:
        counts *= _BEHIND_OF
    return counts


def _opens(words: Sequence[str], head: Sequence[str], place: int) -> bool:
    """Return whether a question begins with a turn to a name: "And the Harbour Club?", "What about Nordby?"."""
    return words[place][0].isupper() and len(head) <= _MOST_TURN


def _is_defined(low: Sequence[str], place: int) -> bool:
    """Return whether an article stands before a word, or before those that it is a phrase with."""
    return bool({"a", "an", "the"} & set(low[max(place - 2, 0) : place]))


def _phrase(words: Sequence[str], low: Sequence[str], place: int) -> Sequence[str]:
    """Return a word with its neighbour, where that is one name with it: "hip dysplasia"; a capitalised word with those
    beside it that have capitals, too: "Maine Coon".
    """
    if words[place][0].isupper():
        name = _capitalised(words, low, place)
        return name if len(name) <= _MOST_NAME else words[place : place + 1]
    first = last = place
    while first > 0 and _joins(low, first - 1):
        first -= 1
    before = set(low[:first])
    says_how = bool(_BEINGS & before) and not _DEFINED & before  # "Why are beagles loud?" and "Are beagles loud?"
    verb_follows = says_how or (bool(_AUXILIARIES & before) and not _PERSONS & before)
    while not verb_follows and last + 1 < len(low) and _joins(low, last + 1):
        last += 1
    phrase = words[first : last + 1]
    is_short = len(phrase) <= _MOST_PHRASE and all(word.islower() for word in phrase)
    return phrase if is_short else words[place : place + 1]


def _capitalised(words: Sequence[str], low: Sequence[str], place: int) -> Sequence[str]:
    """Return the word at a place with those beside it that begin with capitals; "Does" is no part of a name."""
    first = last = place
    while first > 0 and words[first - 1][0].isupper() and low[first - 1] not in _FUNCTION_WORDS:
        first -= 1
    while last + 1 < len(words) and words[last + 1][0].isupper() and low[last + 1] not in _FUNCTION_WORDS:
        last += 1
    return words[first : last + 1]


def _joins(low: Sequence[str], place: int) -> bool:
    """Return whether a word may be a part of a name: it is neither small, nor general, nor what somebody does."""
    if low[place] in _FUNCTION_WORDS or low[place] in _FRAME_WORDS:
        return False
    return place == 0 or low[place - 1] not in _PERSONS
