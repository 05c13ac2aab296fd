"""Prompt files: their sections and variables, checked with the profile.

A prompt is Markdown in sections, each under a line such as ``# system``. Variables stand in double braces, as in
``{{question}}``; single braces are text, so that JSON can be shown. Values are inserted literally: a question that
contains ``{{sources}}`` stays as it is.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pipelines.errors import Problem, ProfileError, nearest
from pipelines.profile.loader import LoadedProfile

_VARIABLE = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
_MOST_BYTES = 100_000
_DEFAULTS = Path(__file__).parent / "defaults"


@dataclass(frozen=True, slots=True)
class PromptForm:
    """The required form of a prompt: its sections, and for each variable whether it is required."""

    key: str
    sections: Mapping[str, Mapping[str, bool]]


@dataclass(frozen=True, slots=True)
class Prompt:
    """The text of each section, with variables."""

    sections: Mapping[str, str]

    def filled(self, section: str, values: Mapping[str, str]) -> str:
        """Return a section with ``values`` for its variables."""
        return _VARIABLE.sub(lambda found: values[found[1]], self.sections[section])

    def values_in(self, section: str, text: str, forms: Mapping[str, str]) -> dict[str, str] | None:
        """Return the values that `filled` inserted into ``text``; None if it did not produce the text.

        ``forms`` holds a pattern without groups for each variable.
        """
        parts = _VARIABLE.split(self.sections[section])
        pattern = "".join(f"({forms[part]})" if place % 2 else re.escape(part) for place, part in enumerate(parts))
        found = re.fullmatch(pattern, text, re.DOTALL)
        return None if found is None else dict(zip(parts[1::2], found.groups(), strict=True))

    @property
    def fingerprint(self) -> str:
        """A hash of the prompt, 16 hexadecimal digits."""
        content = "\0".join(f"{name}\0{text}" for name, text in sorted(self.sections.items()))
        return hashlib.sha256(content.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class PromptShare:
    """A prompt with the name of its variant (None without variants) and its weight."""

    name: str | None
    weight: float
    prompt: Prompt


ANSWER = PromptForm("answer -> prompt", {"system": {"title": False}, "user": {"sources": True, "question": True}})


def answer_prompts(loaded: LoadedProfile) -> tuple[PromptShare, ...]:
    """Read the prompts of a profile's answers: its variants, else its single prompt.

    Raises:
        ProfileError: A prompt cannot be read or has the wrong form; all problems are listed.
    """
    shares, problems = _read_shares(loaded)
    if problems:
        raise ProfileError(loaded.profile.tenant, tuple(problems))
    return tuple(shares)


def prompt_problems(loaded: LoadedProfile) -> list[Problem]:
    """Return all problems of a profile's prompts."""
    return _read_shares(loaded)[1]


def _read_shares(loaded: LoadedProfile) -> tuple[list[PromptShare], list[Problem]]:
    answer = loaded.profile.answer
    wanted: list[tuple[str | None, float, Path | None, str]] = [
        (one.name, one.weight, one.prompt, f"answer -> variants -> {n} -> prompt")
        for n, one in enumerate(answer.variants)
    ]
    shares: list[PromptShare] = []
    problems: list[Problem] = []
    for name, weight, path, key in wanted or [(None, 1.0, None, ANSWER.key)]:
        form = ANSWER if path is None else replace(ANSWER, key=key)
        prompt, wrong = read_prompt(_file(loaded, path or answer.prompt), form)
        problems += [problem for problem in wrong if problem not in problems]
        if prompt is not None:
            shares.append(PromptShare(name, weight, prompt))
    return shares, problems


def _file(loaded: LoadedProfile, path: Path | None) -> Path:
    return _DEFAULTS / "answer.md" if path is None else loaded.folder / os.path.expanduser(path)


def read_prompt(file: Path, form: PromptForm) -> tuple[Prompt | None, list[Problem]]:
    """Read the prompt in ``file``; return it with all of its problems."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            return None, [Problem(form.key, f"{file.name} is over {_MOST_BYTES:,} bytes, too large for a prompt")]
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return None, [Problem(form.key, f"{file.name} does not exist (relative to the profile)")]
    except OSError as error:
        return None, [Problem(form.key, f"{file.name} cannot be read: {error.strerror}")]
    except UnicodeDecodeError:
        return None, [Problem(form.key, f"{file.name} is not UTF-8 text")]
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
            reason = "occurs twice" if section in headings else "is missing"
            yield Problem(form.key, f'{name}: the heading "# {section}" {reason}; write it once, on a line of its own')
    first = _heading(form).search(text)
    if first is not None and text[: first.start()].strip():
        yield Problem(form.key, f'{name}: the text before "# {first[1]}" belongs to no section')
    for section, body in sections.items():
        yield from _wrong_variables(section, body, form, name)


def _wrong_variables(section: str, body: str, form: PromptForm, name: str) -> Iterator[Problem]:
    declared = form.sections[section]
    used = dict.fromkeys(found[1] for found in _VARIABLE.finditer(body))
    for variable in used:
        if variable not in declared:
            known = ", ".join(f"{{{{{one}}}}}" for one in declared)
            elsewhere = next((other for other, names in form.sections.items() if variable in names), None)
            reason = (
                f'belongs under "# {elsewhere}"' if elsewhere else f"is not a variable here; known variables: {known}"
            )
            hint = None if elsewhere else nearest(variable, declared)
            yield Problem(form.key, f'{name}, under "# {section}": {{{{{variable}}}}} {reason}', hint)
    for variable, required in declared.items():
        if required and variable not in used:
            yield Problem(form.key, f'{name}, under "# {section}": {{{{{variable}}}}} is missing')
