"""Turns to another thing by a short phrase: "And of multer?" behind "What is the license of nodemailer?".

The phrase takes the place of one of the same kind in the last question that stands alone: the one behind the same
preposition, a number of the same shape, a name, what a command is called, the people asked about. What has no such
place is a side of the subject, and is left to `followup`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from pipelines.query.conversation.followup import points_back, refers_back
from pipelines.query.conversation.subjects import is_general, is_small

IsKnown = Callable[[str], bool]

_MOST_WORDS = 4  # of a phrase
_MOST_CHARS = 100  # of a turn
_NEAR = 40  # characters, for the words before a phrase
_PREPOSITION = r"(?:of|for|in|to|about|on|with|at)"
_OPENING = r"\s*(?:(?:and|or|but|so)\s+(?:(?:what|how)\s+about\s+)?|(?:what|how)\s+about\s+)"
_TURN = re.compile(
    rf"{_OPENING}(?:(?P<preposition>{_PREPOSITION})\s+)?(?:(?P<article>an?|the)\s+)?`?(?P<name>[\w.+#/\s-]*[\w+#])`?\s*[?.!]*\s*",
    re.IGNORECASE,
)
_WORD = re.compile(r"-{0,2}[\w#/@+]+(?:[.'\u2019-]+[\w#/@+]+)*")
_POINTS_AT_NOTHING = re.compile(
    r"\b(?:(?:are|is|was|were)\s+there|there\s+(?:are|is|was|were)|more|also|means?)\b", re.IGNORECASE
)
"""Looks like a reference, and is none in a question such as "What does exit code 3 mean?"."""
_PLURAL = re.compile(r"[a-z-]+[^\W\d_isu]s|children|people|men|women")
_PEOPLE = re.compile(
    r"adults|children|girls|boys|guests|men|women|people|seniors|[a-z-]{2,}(?:ers|ors|ants|dents|ees|ists|cians)"
)
_ABSTRACT = re.compile(r".*(?:ing|ion|ment|ness|ity|ance|ence|age|acy|ism)")
_ADVERBS = frozenset(
    ("abroad", "now", "today", "tomorrow", "later", "else", "also", "too", "instead", "only", "otherwise")
)
_TIMES = re.compile(
    r"spring|summer|autumn|winter|fall|morning|afternoon|evening|night|weekends?|january|february|march|april|may|june"
    r"|july|august|september|october|november|december",
    re.IGNORECASE,
)
_CALLED = (
    "argument|attribute|class|command|directive|field|flag|function|key|keyword|library|method|module|operator|option"
    "|package|parameter|plugin|program|setting|statement|subcommand|tool|variable"
)
_ARTICLE = re.compile(r"\b(?P<article>an?|the)\s+$", re.IGNORECASE)
_COMMAND = re.compile(rf"\bthe\s+(?P<name>[\w.-]+)\s+(?P<called>{_CALLED})\b", re.IGNORECASE)
_BEHIND_SUBJECT = re.compile(r"\b(?:do|did|are|were|can|could|must|should|may|might|will|would)\s+(?:the\s+)?$", re.I)
_AUXILIARY = re.compile(
    r"\b(?:do|does|did|is|are|was|were|can|could|must|should|may|might|will|would|has|have)\b", re.I
)
_BEHIND_AUXILIARY = re.compile(rf"{_AUXILIARY.pattern}\s+(?:(?:an?|the)\s+)?$", re.IGNORECASE)
_FOR_PACKAGES = "install|uninstall|reinstall|import|require|upgrade|download"
_INSTALLS = re.compile(rf"\b(?:{_FOR_PACKAGES})\s+$", re.IGNORECASE)
"""What is done to packages and programs only, so that any bare word behind it is a name."""
_NO_PACKAGE = re.compile(
    rf"{_ABSTRACT.pattern}|{_FOR_PACKAGES}|build|configure|debug|delete|deploy|disable|enable|fix|publish|remove|restart"
    r"|run|start|stop|test|update"
)
"""A side of a package, or what else is done to it."""


@dataclass(frozen=True, slots=True)
class _Run:
    """Words of a question that stand side by side, with the article before them."""

    start: int
    end: int
    article: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Turn:
    """The phrase that a question turns to, and the preposition before it, "" for none."""

    preposition: str
    phrase: _Run
    said: str


def replaced(question: str, earlier: Sequence[str], is_name: IsKnown, is_word: IsKnown) -> str | None:
    """Return the last question that stands alone with the phrase of a turn in the place of one like it.

    Args:
        question: What is asked now.
        earlier: The questions before it, the oldest first.
        is_name: Recognises the names of the tenant's things.
        is_word: Recognises the words of the documents' language; a word that is none is a name.

    Returns:
        None where it is no such turn, or where the question before has no phrase of its kind.
    """
    turn = _turn(question)
    asked = next((one for one in reversed(earlier) if _turn(one) is None), None)
    if turn is None or asked is None or refers_back(_POINTS_AT_NOTHING.sub(" ", asked)):
        return None
    return _Places(asked, turn, is_name, is_word).filled()


def _turn(question: str) -> _Turn | None:
    match = _TURN.fullmatch(question) if len(question) <= _MOST_CHARS else None
    if match is None or points_back(question):
        return None
    words = tuple(match["name"].split())
    is_phrase = len(words) <= _MOST_WORDS and not any(is_small(one) or one.lower() in _ADVERBS for one in words)
    if not is_phrase or all(map(is_general, words)):
        return None
    article = (match["article"] or "").lower()
    phrase = _Run(match.start("name"), match.end("name"), article, words)
    return _Turn((match["preposition"] or "").lower(), phrase, match["name"])


def _is_plural(word: str) -> bool:
    return _PLURAL.fullmatch(word) is not None


def _has_code_form(word: str) -> bool:
    """Return whether a word has a sign, a digit or a capital inside, or is an option: "pm2", "useState", "--force"."""
    return word[0] == "-" or any(one.isupper() or not (one.isalpha() or one in "-.'\u2019") for one in word[1:])


def _shape(number: str) -> str:
    """Return a number with one 9 for all of its digits: "8.x" and "10.x" are alike."""
    return re.sub(r"\d+", "9", number.lower())


class _Places:
    """Looks for the place of a phrase in a question."""

    def __init__(self, asked: str, turn: _Turn, is_name: IsKnown, is_word: IsKnown) -> None:
        self._asked = asked
        self._turn = turn
        self._new = turn.phrase
        self._is_name = is_name
        self._is_word = is_word
        self._is_last_free = turn.preposition in ("", "of", "about")  # "And in Docker?" is beside the subject

    def filled(self) -> str | None:
        """Return the question with the phrase in its place; None where it has none."""
        looked = [self._number, self._behind_preposition]
        if self._is_last_free:
            looked += [self._name, self._called, self._subject, self._installed]
        place = next((place for look in looked if (place := look()) is not None), None)
        if place is None:
            return None
        start, end, put = place
        return f"{self._asked[:start]}{put}{self._asked[end:]}"

    def _number(self) -> tuple[int, int, str] | None:
        """Return the number of the same shape behind the same words: "AquaPump 300" for "AquaPump 500"."""
        *before, last = self._new.words
        if not re.search(r"\d", last):
            return None
        said = r"\s+".join([*map(re.escape, before), r"(?P<number>[\w.]*\d[\w.]*(?<!\.))"])
        found = re.finditer(rf"(?<![\w.]){said}", self._asked, re.IGNORECASE)
        alike = [one for one in found if _shape(one["number"]) == _shape(last)]
        return (alike[-1].start("number"), alike[-1].end("number"), last) if alike else None

    def _behind_preposition(self) -> tuple[int, int, str] | None:
        if not self._turn.preposition:
            return None
        behind = re.compile(rf"\b{self._turn.preposition}\s+(?:(?:an?|the)\s+)?$", re.IGNORECASE)
        runs = [run for run in self._runs() if behind.search(self._before(run.start))]
        alike = [run for run in runs if self._is_noun_phrase(run) and self._is_like(run)]
        return self._filling(alike[-1]) if alike else None

    def _is_noun_phrase(self, run: _Run) -> bool:
        """Return whether a run of words behind a preposition has no verb.

        A name or a single word has none; a longer run has none if the verb stands before it.
        """
        if len(run.words) == 1 or self._is_named(run.words[0]):
            return True
        before = self._asked[: run.start]
        return _AUXILIARY.search(before) is not None and _AUXILIARY.match(before.lstrip()) is None

    def _name(self) -> tuple[int, int, str] | None:
        """Return the name that a question is about: the one behind "does", or the only one."""
        if self._kind(self._new) != "name":
            return None
        names = self._names()
        subjects = [run for run in names if _BEHIND_AUXILIARY.search(self._before(run.start))]
        chosen = subjects[:1] or names
        return self._filling(chosen[0]) if len(chosen) == 1 else None

    def _called(self) -> tuple[int, int, str] | None:
        """Return what a command is called: "prune" in "the prune command"."""
        found = list(_COMMAND.finditer(self._asked))
        words = self._new.words
        if len(found) != 1 or (len(words) == 2 and words[1].lower() != found[0]["called"].lower()) or len(words) > 2:
            return None
        if len(words) == 1 and self._kind(self._new) not in ("bare", "name"):
            return None
        return found[0].start("name"), found[0].end("name"), words[0]

    def _subject(self) -> tuple[int, int, str] | None:
        """Return the people that are the subject; none where an object could be meant: "Can guests bring dogs?".

        Other plurals may be a side of the subject: "And vaccines?" behind "What do puppies eat?".
        """
        if len(self._new.words) > 1 or not _PEOPLE.fullmatch(self._new.words[0]):  # "delete users" has a verb
            return None
        plurals = [one for one in _WORD.finditer(self._asked) if _is_plural(one[0])]
        subject = next((one for one in plurals if _BEHIND_SUBJECT.search(self._before(one.start()))), None)
        if subject is None or not _PEOPLE.fullmatch(subject[0]):
            return None
        objects = [one for one in plurals if one.start() > subject.end() and not self._has_preposition(one.start())]
        return None if objects else (subject.start(), subject.end(), self._turn.said)

    def _installed(self) -> tuple[int, int, str] | None:
        """Return the lower-case name that is installed, where a bare word can be a name as well."""
        if self._kind(self._new) != "bare" or len(self._new.words) > 1 or _NO_PACKAGE.fullmatch(self._new.words[0]):
            return None
        runs = [run for run in self._names() if _INSTALLS.search(self._before(run.start))]
        return self._filling(runs[0]) if len(runs) == 1 else None

    def _has_preposition(self, start: int) -> bool:
        return re.search(rf"\b{_PREPOSITION}\s+(?:\w+\s+)?$", self._before(start), re.IGNORECASE) is not None

    def _filling(self, run: _Run) -> tuple[int, int, str]:
        return run.start, run.end, self._turn.said

    def _before(self, start: int) -> str:
        return self._asked[max(start - _NEAR, 0) : start]

    def _is_like(self, run: _Run) -> bool:
        """Return whether a phrase is of the kind of the new one; "grep" and "sort" are both things without article."""
        new, old = self._kind(self._new), self._kind(run)
        kinds = {new, old}
        if kinds == {"name", "bare"}:
            words = (*self._new.words, *run.words)
            return len(words) == 2 and all(one.islower() and not _ABSTRACT.fullmatch(one) for one in words)
        return len(kinds) == 1

    def _kind(self, run: _Run) -> str:
        if _TIMES.fullmatch(run.words[-1]):
            return "time"
        if self._names_thing(run):
            return "name"
        if _is_plural(run.words[-1]):
            return "plural"
        return run.article[:1] or "bare"

    def _is_named(self, word: str) -> bool:
        if _is_plural(word) and not self._is_name(word):
            return False
        return word[0].isupper() or _has_code_form(word) or self._is_name(word) or self._is_unknown(word)

    def _is_unknown(self, word: str) -> bool:
        """Return whether a word is of no dictionary; "linting" is none, and no name either."""
        return not self._is_word(word) and _ABSTRACT.fullmatch(word) is None

    def _names(self) -> list[_Run]:
        """Return the names in the question; its first word has a capital anyway."""
        return [run for run in self._runs() if self._names_thing(run) and self._asked[: run.start].strip()]

    def _names_thing(self, run: _Run) -> bool:
        """Return whether a phrase is a name; a number is only a part of one, and lower-case names have no article."""
        has_common_form = run.words[0][0].isdigit() or (run.article != "" and all(map(str.islower, run.words)))
        return not has_common_form and all(map(self._is_named, run.words))

    def _runs(self) -> Iterator[_Run]:
        """Yield the phrases between small words; a name is a phrase of its own."""

        def kind(word: re.Match[str]) -> tuple[bool, bool]:
            return is_small(word[0]), self._is_named(word[0])

        for (small, _), group in groupby(_WORD.finditer(self._asked), key=kind):
            found = list(group)
            if small:
                continue
            start = found[0].start()
            article = _ARTICLE.search(self._before(start))
            said = "" if article is None else article["article"].lower()
            yield _Run(start, found[-1].end(), said, tuple(one[0] for one in found))
