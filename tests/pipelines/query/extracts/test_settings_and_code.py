"""Answers from settings and programs, whose names stand in them and are headings."""

import numpy as np
import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.extract import Extract
from pipelines.query.extracts.mismatch import is_off_subject
from pipelines.query.extracts.passages.passages import passages_of
from pipelines.query.extracts.reader import Reader
from pipelines.reading import read
from pipelines.reading.draft import Draft
from pipelines.types import StoredText
from tests.pipelines.query.extracts.choices import TERMS, choose, favouring, favouring_a_little
from tests.pipelines.query.extracts.drafts import hit, stored

SETTINGS = """[lamps]

# "burn" is how many hours a lamp burns.
burn = 30m

# Lamps are lit after so many minutes of dusk. A lamp burns longer in winter.
dusk = 10m

# Not used with oil that burns badly.
#wick = cotton
"""
PROGRAM = '''class Lamp:
    """A lamp on the pier."""

    def light(self, oil: float) -> bool:
        """Light the lamp if there is oil for an hour."""
        return oil > 0.3


def extinguish(lamps):
    """Put out all lamps at dawn."""
''' + "".join(f"    lamps[{number}].put_out(at_dawn=True)\n" for number in range(80))


def kept(text: str, name: str) -> StoredText:
    document = read(text.encode(), name=name)
    return StoredText(document.text, document.pages, document.headings, document.blocks)


def first(question: str, text: StoredText, *words: str) -> Extract:
    return choose(question, text, favouring(*words), most=1).extracts[0]


@pytest.mark.parametrize(
    "question", ["How many berths has a pier by default?", "How many berths has a pier when I don't set any?"]
)
def test_an_example_comes_behind_what_is_so_by_default(question: str) -> None:
    def fill(draft: Draft) -> None:
        draft.add("This example pier has five berths.")
        draft.add("Boats moor there at night.")
        draft.add("The default is ten berths.")

    reader = Reader(lambda question, texts: np.array([3.0 * ("five" in text) for text in texts]))
    assert choose(question, fill, reader, most=1).extracts[0].shown == "The default is ten berths."


def test_what_another_thing_is_by_default_does_not_make_others_examples() -> None:
    def fill(draft: Draft) -> None:
        draft.add("A pier has five berths.")
        draft.add("The default is ten lamps.")

    reader = Reader(lambda question, texts: np.array([1.0 * ("five" in text) for text in texts]))
    for question in ("How many berths has a pier by default?", "What is the default number of berths?"):
        assert choose(question, fill, reader, most=1).extracts[0].shown == "A pier has five berths."


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is burn?", '# "burn" is how many hours a lamp burns.\nburn = 30m'),
        ("What does dusk mean?", "dusk = 10m"),
        ("What is the default value of dusk?", "dusk = 10m"),
        ("What is wick?", "#wick = cotton"),
    ],
)
def test_the_setting_that_is_asked_about_comes_before_others_that_mention_it(question: str, expected: str) -> None:
    found = first(question, kept(SETTINGS, "a.conf"), "lamp")
    assert found.shown.endswith(expected)
    assert found.headings[-1] in question


def test_a_setting_says_its_default_by_its_value() -> None:
    found = first("What is the default of dusk?", kept(SETTINGS, "a.conf"), "lamp")
    assert not is_off_subject("What is the default of dusk?", found)
    assert is_off_subject("What is the default of dusk?", first("What is wick?", kept(SETTINGS, "a.conf"), "lamp"))


def test_the_functions_of_a_class_are_passages_with_their_headings_and_without_indentation() -> None:
    text = kept(PROGRAM, "lamp.py")
    found = {one.headings[-1]: one for one in passages_of([hit(text)], [text]) if one.headings}
    assert found["light()"].headings == ("class Lamp", "light()")
    assert found["light()"].shown.startswith('def light(self, oil: float) -> bool:\n    """Light')
    quote = text.text[found["light()"].span.start : found["light()"].span.end]
    assert quote.startswith("    def light")
    assert quote.split() == found["light()"].shown.split()


def test_a_long_function_is_shown_by_its_first_lines() -> None:
    found = first("What does extinguish do?", kept(PROGRAM, "lamp.py"), "lamp")
    assert found.shown.startswith('def extinguish(lamps):\n    """Put out all lamps at dawn."""\n')
    assert found.shown.endswith(" …")
    assert found.quote.split() == found.shown.removesuffix(" …").split()


def test_a_class_and_a_function_are_asked_about_by_what_they_are() -> None:
    assert first("What is Lamp?", kept(PROGRAM, "lamp.py"), "lamp").shown.startswith("class Lamp")
    found = first("What does the function light do?", kept(PROGRAM, "lamp.py"), "lamp")
    assert found.headings == ("class Lamp", "light()")


def test_settings_that_follow_each_other_are_shown_apart() -> None:
    found = choose("How long do lamps burn at dusk?", kept(SETTINGS, "a.conf"), favouring("hours", "dusk"))
    assert "burn = 30m\n\n# Lamps" in found.extracts[0].shown


@pytest.mark.parametrize(
    ("text", "name", "setting", "expected"),
    [
        ("# The pier.\nserver.port=8080\n\n# The name.\nserver.name=ebb\n", "a.properties", "server.port", "=8080"),
        ("# The pier.\nport: 8080\n\n# The name.\nname: ebb\n", "a.yaml", "port", ": 8080"),
        ("[pier]\nport = 80\n\n# Four.\na = 1\nb = 2\nc = 3\nlimit = 7\n", "a.ini", "limit", "limit = 7"),
    ],
)
def test_a_setting_is_known_wherever_it_stands(text: str, name: str, setting: str, expected: str) -> None:
    question = f"What is the default of {setting}?"
    found = first(question, kept(text, name))
    assert found.shown.endswith(expected)
    assert not is_off_subject(question, found)


def test_another_setting_does_not_say_the_default_of_the_one_that_is_asked_about() -> None:
    text = "[pier]\nretries = 3\n\n# Of retries.\ntimeout = 30\n"
    assert is_off_subject("What is the default of retries?", first("What is timeout?", kept(text, "a.ini"), "Of"))


def test_settings_keep_their_depth_beside_each_other() -> None:
    text = "services:\n  web:\n    image: x\n\n    # Restarts.\n    restart: always\n\n  db:\n    image: y\n"
    stored = kept(text, "a.yaml")
    whole = max((one for one in passages_of([hit(stored)], [stored])), key=lambda one: len(one.shown))
    assert [line for line in whole.shown.splitlines() if line] == [line for line in text.splitlines() if line]


NESTED = """# The quay.
lamp:
  oil: seed      # burns long
  wick:
    width: 12mm
crane:
  ropes:
    width: 40mm
"""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("12mm", "lamp:\n  wick:\n    width: 12mm"),
        ("40mm", "crane:\n  ropes:\n    width: 40mm"),
        ("seed", "# The quay.\nlamp:\n  oil: seed      # burns long"),
    ],
)
def test_settings_are_shown_below_the_keys_that_they_are_nested_in(words: str, expected: str) -> None:
    stored = kept(NESTED, "quay.yaml")
    assert expected in {one.shown for one in passages_of([hit(stored)], [stored]) if words in one.shown}


@pytest.mark.parametrize(
    ("asked", "words"), [("lamp.oil", "seed"), ("wick.width", "12mm"), ("crane ropes width", "40mm")]
)
def test_a_setting_is_told_by_the_value_below_its_keys(asked: str, words: str) -> None:
    found = first(f"What is {asked}?", kept(NESTED, "quay.yaml"), words)
    assert words in found.shown
    assert not is_off_subject(f"What is {asked}?", found)


def test_the_value_of_another_setting_does_not_tell_it() -> None:
    found = first("What is lamp.oil?", kept(NESTED, "quay.yaml"), "seed")
    assert is_off_subject("What is crane.oil?", found)
    assert is_off_subject("What is lamp.age?", found)


MANUAL = """Lamps
=====

lamp_wait
---------

- Units: lamps
- Default: 100

The least that burn.

lamp_spare
----------

- Default: 0 (or 5% of lamp_wait)

Those that wait.
"""


def test_a_setting_has_the_default_of_its_own_section() -> None:
    question = "What is the default value of lamp_wait?"
    found = first(question, kept(MANUAL, "a.rst"), "5%")
    assert "Default: 100" in found.shown


def test_a_default_of_one_word_behind_a_note_is_a_passage() -> None:
    text = "lamp-order\n----------\n\nWhich lamp burns.\n\n.. note:: The order is kept. Not sorted.\n\nDefault: off\n"
    found = first("What is the default of lamp-order?", kept(text, "a.rst"), "Default")
    assert found.shown == "Default: off"


def test_prose_on_another_setting_loses_where_an_identifier_is_asked_about() -> None:
    text = kept("The default lamp_spare is 4 for burning.\n\nNothing burns below lamp_wait.\n", "a.rst")
    reader = favouring_a_little("burning")
    assert "lamp_wait" in choose("What happens with lamp_wait?", text, reader, most=1).extracts[0].shown
    assert "lamp_spare" in choose("What happens with lamps?", text, reader, most=1).extracts[0].shown


def test_two_words_with_a_colon_are_no_identifier() -> None:
    text = kept("Moored boats burn with the lamp.\n\nboat:lamp is a pair.\n", "a.rst")
    found = choose("What burns with boat:lamp?", text, favouring_a_little("Moored"), most=1)
    assert "Moored" in found.extracts[0].shown


def labelled(*labels: str) -> StoredText:
    items = "\n".join(f"- **{name}:** {value}" for name, value in (label.split(": ") for label in labels))
    return kept(f"# Lamps\n\n## lamp.wait\n\n{items}\n\nBoats that wait longer are sent off.\n", "a.md")


@pytest.mark.parametrize("last", ["Reloadable: yes", "Since release: 2.1", "Unit: hours"])
def test_what_a_setting_does_is_shown_with_all_of_its_labels(last: str) -> None:
    found = first("How long may boats wait?", labelled("Type: duration", "Default: 3", last), "longer")
    assert found.shown == f"- Type: duration\n- Default: 3\n- {last}\nBoats that wait longer are sent off."


@pytest.mark.parametrize(
    "labels",
    [("Ebb: low", "Flow: high"), ("Default: 3", "Lamps that burn all night"), ("Default: 3", *("Lamp: on",) * 9)],
)
def test_prose_behind_items_that_are_no_labels_stands_alone(labels: tuple[str, ...]) -> None:
    text = kept("- " + "\n- ".join(labels) + "\n\nBoats that wait longer are sent off.\n", "a.md")
    assert first("How long may boats wait?", text, "longer").shown == "Boats that wait longer are sent off."


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Which environment variable lights the lamps?", "Set HARBOUR_LIT to light them."),
        ("Which exception is raised without oil?", "Then a NoOilLeft is raised."),
        ("What lights the lamps?", "An environment variable lights the lamps, and an exception is raised without oil."),
    ],
)
def test_a_name_of_programs_answers_in_its_form(question: str, shown: str) -> None:
    def guide(draft: Draft) -> None:
        draft.add("An environment variable lights the lamps, and an exception is raised without oil.")
        draft.add_heading(1, "Settings")
        draft.add("Set HARBOUR_LIT to light them.")
        draft.add_heading(1, "Errors")
        draft.add("Then a NoOilLeft is raised.")

    found = choose(question, guide, favouring_a_little("An environment"), most=1).extracts[0]
    assert found.shown.endswith(shown)


def test_a_text_without_the_name_that_is_asked_for_is_doubted() -> None:
    text = kept("The lamps are lit by an environment variable of the pier.", "a.md")
    assert is_off_subject("Which environment variable lights the lamps?", first("Is it lit?", text, "lamps"))
    assert not is_off_subject("What lights the lamps?", first("Is it lit?", text, "lamps"))


@pytest.mark.parametrize(
    ("code", "is_off"),
    [
        ("lamp.light(oil, {\n  dim: true,\n  burnHours: 10,\n});", True),
        ("light(oil)\nburnHours: 10", False),
        ("function light({\n  dim = true,\n  burnHours = 10,\n}) {}", False),
        ("# (see the manual\nburnHours: 10", False),
        ("mark: '('\nburnHours: 10", False),
        ("1) light it:\nlamp.light({\n  burnHours: 10,\n})", True),
    ],
)
def test_the_argument_of_a_call_is_no_default(code: str, is_off: bool) -> None:
    def manual(draft: Draft) -> None:
        draft.add_heading(1, "Lamps")
        draft.add(code, "code")

    question = "What is the default burnHours?"
    found = choose(question, manual, favouring("burnHours"), most=1).extracts[0]
    assert is_off_subject(question, found) == is_off


def test_the_entry_of_an_option_comes_before_what_else_is_said_of_it() -> None:
    def manual(draft: Draft) -> None:
        draft.add_heading(1, "Sails")
        draft.add("If the sails of the boat are to come down all at once, give furl its -f option in a storm.")
        for command, effect in (("furl", "takes all sails down."), ("hoist", "sets the largest sail.")):
            draft.add_heading(2, command)
            draft.add_heading(3, "Options")
            draft.add("-f", "term", level=0)
            draft.add(effect, "definition", level=1)
            draft.add("-q", "term", level=0)
            draft.add("says nothing.", "definition", level=1)

    reader = Reader(lambda question, texts: np.array([4.5 * ("in a storm" in text) for text in texts]))
    text = stored(manual)
    found = Chooser(reader, TERMS).choose("What does the -f option of furl do?", [hit(text)], [text], 1)
    assert found.extracts[0].shown == "-f: takes all sails down."
