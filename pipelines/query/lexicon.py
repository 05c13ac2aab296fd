"""What words of a question stand for, and which of them name the thing that an answer has to be about.

Synonyms reach the dense leg and the choice of sentences as words behind the question: "Can I take Ozempic?
(semaglutide)". Names go further: a passage about another named thing is no answer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy

from pipelines.profile.sections.retrieval import Expansion
from pipelines.profile.synonyms import Synonyms, read_synonyms

_WORD = re.compile(r"\w+")
_MOST_EXPLAINED = 6
_BEFORE_ES = ("che", "she", "sse", "xe")
"""Ends of words without the "s" of a plural, whose "e" may belong to it: "boxes", "axes"."""
Phrase = tuple[str, ...]


class Lexicon:
    """The tenant's phrases and their meanings; safe to share between threads.

    Args:
        synonyms: What stands for what; related terms stand for nothing else and are left out.
        names: The same of things that differ from each other, such as drugs: each name stands for itself, for what it
            is a kind or a brand of, and for its own kinds and brands.
    """

    def __init__(self, synonyms: Iterable[Synonyms] = (), names: Iterable[Synonyms] = ()) -> None:
        named = tuple(names)
        self._spelling: dict[Phrase, str] = {}
        self._meant: dict[Phrase, list[Phrase]] = defaultdict(list)
        self._starts: dict[str, list[Phrase]] = defaultdict(list)
        for line in (*named, *synonyms):
            if not line.related:
                self._add(line)
        phrases = (phrase for line in named for phrase in (*line.phrases, *line.meanings))
        self._names = frozenset(map(_phrase, phrases))
        self._kinds: dict[Phrase, set[Phrase]] = {name: set() for name in self._names}
        for name in self._names:
            for broader in self._broader(name) & self._names:
                self._kinds[broader].add(name)

    def _add(self, line: Synonyms) -> None:
        for spelling in (*line.phrases, *line.meanings):
            if (phrase := _phrase(spelling)) and phrase not in self._spelling:
                self._spelling[phrase] = spelling
                self._starts[phrase[0]].append(phrase)
        for phrase in filter(None, map(_phrase, line.phrases)):
            self._meant[phrase] += [other for other in map(_phrase, line.meanings) if other and other != phrase]

    def also(self, meanings: Mapping[str, str]) -> Lexicon:
        """Return the lexicon with short names as well, each with the words that it stands for; itself without any."""
        if not meanings:
            return self
        wider = copy(self)
        wider._spelling = dict(self._spelling)
        wider._meant = defaultdict(list, {phrase: list(others) for phrase, others in self._meant.items()})
        wider._starts = defaultdict(list, {word: list(phrases) for word, phrases in self._starts.items()})
        for pair in meanings.items():
            wider._add(Synonyms(pair, pair))
        return wider

    def explained(self, question: str) -> str:
        """Return the question with what its phrases stand for behind it; itself where they stand for nothing else."""
        found = self._phrases(question)
        meant = dict.fromkeys(other for phrase in found for other in self._meant.get(phrase, ()) if other not in found)
        if not meant:
            return question
        return f"{question} ({', '.join(self._spelling[phrase] for phrase in list(meant)[:_MOST_EXPLAINED])})"

    def with_names_of(self, question: str, text: str) -> str:
        """Return the text with the phrases of the question behind it whose meanings it speaks of."""
        asked = self._phrases(question)
        mentioned = frozenset(self._phrases(text)) if asked else frozenset()
        related = [phrase for phrase in asked if self._related(phrase) & mentioned - {phrase}]
        return " ".join([text, *(self._spelling[phrase] for phrase in related)])

    def is_about_another(self, question: str, shown: str, place: Sequence[str]) -> bool:
        """Return whether a passage speaks of a named thing, and not of what the question names.

        Args:
            question: What was asked.
            shown: The passage.
            place: The title and the headings that it stands under.
        """
        asked = self._named(question)
        if not asked:
            return False
        broader = self._classes(asked)
        accepted = self._accepted(asked)
        siblings = frozenset[Phrase]().union(*(self._kinds[name] for name in broader)) - accepted
        named, around = self._narrowest(self._named(shown)), self._narrowest(self._named(" \n ".join(place)))
        if named & accepted or (around & accepted and not named & siblings):
            return False
        return bool(named or around)

    def is_mentioned(self, question: str, texts: Iterable[str]) -> bool:
        """Return whether one of the texts speaks of a thing that the question names; also where it names none."""
        asked = self._named(question)
        accepted = self._accepted(asked)
        return not asked or any(self._named(text) & accepted for text in texts)

    def is_name(self, phrase: str) -> bool:
        """Return whether a phrase is one of the names."""
        return _phrase(phrase) in self._names

    def names_in(self, text: str) -> list[str]:
        """Return the names in a text, in its order, as the lexicon spells them."""
        return [self._spelling[phrase] for phrase in self._phrases(text) if phrase in self._names]

    def _accepted(self, asked: frozenset[Phrase]) -> frozenset[Phrase]:
        """Return the names that stand for what was asked for: these, their classes, and their kinds."""
        return asked.union(self._classes(asked), *(self._kinds[name] for name in asked))

    def _classes(self, names: frozenset[Phrase]) -> frozenset[Phrase]:
        return frozenset[Phrase]().union(*map(self._broader, names)) & self._names

    def _named(self, text: str) -> frozenset[Phrase]:
        return self._names.intersection(self._phrases(text)) if self._names else frozenset()

    def _narrowest(self, names: frozenset[Phrase]) -> frozenset[Phrase]:
        """Return those names of which no kind is named beside them; two that mean each other both stay."""
        return frozenset(name for name in names if not self._kinds[name] & names - self._broader(name))

    def _broader(self, name: Phrase) -> frozenset[Phrase]:
        """Return what a name is a kind of, by any number of steps."""
        found: set[Phrase] = set()
        waiting = [name]
        while waiting:
            further = set(self._meant.get(waiting.pop(), ())) - found - {name}
            found |= further
            waiting += further
        return frozenset(found)

    def _related(self, phrase: Phrase) -> frozenset[Phrase]:
        return self._broader(phrase).union(self._kinds.get(phrase, ()))

    def _phrases(self, text: str) -> tuple[Phrase, ...]:
        """Return the known phrases in a text, in its order, a longer one before those within it."""
        if not self._starts:
            return ()
        words = [_stem(word) for word in _WORD.findall(text)]
        return tuple(dict.fromkeys(self._found_in(words)))

    def _found_in(self, words: Sequence[str]) -> Iterator[Phrase]:
        for place, word in enumerate(words):
            for phrase in sorted(self._starts.get(word, ()), key=len, reverse=True):
                if tuple(words[place : place + len(phrase)]) == phrase:
                    yield phrase


def _phrase(spelling: str) -> Phrase:
    return tuple(map(_stem, _WORD.findall(spelling)))


def _stem(word: str) -> str:
    """Return a word without letter case and plural: "husky" for "Huskies", "yorky" for "Yorkie" and "Yorkies"."""
    plain = word.casefold()
    if len(plain) > 3 and plain.endswith("s") and not plain.endswith("ss"):
        plain = plain[:-1]
    if len(plain) > 3 and plain.endswith("ie"):
        return f"{plain[:-2]}y"
    return plain.removesuffix("e") if plain.endswith(_BEFORE_ES) else plain


NO_LEXICON = Lexicon()


def read_lexicon(settings: Expansion) -> Lexicon:
    """Return the lexicon of the files that ``settings`` name.

    Raises:
        ProfileError: A file cannot be read, or a line says nothing.
    """
    if settings.synonyms is None and settings.names is None:
        return NO_LEXICON
    return Lexicon(read_synonyms(settings.synonyms), read_synonyms(settings.names, "names"))
