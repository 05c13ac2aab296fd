"""Problems, their causes and what helps, each behind a label."""

import pytest

from pipelines.query.extracts.passages.cases import is_case, lacks_remedy
from pipelines.reading import read
from pipelines.types import StoredText
from tests.pipelines.query.extracts.choices import choose, favouring

LONG = "Somebody looked for it for hours in the engine room with two lamps and found nothing at all. "
CASE = f"""# Engines

## The engine stalls

**Symptom:** The engine stalls at low tide.

**Cause:** {LONG}The filter is full of sand.

**Workaround:** {LONG}Rinse the filter in the sink.

**Symptom:** The horn is silent.

**Fix:** Dry the horn.
"""
STEPS = """# Engines

**Problem:** The engine stalls at low tide.

**Cause:** The filter is full of sand.

**Fix:**

1. Stop the pump.
2. Rinse the filter.
"""
TERMS = """# Engines

Symptom
: The engine stalls at low tide.

Cause
: The filter is full of sand.

Resolution
: Rinse it in the sink.
"""


def kept(text: str) -> StoredText:
    document = read(text.encode(), name="a.md")
    return StoredText(document.text, document.pages, document.headings, document.blocks)


@pytest.mark.parametrize("question", ["What can I do if the engine stalls?", "How do I fix an engine that stalls?"])
@pytest.mark.parametrize(("text", "helps"), [(CASE, "Rinse"), (STEPS, "2. Rinse"), (TERMS, "Rinse")])
def test_a_problem_is_shown_with_what_helps(question: str, text: str, helps: str) -> None:
    shown = choose(question, kept(text), favouring("stalls"), most=1).extracts[0].shown
    assert "The engine stalls at low tide." in shown
    assert helps in shown
    assert "horn" not in shown


def test_the_cause_is_shown_where_it_is_asked_for() -> None:
    shown = choose("Why does the engine stall?", kept(STEPS), favouring("Cause:"), most=1).extracts[0].shown
    assert "The filter is full of sand." in shown


def test_a_case_ends_where_the_next_problem_begins() -> None:
    shown = choose("How do I fix a silent horn?", kept(CASE), favouring("horn"), most=1).extracts[0].shown
    assert shown == "Symptom: The horn is silent.\nFix: Dry the horn."


@pytest.mark.parametrize(
    ("shown", "whole", "lacking"),
    [
        ("Problem: It leaks. Solution: Pump.", True, False),
        ("Problem: It leaks. Cause: A hole.", False, True),
        ("- Issue: It leaks.\n- Fix: Pump.", True, False),
        ("Cause: A hole.", False, True),
        ("Problem: It leaks Solution: Pump", True, False),
        ("Fix: Pump.", False, False),
        ("Problems of boats are many.", False, False),
    ],
)
def test_a_case_has_a_problem_and_what_helps(shown: str, whole: bool, lacking: bool) -> None:
    assert (is_case(shown), lacks_remedy(shown)) == (whole, lacking)
