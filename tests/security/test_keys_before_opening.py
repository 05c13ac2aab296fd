"""Where other machines can reach a server, a tenant without keys is refused before it is opened."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from fastapi import FastAPI

from app.main import create_app
from app.settings import Settings
from pipelines.engine import open_engine
from pipelines.errors import ProfileError
from tests.congruence.backends import BACKENDS, catalogue_of

PROFILE = "tenant: cats\njobs: {run: worker}\nknowledge: {path: knowledge, sync: startup}\n"


async def started(app: FastAPI) -> None:
    async with app.router.lifespan_context(app):
        pass


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_tenant_with_data_and_no_keys_loads_no_knowledge(backend: str, tmp_path: Path) -> None:
    with catalogue_of(backend) as lines:
        profile, data = tmp_path / "cats.yaml", tmp_path / "data"
        profile.write_text(PROFILE + lines, encoding="utf-8")
        (tmp_path / "knowledge").mkdir()
        with open_engine(profile, data):
            pass
        (tmp_path / "knowledge" / "new.txt").write_text("Cats sleep.", encoding="utf-8")
        with pytest.raises(ProfileError, match="or start with --insecure"):
            asyncio.run(started(create_app([profile], Settings(data=data, host="0.0.0.0"))))
        with open_engine(profile, data) as engine:
            assert engine.stats().documents == 0
            engine.keys.create("phone", "reader")
        asyncio.run(started(create_app([profile], Settings(data=data, host="0.0.0.0"))))
        with open_engine(profile, data) as engine:
            assert engine.stats().documents == 1
