from collections.abc import Callable
from pathlib import Path

import pytest

from pipelines.errors import ProfileError
from pipelines.profile.loader import load_profile
from pipelines.profile.schema import Profile

Write = Callable[..., Path]
Load = Callable[..., Profile]
Problems = Callable[..., list[str]]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str | bytes, name: str = "profile.yaml") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written


@pytest.fixture
def load(write: Write) -> Load:
    """The profile that a text describes, with the given environment."""
    return lambda text, **environment: load_profile(write(text), environment).profile


@pytest.fixture
def problems(write: Write) -> Problems:
    """Everything that is wrong with a text, as it is printed."""

    def found(text: str | bytes, **environment: str) -> list[str]:
        path = write(text)
        with pytest.raises(ProfileError) as refusal:
            load_profile(path, environment)
        return [str(problem) for problem in refusal.value.problems]

    return found
