"""What published documents promise, checked: the shapes of answers, and OpenAPI documents that do not drift.

A contract's folder holds ``schemas.json``, JSON Schemas by name, written from its document, and ``openapi.json``.
``FOOTNOTE_WRITE_OPENAPI=1 pytest tests/app/contracts`` writes the latter anew.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from app.contracts import CONTRACTS
from pipelines.profile.schema import Profile


def check_shape(value: Any, name: str, schemas: Path) -> None:
    """Checks ``value`` against the schema ``name`` of a contract."""
    known = json.loads(schemas.read_text(encoding="utf-8"))
    schema = {"$defs": known, "$ref": f"#/$defs/{name}"}
    Draft202012Validator.check_schema(schema)
    problems = sorted(Draft202012Validator(schema, format_checker=FormatChecker()).iter_errors(value), key=str)
    assert not problems, "\n".join(f"{problem.json_path}: {problem.message}" for problem in problems)


def check_openapi(contract: str, written: Path) -> None:
    """Checks that a contract's OpenAPI document is the one that was committed."""
    document = CONTRACTS[contract](Profile(tenant=contract, title=contract)).openapi()
    text = json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    if os.environ.get("FOOTNOTE_WRITE_OPENAPI"):
        written.write_text(text, encoding="utf-8")
    assert written.read_text(encoding="utf-8") == text, "run: FOOTNOTE_WRITE_OPENAPI=1 pytest tests/app/contracts"
