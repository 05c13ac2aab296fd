"""Answers from settings and programs, whose names stand in them and are headings."""

import pytest

from pipelines.query.extracts.extract import Extract
from pipelines.query.extracts.mismatch import is_off_subject
from pipelines.query.extracts.passages import passages_of
from pipelines.reading import read
from pipelines.types import StoredText
from tests.pipelines.query.extracts.drafts import hit
from tests.pipelines.query.extracts.test_chooser import choose, favouring

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
    assert is_off_subject("What is the default of dusk?", first("What is a lamp?", kept(SETTINGS, "a.conf"), "badly"))


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
