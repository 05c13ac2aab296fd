"""Keywords in Python: a tenant of one document, without a language model."""

from tests.conftest import OpenTenant

LAMPS = """# Lamps

## Lamp colours

Lamp colours guide ships, and good lamp colours save lives. New lamp colours were tried last year.

These are used:

- green on the right
- red on the left
- white at the end
"""


def test_keywords_are_answered_as_the_question_that_they_ask(open_tenant: OpenTenant) -> None:
    engine = open_tenant("tenant: piers\nanswer: {abstain_below: 0}")
    engine.ingest(LAMPS)
    asked, keywords = engine.answer("Which lamp colours are there?"), engine.answer("lamp colours")
    assert keywords.text == asked.text
    assert keywords.text.startswith("These are used:")
    assert (keywords.question, keywords.rewritten_question) == ("lamp colours", None)
