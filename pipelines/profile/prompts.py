"""Prompts as files: what sections and variables each must have, checked when the profile is.

A prompt is Markdown in sections, each under a line such as ``# system``. Variables stand in double braces, as in
``{{question}}``; single braces are text, so that JSON can be shown. What a variable holds is put in as it is: a
question that contains ``{{sources}}`` stays a question.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pipelines.errors import Problem, ProfileError, nearest
from pipelines.profile.loader import LoadedProfile

_VARIABLE = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
_MOST_BYTES = 100_000
_DEFAULTS = Path(__file__).parent / "defaults"


@dataclass(frozen=True, slots=True)
class PromptForm:
    """What a prompt must be: its sections, and in each the variables it may use, and whether it must."""

    key: str
    sections: Mapping[str, Mapping[str, bool]]


@dataclass(frozen=True, slots=True)
class Prompt:
    """The text of each section, with its variables in it."""

    sections: Mapping[str, str]

    def filled(self, section: str, values: Mapping[str, str]) -> str:
        """The text of a section with ``values`` for its variables."""
        return _VARIABLE.sub(lambda found: values[found[1]], self.sections[section])


ANSWER = PromptForm("answer -> prompt", {"system": {"title": False}, "user": {"sources": True, "question": True}})


def answer_prompt(loaded: LoadedProfile) -> Prompt:
    """The prompt of a profile's answers: its file, seen from the profile's folder, or the default.

    Raises:
        ProfileError: It cannot be read, or is not of the form of an answer's prompt; all problems are listed.
    """
    prompt, problems = read_prompt(_answer_file(loaded), ANSWER)
    if problems or prompt is None:
        raise ProfileError(loaded.profile.tenant, tuple(problems))
    return prompt


def prompt_problems(loaded: LoadedProfile) -> list[Problem]:
    """Everything that is wrong with a profile's prompt."""
    return read_prompt(_answer_file(loaded), ANSWER)[1]


def _answer_file(loaded: LoadedProfile) -> Path:
    path = loaded.profile.answer.prompt
    return _DEFAULTS / "answer.md" if path is None else loaded.folder / os.path.expanduser(path)


def read_prompt(file: Path, form: PromptForm) -> tuple[Prompt | None, list[Problem]]:
    """The prompt in ``file``, and everything that is wrong with it."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            return None, [Problem(form.key, f"{file.name} is over {_MOST_BYTES:,} bytes, which is no prompt")]
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return None, [Problem(form.key, f"there is no file {file.name} where it should be, seen from the profile")]
    except OSError as error:
        return None, [Problem(form.key, f"{file.name} cannot be read: {error.strerror}")]
    except UnicodeDecodeError:
        return None, [Problem(form.key, f"{file.name} is not text in UTF-8")]
    sections = dict(_sections(text, form))
    return Prompt(sections), list(_problems(sections, text, form, file.name))


def _sections(text: str, form: PromptForm) -> Iterator[tuple[str, str]]:
    headings = list(_heading(form).finditer(text))
    ends = [*(heading.start() for heading in headings[1:]), len(text)]
    for heading, end in zip(headings, ends, strict=False):
        yield heading[1].lower(), text[heading.end() : end].strip()


def _heading(form: PromptForm) -> re.Pattern[str]:
    return re.compile(rf"^#[ \t]+({'|'.join(form.sections)})[ \t]*$", re.MULTILINE | re.IGNORECASE)


def _problems(sections: Mapping[str, str], text: str, form: PromptForm, name: str) -> Iterator[Problem]:
    headings = [found[1].lower() for found in _heading(form).finditer(text)]
    for section in form.sections:
        if headings.count(section) != 1:
            said = "stands in it twice" if section in headings else "is missing"
            yield Problem(form.key, f'{name}: the heading "# {section}" {said}; write it once, on a line of its own')
    first = _heading(form).search(text)
    if first is not None and text[: first.start()].strip():
        yield Problem(form.key, f'{name}: what stands before "# {first[1]}" belongs to no section')
    for section, body in sections.items():
        yield from _wrong_variables(section, body, form, name)


def _wrong_variables(section: str, body: str, form: PromptForm, name: str) -> Iterator[Problem]:
    declared = form.sections[section]
    used = dict.fromkeys(found[1] for found in _VARIABLE.finditer(body))
    for variable in used:
        if variable not in declared:
            known = ", ".join(f"{{{{{one}}}}}" for one in declared)
            elsewhere = next((other for other, names in form.sections.items() if variable in names), None)
            said = f'belongs under "# {elsewhere}"' if elsewhere else f"is no variable here, known are {known}"
            hint = None if elsewhere else nearest(variable, declared)
            yield Problem(form.key, f'{name}, under "# {section}": {{{{{variable}}}}} {said}', hint)
    for variable, required in declared.items():
        if required and variable not in used:
            yield Problem(form.key, f'{name}, under "# {section}": {{{{{variable}}}}} is missing')
