"""What a question may be, whatever API it comes through."""

import pytest

from pipelines.errors import InvalidRequest
from pipelines.profile.schema import Profile
from pipelines.query.requests import checked_id, checked_request, checked_user

PROFILE = Profile.model_validate({"tenant": "t", "limits": {"question_chars": [2, 10]}})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty; it must have 2 to 10 characters"),
        (" a ", "has 1 characters besides blanks; it must have 2 to 10 characters"),
        ("a" * 11, "has 11 characters; it must have 2 to 10"),
        ("a\0b", "holds a NUL character"),
        ("a\ud800", "holds half a character (a lone surrogate); send valid Unicode"),
        ("\udfffb", "holds half a character (a lone surrogate); send valid Unicode"),
        (7, "must be text"),
    ],
)
def test_what_is_wrong_with_a_question_is_said(text: str, message: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        checked_request("question", text, None, None, PROFILE)
    assert [(problem.path, problem.message) for problem in caught.value.problems] == [("question", message)]


def test_a_question_may_hold_any_whole_character() -> None:
    asked = "é \U0001f600 \ue000"
    assert checked_request("question", asked, None, None, PROFILE).query_str == asked


@pytest.mark.parametrize("step", [".", ".."])
def test_a_step_of_an_address_is_no_id(step: str) -> None:
    with pytest.raises(InvalidRequest, match="is a step in an address"):
        checked_id("name", step)
    checked_id("name", "...")
    assert checked_user(step) == step
