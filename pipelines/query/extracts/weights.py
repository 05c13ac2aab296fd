"""Weighs the candidates of a choice by rules: what is asked for gains, what is not loses."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.query.extracts.candidates import Candidate, put_before
from pipelines.query.extracts.conditional_lists import lists_conditions
from pipelines.query.extracts.language.defaults import asks_default, states_default
from pipelines.query.extracts.language.definitions import definition_of, definition_of_any
from pipelines.query.extracts.language.enumerations import enumeration_of
from pipelines.query.extracts.language.permissions import allows, asks_who_may
from pipelines.query.extracts.language.reasons import asks_why, reasoning
from pipelines.query.extracts.language.remedies import asks_remedy, tells_remedy
from pipelines.query.extracts.language.series import lists_nothing
from pipelines.query.extracts.language.tasks import is_for_task, lists_ways, names_task
from pipelines.query.extracts.other_lists import asks_of_one_row, lists_others, row_names_in
from pipelines.query.extracts.passages.code_beside import leaves_out_code, shows_code
from pipelines.query.extracts.passages.list_forms import has_one_entry, is_of_names
from pipelines.query.extracts.passages.outlines import told_above
from pipelines.query.extracts.passages.passages import LISTS, Passage, PassageKind, Sentence
from pipelines.query.extracts.passages.showing import CUT, items_in, names_in, names_of_entries
from pipelines.query.extracts.persons import asks_members, lists_persons
from pipelines.query.extracts.promising import defines, is_counted_part, is_definition
from pipelines.query.extracts.unasked import unasked
from pipelines.query.extracts.whole_lists import stands_for_all
from pipelines.query.identifiers import identifiers, lacks_asked_name, options
from pipelines.query.properties import labels_in, properties_of
from pipelines.query.question_types import Form, names_new, question_form, question_kind, question_thing
from pipelines.query.terms import Terms
from pipelines.query.verdicts.polarity import negates

_NAMES_NONE = 1.0
"""What a passage loses that names no number, time or name where one is asked for."""
_NAMELESS = 2.0
"""What it loses that has no name of the form in which programs name what is asked for."""
_DEFINES = 1.5
"""What a passage or sentence gains that says what the thing is, where that is asked."""
_FAR = 6.0
"""By how much headings may be worse than prose that says none of the things: names alone are far from a question."""
_ENUMERATES = 1.0
"""What prose gains that lists the things that are asked for: as much as a list."""
_LISTS_NOTHING = 1.0
"""What prose loses that says no several where things are asked for: "There are many boats to choose from."."""
_BESIDE_LIST = 2.0
"""What it loses besides where a list or table may be of the things: such prose is close to the question."""
_LED = 1.0
"""What a list gains whose lead-in says what is asked: "The gauge measures:" of "What does the gauge measure?"."""
_TOLD = 1.0
"""What it gains besides if its lead-in says how many there are: "There are three kinds of gauges:"."""
_CONDITIONS = 1.5
"""What a list of conditions gains if the question asks for conditions."""
_HEADINGS = 2.5
"""What headings gain that are the things that are asked for, and nothing else is: they say less than prose does; and
what they lose where what stands under one of them is asked for. The names of a long list say no more than headings,
nor do its items without the code that says how.
"""
_ANY_SUCH = (
    "allowed available contain defined described different existing exists offered possible provided supported there"
)
"""What a question says that asks for all things of a kind."""
_OFFERING = re.compile(
    r"\bdo(?:es)?\s+([A-Z][\w.-]*)\s+(?:allow|have|include|know|offer|provide|ship|support|understand)\b"
)
"""The product that has the things; its manual need not name it above them: "Which sails does Ebb offer?"."""
_LABELLED = 1.5
"""What a passage gains with a label for the asked property: "Duration: 2 h" for "How long ...?"."""
_ALLOWED = 2.0
"""What a passage gains that grants a permission, if the question asks for one."""
_REASONED = 1.5
"""What a passage gains in a section on reasons, if the question asks why."""
_DEFAULT = 1.0
"""What a passage or sentence gains that says what is so by default, where that is asked."""
_REMEDY = 2.5
"""What a passage or sentence gains that says what helps, where it is asked what to do against some trouble."""
_FOR_TASK = 4.5
"""What a passage gains with an instruction for the task that is asked about: "To trim the sail, ..."; code and a few
words are far from each question.
"""
_WAYS = 2.0
"""What a list of the ways in which the task can be done gains."""
_MEMBERS = 4.0
"""What a list of persons gains where it is asked who is in a team: prose on the team is close to the question."""
_FORM: dict[Form, dict[PassageKind, float]] = {
    "list": {"list": 1.0, "definition": 1.0, "table": 1.0, "code": -1.0},
    "howto": {"code": 1.0, "list": 0.7},
    "definition": {"definition": 0.7, "list": -0.5, "code": -1.5},
}
_ANY_FORM: dict[PassageKind, float] = {"code": -1.0}
_WAY = 0.5
"""What an item with its code gains where it is asked how to do something: less than code, for it says more besides."""
_WHOLE = 0.5
"""What a list gains over its best item where a list or steps are asked for, and loses where not."""
_ANY_WHOLE = 0.1
"""What a list that does not name the things that are asked for gains over its best item: one item is no list."""
_OVERVIEW = 1.0
"""What a list loses whose items are cut short, where no list and no steps are asked for."""
_SHORTENED = 0.9
"""The share of the words of a list from which it is shown whole."""
_BEGINNING = 0.5
"""The share of the words of an item up to which only its beginning is shown."""
_FOLLOWING = re.compile(r"\b(?:following|these)\b", re.IGNORECASE)
_FEWEST_STEPS = 2
_FEWEST_TERMS = 2
"""Of a question that a lead-in says."""
_ASKS_PROCESS = re.compile(
    r"\W*(?:and\s+|so\s+)?how\s+(?:does|is|are|do)\s+(?!(?:i|we|you|one|people)\b)\w", re.IGNORECASE
)
"""Asks how something goes on, which steps tell: "How does the crew choose a berth?"."""
_MOST_UNSAID = 1
_PROCESS_TERMS = 4
"""Of a question for a process; what leads into its steps may lack one of so many."""


class Weights:
    """What the passages and sentences gain and lose that are candidates of one question.

    Args:
        question: The question.
        terms: The terms of a text.
    """

    def __init__(self, question: str, terms: Terms) -> None:
        self._question = question
        self._terms = terms
        self._asked = terms(question)
        self._thing = terms(question_thing(question))
        self._named = frozenset((*identifiers(question), *options(question)))
        self._form = question_form(question)
        self._kind = question_kind(question)
        self._definition = definition_of(question)
        self._enumeration = enumeration_of(question)
        self._properties = properties_of(question)
        self._asks_who_may = asks_who_may(question)
        self._asks_why = asks_why(question)
        self._asks_members = asks_members(question)
        self._asks_default = asks_default(question)
        self._asks_remedy = asks_remedy(question)
        self._asks_process = _ASKS_PROCESS.match(question) is not None
        self._more = self._asked - self._thing - terms(_ANY_SUCH) - terms(" ".join(_OFFERING.findall(question)))
        self._lists_nothing = _LISTS_NOTHING

    def weigh(self, candidates: Sequence[Candidate]) -> None:
        """Favour passages of the form that is asked for; a list is as good as its best item, or better.

        A long item, shown by its first sentence, is not as good as what it holds; nor a list as an asked inner one.
        """
        beside_list = any(one.passage.kind in LISTS and self._has_form(one.passage) for one in candidates)
        self._lists_nothing = _LISTS_NOTHING + _BESIDE_LIST * beside_list
        for candidate in candidates:
            candidate.score += self._gain(candidate.passage)
        own_lists = [one.passage for one in candidates if self._form == "list" and one.passage.is_list_inside]
        own = [[each for each in own_lists if each is one.passage or each.holds(one.passage)] for one in candidates]
        for candidate in sorted(candidates, key=lambda one: one.passage.span.end - one.passage.span.start):
            parts = zip(candidates, own, strict=True)
            within = [one.score for one, lists in parts if is_counted_part(one.passage, candidate.passage, lists)]
            if within:
                worth, is_told = max(within) + self._whole(candidate.passage), self._is_told_in_one(candidate.passage)
                candidate.score = worth if is_told else max(candidate.score, worth)
        self._favour_defining(candidates)
        self._favour_told(candidates)

    def _favour_defining(self, candidates: Sequence[Candidate]) -> None:
        """Where it is asked what a thing is, let prose that says it come before prose that only speaks of the thing."""
        best = max(candidates, key=lambda one: one.score, default=None)
        thing = definition_of_any(self._question)
        if best is None or thing is None or best.passage.kind != "sentences":
            return
        place = (best.passage.hit.title, *best.passage.headings)
        if any(map(thing.is_of, place)) or defines(best.passage.shown, best.passage, thing):
            return
        put_before(best, [one for one in candidates if is_definition(one.passage, thing)])

    def _favour_told(self, candidates: Sequence[Candidate]) -> None:
        """Let a list of the asked things come before prose that lists none of them: one that says how many there are,
        or that stands under their name where all of them are asked for.
        """
        best = max(candidates, key=lambda one: one.score, default=None)
        if best is None or best.passage.kind != "sentences" or self._enumerates(best.passage.shown):
            return
        told = [one for one in candidates if self._tells_all(one.passage)]
        put_before(best, told or [one for one in candidates if self._is_of_all(one.passage)])
        if lists_nothing(self._question, best.passage.shown):
            outlines = [one for one in candidates if one.passage.is_outline and not self._beside(one.passage)]
            put_before(best, outlines, near=_FAR)

    def _is_of_all(self, passage: Passage) -> bool:
        """Return whether all things of a kind are asked for, and a list or table under their name has them."""
        if self._form != "list" or not self._has_form(passage) or self.is_overview(passage):
            return False
        return stands_for_all(passage, self._thing, self._asked - self._terms(_ANY_SUCH), self._terms)

    def of_sentence(self, sentence: Sentence, passage: Passage) -> float:
        """Return what a sentence of long prose gains and loses."""
        return (
            self._of_text(sentence.shown)
            + _DEFINES * defines(sentence.shown, passage, self._definition)
            + _ENUMERATES * self._enumerates(sentence.shown)
        )

    def is_overview(self, passage: Passage) -> bool:
        """Return whether a list is shown in a short form that does not fit the form asked for.

        Names alone answer a question for a list of these things, but none about one of them; items that are cut short
        answer neither another question nor, where they are few, a question for steps.
        """
        if self._asks_of_row(passage):
            return True
        if self._form == "list":
            return is_of_names(passage) and not self._has_form(passage)
        is_cut = passage.is_brief or (passage.kind in ("list", "table") and CUT in passage.shown)
        if self._form == "howto":
            few = is_cut and len(items_in(passage.shown)) < _FEWEST_STEPS
            return passage.is_brief or few or self._leaves_out_code(passage)
        return is_cut and not self._leads_into(passage)

    def _gain(self, passage: Passage) -> float:
        favoured = _FORM.get(self._form, _ANY_FORM) if self._form else _ANY_FORM
        is_way = self._form == "howto" and passage.kind == "item" and shows_code(passage)
        of_form = _WAY if is_way else favoured.get(passage.kind, 0.0)
        return (
            (of_form if of_form < 0 or self._has_form(passage) else 0.0)
            + self._of_text(passage.shown, is_whole=passage.kind in ("list", "table"))
            + _DEFINES * is_definition(passage, self._definition)
            + _ENUMERATES * (passage.kind == "sentences" and self._enumerates(passage.shown))
            - self._lists_nothing * (passage.kind == "sentences" and lists_nothing(self._question, passage.shown))
            + _LED * self._leads_into(passage)
            + _TOLD * self._tells_all(passage)
            + _FOR_TASK * (self._form == "howto" and self._is_for_task(passage))
            + _WAYS * (self._form == "howto" and self._lists_ways(passage))
            + _ALLOWED * (self._asks_who_may and allows(passage.shown))
            + (_REASONED * reasoning(passage.shown, passage.headings) if self._asks_why else 0.0)
            + _LABELLED * (not self._properties.isdisjoint(labels_in(passage.shown)))
            + _CONDITIONS * lists_conditions(self._question, passage)
            + _HEADINGS * (passage.is_outline and not self._beside(passage))
            + _MEMBERS * (self._asks_members and passage.kind == "list" and lists_persons(passage.shown))
            - _OVERVIEW * (self.is_overview(passage) or (self._form == "list" and _is_beginning(passage)))
            - _HEADINGS * self._leaves_out_code(passage)
            - unasked(self._question, passage)
        )

    def _is_for_task(self, passage: Passage) -> bool:
        is_named = passage.kind == "code" and names_task(self._question, passage.shown)
        return is_named or is_for_task(self._question, passage.shown, _above(passage), self._terms)

    def _lists_ways(self, passage: Passage) -> bool:
        return passage.kind in LISTS and lists_ways(self._question, passage.shown, _above(passage), self._terms)

    def _leaves_out_code(self, passage: Passage) -> bool:
        """Return whether it is asked how to do something, and the items of a list are shown without their code."""
        return self._form == "howto" and passage.kind in LISTS and leaves_out_code(passage)

    def _of_text(self, shown: str, *, is_whole: bool = False) -> float:
        """Return what a text gains and loses by what it names; of a whole list, one item says what is so by default."""
        names_none = self._kind is not None and not names_new(self._kind, shown, self._question)
        by_default = self._asks_default and not is_whole and states_default(shown)
        nameless = lacks_asked_name(self._question, shown)
        helps = self._asks_remedy and not is_whole and tells_remedy(shown)
        return _DEFAULT * by_default + _REMEDY * helps - _NAMES_NONE * names_none - _NAMELESS * nameless

    def _enumerates(self, shown: str) -> bool:
        return self._enumeration is not None and self._enumeration.stands_in(shown)

    def _has_form(self, passage: Passage) -> bool:
        """Return whether a passage is of use in the form that is asked for.

        A list is if it or its heading speaks of the thing that is asked for, and steps if none is cut short; terms with
        the beginnings of their definitions are no steps.
        """
        if self._form == "howto":
            return CUT not in passage.shown and not passage.is_brief and not self._leaves_out_code(passage)
        if self._has_one_answer(passage) or (self._form == "list" and has_one_entry(passage)):
            return False
        if not self._thing:
            return True
        if names := names_in(passage.shown):
            return self._are_names_of_thing(names, passage)
        return bool(self._thing & self._terms(passage.under_own_heading)) and not self._is_among_others(passage)

    def _are_names_of_thing(self, names: Sequence[str], passage: Passage) -> bool:
        """Return whether all names of a list contain the thing that is asked for, or the heading or the lead-in does.

        Otherwise one of the entries may be the thing, with its values.
        """
        lead_in, *listed = passage.shown.split("\n")
        heading = passage.headings[-1] if passage.headings else passage.hit.title
        above = self._terms(f"{heading}\n{lead_in if listed else ''}")
        return bool(self._thing & above) or all(self._thing & self._terms(name) for name in names)

    def _is_among_others(self, passage: Passage) -> bool:
        """Return whether a list or a table is of other things, or has the asked thing as one of them."""
        is_item = passage.kind == "list" and any(self._terms(item) == self._thing for item in items_in(passage.shown))
        return is_item or lists_others(self._question, passage.shown)

    def _has_one_answer(self, passage: Passage) -> bool:
        """Return whether a single item of a list answers.

        That is the entry of an option or a setting that the question names, or one item of a list that is cut short: it
        has the number, or alone names the things, that are asked for.
        """
        if passage.kind != "list":
            return False
        if self._kind == "number" and passage.words < _SHORTENED * passage.words_in_text:
            return True
        if passage.is_brief and self._told(names_of_entries(passage.shown)) == 1:
            return True
        if self._is_told_in_one(passage):
            return True
        labels = [item.partition(":")[0].strip() for item in items_in(passage.shown)]
        return len(labels) > 1 and any(label in self._named for label in labels)

    def _is_told_in_one(self, passage: Passage) -> bool:
        """Return whether a list is asked for, and a single item of a list that is cut short names the things: it tells
        them in the part that was cut.
        """
        is_cut, told = passage.words < _SHORTENED * passage.words_in_text, self._thing or self._asked
        items = items_in(passage.shown) if is_cut and told and self._form == "list" else []
        if len(items) < _FEWEST_TERMS or names_in(passage.shown):
            return False
        above = self._terms(f"{passage.headings[-1] if passage.headings else ''} {passage.shown.partition('- ')[0]}")
        return not told & above and sum(told <= self._terms(item) for item in items) == 1

    def _told(self, names: Sequence[str]) -> int:
        """Return how many of some names say more of the question than what it asks for: it asks what stands there."""
        return sum(bool(self._more & self._terms(name)) for name in names)

    def _beside(self, outline: Passage) -> frozenset[int]:
        """Return what the question says beside the things that headings name, and what stands above these does not."""
        return self._more - self._terms(told_above(outline))

    def _asks_below(self, passage: Passage) -> bool:
        """Return whether it is asked what stands below one of some headings, or names of a long list or table."""
        if self._asks_of_row(passage):
            return True
        if names := names_in(passage.shown):
            return self._form != "list" or 0 < self._told(names) < len(names)
        headings = items_in(passage.shown) if passage.is_outline and self._beside(passage) else []
        return len(headings) > 1 and self._told(headings) == 1

    def _asks_of_row(self, passage: Passage) -> bool:
        """Return whether a table is shown by the names of its rows, and it is asked about one or some of these."""
        names = row_names_in(passage.shown)
        told = self._told(names)
        return 0 < told < len(names) or (not told and asks_of_one_row(self._question, passage.shown, self._terms))

    def _whole(self, passage: Passage) -> float:
        """Return what a list gains or loses over its best item."""
        if self._asks_below(passage):
            return -_HEADINGS
        if self._has_one_answer(passage):
            return -_WHOLE
        if passage.computed_for and self._form == "comparison":
            return _WHOLE
        if self._leads_into(passage) or (self._form in ("list", "howto") and self._has_form(passage)):
            return _WHOLE
        return _ANY_WHOLE if self._form == "list" and not is_of_names(passage) else -_WHOLE

    def _leads_into(self, passage: Passage) -> bool:
        """Return whether what leads into a list says all that the question says, or that it lists what is asked for."""
        if passage.kind not in LISTS:
            return False
        lead_in, *_ = passage.shown.split("\n", 1)
        if self._enumeration is not None and self._enumeration.leads_into(lead_in):
            return True
        if passage.kind != "list" or len(self._asked) < _FEWEST_TERMS:
            return False
        leads = lead_in.endswith(":") or _FOLLOWING.search(lead_in) is not None
        may_lack = _MOST_UNSAID * (self._asks_process and len(self._asked) >= _PROCESS_TERMS)
        told = self._terms(lead_in)
        if self._thing and self._thing <= told:  # whose things these are, the title may say
            told |= self._terms(passage.hit.title)
        says = leads and len(self._asked - told) <= may_lack
        return says and negates(lead_in) == negates(self._question)

    def _tells_all(self, passage: Passage) -> bool:
        """Return whether a list of the asked things is led into by how many there are."""
        lead_in, *_ = passage.shown.split("\n", 1)
        return passage.kind in LISTS and self._enumeration is not None and self._enumeration.tells(lead_in)


def _above(passage: Passage) -> str:
    return " ".join((passage.hit.title, *passage.headings))


def _is_beginning(passage: Passage) -> bool:
    """Return whether no more than the beginning of a long item is shown, before what stands inside of it."""
    return passage.kind == "item" and passage.words < _BEGINNING * passage.words_in_text
