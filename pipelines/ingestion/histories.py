"""Whether the versions that are recorded of a document can be read one after the other, and how they have to be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest

from pipelines.catalogue import NEVER
from pipelines.catalogue.census import DocumentFacts, VersionFacts
from pipelines.catalogue.tables import DELETED


@dataclass(frozen=True, slots=True)
class History:
    """What has to be recorded of a document, and what is wrong with what is, in words for an operator.

    ``reason`` is why the document cannot be read, where it could be until now.
    """

    facts: DocumentFacts
    wrong: tuple[str, ...]
    reason: str | None = None


def checked_history(facts: DocumentFacts, snapshot: int) -> History:
    """Check a document's record against the rules of versions, at the tenant's ``snapshot``.

    A version ends where the next one begins, or earlier where the document was away between them. A deleted document
    has none that is still readable; of any other, the one that has no end is the one that the document names.
    """
    versions, wrong = _one_after_the_other(facts, snapshot)
    unended = [version.number for version in versions if version.valid_to == NEVER]
    readable = unended[-1] if unended else 0
    highest = max((version.number for version in versions), default=0)
    state = "ready" if readable else DELETED if facts.state == DELETED else "failed"
    reason = None
    if facts.version != readable:
        named = f"version {facts.version}" if facts.version else "no version"
        wrong.append(f"the catalogue names {named} as the readable one, which is {readable or 'none'}")
        reason = None if readable else "its readable version was lost; bring it in again"
    elif facts.state != state:
        wrong.append(f'it is recorded as "{facts.state}", and is "{state}"')
    if facts.last_version < highest:
        wrong.append(f"its next version would be number {facts.last_version + 1}, and there is a number {highest}")
    last = max(facts.last_version, highest)
    right = replace(facts, state=state, version=readable, last_version=last, versions=tuple(versions))
    return History(right, tuple(wrong), reason if state == "failed" else None)


def _one_after_the_other(facts: DocumentFacts, snapshot: int) -> tuple[list[VersionFacts], list[str]]:
    """Return the versions with the ends that they should have, and what was wrong with those that they had."""
    named = facts.version if facts.state != DELETED else 0
    seen = [one for one in facts.versions if one.valid_from < one.valid_to or (one.number == named and one.chunks)]
    ends = {one.number: one.valid_from for one in facts.versions}  # of those that were overtaken
    wrong: dict[int, str] = {}
    for version, following in zip_longest(seen, seen[1:]):
        if following:
            latest, cause = following.valid_from, f"where version {following.number} begins"
        else:
            latest, cause = (snapshot, "when the document was deleted") if facts.state == DELETED else (NEVER, "")
        ends[version.number] = max(version.valid_from, min(version.valid_to, latest))
        wrong[version.number] = f"goes on after snapshot {latest}, {cause}"
    if seen and seen[-1].number == named:
        ends[named] = NEVER
        wrong[named] = "is the readable one, and is recorded to have ended"
    right = [replace(version, valid_to=ends[version.number]) for version in facts.versions]
    problems = [
        f"version {version.number} {wrong.get(version.number, 'ends before it begins')}"
        for version in facts.versions
        if version.valid_to != ends[version.number]
    ]
    return right, problems
