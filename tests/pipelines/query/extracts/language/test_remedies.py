"""Questions about trouble, and what helps."""

import pytest

from pipelines.query.extracts.language.remedies import asks_remedy, tells_remedy


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("The lamp smokes, what can I do?", True),
        ('The crew hears "no wind in sail". What should we do?', True),
        ("How do I fix a leaking hull?", True),
        ("My anchor drags, how can I get around that?", True),
        ("What do I do before a race?", False),
        ("What can I do?", False),
        ("How do I light the lamp?", False),
    ],
)
def test_what_helps_is_asked_behind_what_is_the_matter(question: str, asks: bool) -> None:
    assert asks_remedy(question) is asks


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("The fix is to trim the wick.", True),
        ("One simple workaround for small boats is a second anchor.", True),
        ("To avoid that, tie a bowline.", True),
        ("You can work around it with tape.", True),
        ("Most leaks can be fixed with tar.", True),
        ("If you hit this, reef the sail.", True),
        ("The lamp smokes because the wick is long.", False),
        ("It is hard to say why.", False),
    ],
)
def test_what_helps_says_so(text: str, tells: bool) -> None:
    assert tells_remedy(text) is tells
