from pathlib import Path

import pytest

from pipelines.errors import ProfileError
from pipelines.profile.loader import load_profile
from pipelines.profile.prompts import Prompt, answer_prompts, prompt_problems

GOOD = '# system\nAnswer for {{title}}. Write {"a": 1}.\n\n# user\n{{sources}}\nQ: {{ question }}\n'


@pytest.fixture
def said(tmp_path: Path):
    """What is wrong with a prompt, as the check of its profile says it."""

    def check(text: str) -> list[str]:
        (tmp_path / "answer.md").write_text(text, encoding="utf-8")
        profile = tmp_path / "profile.yaml"
        profile.write_text("answer: {prompt: answer.md}")
        return [str(problem) for problem in prompt_problems(load_profile(profile))]

    return check


def prompt(folder: Path, name: str | None) -> Prompt:
    """The prompt of a profile in ``folder`` that names this one."""
    (folder / "p.yaml").write_text("" if name is None else f"answer: {{prompt: {name}}}")
    return answer_prompts(load_profile(folder / "p.yaml"))[0].prompt


def test_a_good_prompt_passes_and_is_filled_in_one_go(said, tmp_path: Path) -> None:
    assert said(GOOD) == []
    good = prompt(tmp_path, "answer.md")
    assert good.filled("system", {"title": "Pets"}) == 'Answer for Pets. Write {"a": 1}.'
    assert good.filled("user", {"sources": "{{question}}", "question": "{{sources}} \\1"}) == (
        "{{question}}\nQ: {{sources}} \\1"
    )


@pytest.mark.parametrize(
    ("written", "instead", "problem"),
    [
        (
            "{{ question }}",
            "{{questoin}}",
            '{{questoin}} is not a variable here; known variables: {{sources}}, {{question}}, did you mean "question"?',
        ),
        ("{{title}}", "{{sources}}", '{{sources}} belongs under "# user"'),
        ("{{title}}", "{{}}", "{{}} is not a variable here; known variables: {{title}}"),
        ("{{sources}}", "", "{{sources}} is missing"),
    ],
)
def test_unknown_misplaced_and_missing_variables_are_named(said, written: str, instead: str, problem: str) -> None:
    found = said(GOOD.replace(written, instead))
    assert any(problem in one for one in found), found
    assert all(one.startswith("answer -> prompt: answer.md, under ") for one in found)


def test_a_prompt_without_its_sections_says_which_are_missing(said) -> None:
    assert said("{{sources}} {{question}}") == [
        f'answer -> prompt: answer.md: the heading "# {name}" is missing; write it once, on a line of its own'
        for name in ("system", "user")
    ]


def test_a_section_stands_once_and_nothing_before_the_first(said) -> None:
    assert [one.split(": ", 2)[2] for one in said("Hello\n" + GOOD + GOOD)] == [
        'the heading "# system" occurs twice; write it once, on a line of its own',
        'the heading "# user" occurs twice; write it once, on a line of its own',
        'the text before "# system" belongs to no section',
    ]


def test_a_missing_or_non_text_file_is_a_problem_of_the_profile(said, tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match=r"nowhere\.md does not exist"):
        prompt(tmp_path, "nowhere.md")
    (tmp_path / "bytes.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ProfileError, match="not UTF-8 text"):
        prompt(tmp_path, "bytes.md")
    (tmp_path / "long.md").write_text("x" * 100_001)
    with pytest.raises(ProfileError, match="too large for a prompt"):
        prompt(tmp_path, "long.md")


def test_the_default_prompt_is_of_its_own_form(tmp_path: Path) -> None:
    assert "never obeyed" in prompt(tmp_path, None).sections["system"]


VARIED = """
llm: {provider: ollama, model: m}
answer: {prompt: answer.md, variants: [{name: a}, {name: b, prompt: b.md, weight: 3}]}
"""


def test_variants_have_prompts_of_their_own_or_that_of_the_profile(tmp_path: Path) -> None:
    (tmp_path / "answer.md").write_text(GOOD)
    (tmp_path / "b.md").write_text(GOOD.replace("Answer", "Answer in short"))
    (tmp_path / "p.yaml").write_text(VARIED)
    one, other = answer_prompts(load_profile(tmp_path / "p.yaml"))
    assert [(share.name, share.weight) for share in (one, other)] == [("a", 1), ("b", 3)]
    assert one.prompt.sections["system"].startswith("Answer for")
    assert other.prompt.sections["system"].startswith("Answer in short for")
    assert one.prompt.fingerprint != other.prompt.fingerprint
    assert one.prompt.fingerprint == Prompt(dict(one.prompt.sections)).fingerprint


def test_problems_of_a_variants_prompt_name_their_place(tmp_path: Path) -> None:
    (tmp_path / "answer.md").write_text(GOOD)
    (tmp_path / "p.yaml").write_text(VARIED)
    loaded = load_profile(tmp_path / "p.yaml")
    said = "answer -> variants -> 1 -> prompt: b.md does not exist (relative to the profile)"
    assert [str(problem) for problem in prompt_problems(loaded)] == [said]
    with pytest.raises(ProfileError, match="variants -> 1 -> prompt"):
        answer_prompts(loaded)
