"""Records of ClinicalTrials.gov, as version 2 of its API gives a study in JSON: what was planned, in sections.

Results are left out: they are tables of figures by arm, which read as sentences say nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pipelines.reading.draft import Draft
from pipelines.reading.formats import Format
from pipelines.types import ParsedDocument

_PROTOCOL = "protocolSection"
_REGISTER = "ClinicalTrials.gov"


def is_trial(value: Any) -> bool:
    """Return whether a JSON value is the record of a study."""
    return isinstance(value, dict) and bool(_text(value, _PROTOCOL, "identificationModule", "nctId"))


def read_trial(value: Mapping[str, Any], format_: Format) -> ParsedDocument:
    """Return the protocol of a study: its summary, design, interventions, outcomes and eligibility."""
    protocol = value[_PROTOCOL]
    title = _text(protocol, "identificationModule", "officialTitle") or _text(
        protocol, "identificationModule", "briefTitle"
    )
    draft = Draft()
    draft.add_heading(1, title or _text(protocol, "identificationModule", "nctId"))
    for heading, text in _sections(protocol):
        if text.strip():
            draft.add_heading(2, heading)
            draft.add_markdown(text)
    return draft.finish(format_, title or None, _metadata(protocol))


def _sections(protocol: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the sections in the order of the register's pages."""
    arms, outcomes = _part(protocol, "armsInterventionsModule"), _part(protocol, "outcomesModule")
    yield "Summary", _text(protocol, "descriptionModule", "briefSummary")
    yield "Description", _text(protocol, "descriptionModule", "detailedDescription")
    yield "Conditions", _listed(map(str, _items(_part(protocol, "conditionsModule").get("conditions"))))
    yield "Design", _listed(_design(protocol))
    yield "Arms", _listed(_named(arms.get("armGroups"), "label", "description"))
    yield "Interventions", _listed(_named(arms.get("interventions"), "name", "description"))
    yield "Primary outcomes", _listed(_named(outcomes.get("primaryOutcomes"), "measure", "description", "timeFrame"))
    yield (
        "Secondary outcomes",
        _listed(_named(outcomes.get("secondaryOutcomes"), "measure", "description", "timeFrame")),
    )
    yield "Eligibility", _text(protocol, "eligibilityModule", "eligibilityCriteria")


def _design(protocol: Mapping[str, Any]) -> Iterator[str]:
    design, status = _part(protocol, "designModule"), _part(protocol, "statusModule")
    facts = {
        "Study type": _text(design, "studyType"),
        "Phase": ", ".join(map(str, _items(design.get("phases")))),
        "Enrolment": _text(design, "enrollmentInfo", "count"),
        "Status": _text(status, "overallStatus"),
        "Start": _text(status, "startDateStruct", "date"),
        "Completion": _text(status, "completionDateStruct", "date"),
    }
    yield from (f"{name}: {fact}" for name, fact in facts.items() if fact)


def _metadata(protocol: Mapping[str, Any]) -> dict[str, Any]:
    sponsor = _text(protocol, "sponsorCollaboratorsModule", "leadSponsor", "name")
    return {
        "source_type": "trial",
        "source_id": _text(protocol, "identificationModule", "nctId"),
        "authors": [sponsor] if sponsor else [],
        "journal": _REGISTER,
        "publication_date": _text(protocol, "statusModule", "studyFirstPostDateStruct", "date"),
    }


def _named(values: Any, name: str, *more: str) -> Iterator[str]:
    """Yield each record as "name: what more it says"."""
    for value in _items(values):
        details = ". ".join(filter(None, (_text(value, key).rstrip(".") for key in more)))
        yield ": ".join(filter(None, (_text(value, name), details)))


def _listed(items: Iterable[str]) -> str:
    return "\n".join(f"- {' '.join(item.split())}" for item in items if item.strip())


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _part(value: Any, key: str) -> Mapping[str, Any]:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _text(value: Any, *path: str) -> str:
    """Return the text at a path of keys; empty where there is none."""
    for key in path[:-1]:
        value = _part(value, key)
    found = value.get(path[-1]) if isinstance(value, dict) else None
    return found.strip() if isinstance(found, str) else ""
