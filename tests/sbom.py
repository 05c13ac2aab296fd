"""Writes a software bill of materials: ``python -m tests.sbom FILE`` lists what the installed service consists of.

CycloneDX 1.6 in JSON, of the distribution ``footnote-rag`` and everything that it asks for, as it is installed. Of each
component it holds the SHA-256 of its ``RECORD``, which has the hash of each installed file.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any
from uuid import uuid4

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = "footnote-rag"
_EXTRAS = ("", "postgres")


def bill(extras: Sequence[str] = _EXTRAS) -> dict[str, Any]:
    """The bill of what is installed of the service with these extras."""
    parts = dict(_installed(ROOT, extras))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid4()}",
        "version": 1,
        "metadata": {"timestamp": datetime.now(UTC).isoformat(), "component": _component(parts.pop(ROOT))},
        "components": [_component(parts[name]) for name in sorted(parts)],
    }


def _installed(root: str, extras: Sequence[str]) -> Iterator[tuple[str, Distribution]]:
    """The distributions that are reached from ``root`` by what each asks for."""
    waiting, seen = [(root, tuple(extras))], set[tuple[str, str]]()
    found = set[str]()
    while waiting:
        name, wanted = waiting.pop()
        new = [extra for extra in wanted if (name, extra) not in seen]
        seen.update((name, extra) for extra in new)
        try:
            part = distribution(name)
        except PackageNotFoundError:
            continue  # an alternative that is not installed
        if name not in found:
            found.add(name)
            yield name, part
        for line in part.requires or ():
            asked = Requirement(line)
            if any(asked.marker is None or asked.marker.evaluate({"extra": extra}) for extra in new):
                waiting.append((canonicalize_name(asked.name), ("", *sorted(asked.extras))))


def _component(part: Distribution) -> dict[str, Any]:
    name = canonicalize_name(part.metadata["Name"])
    record = part.read_text("RECORD") or ""
    said = part.metadata.get("License-Expression") or (part.metadata.get("License") or "").split("\n")[0]
    licensed = {"licenses": [{"license": {"name": said}}]} if said else {}
    return {
        "type": "application" if name == ROOT else "library",
        "bom-ref": f"pkg:pypi/{name}@{part.version}",
        "name": name,
        "version": part.version,
        "purl": f"pkg:pypi/{name}@{part.version}",
        "properties": [{"name": "record-sha256", "value": hashlib.sha256(record.encode()).hexdigest()}],
        **licensed,
    }


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(bill(), indent=1), encoding="utf-8")
