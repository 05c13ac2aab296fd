"""Builds the components that installed packages add."""

from __future__ import annotations

from typing import Any

from pipelines.errors import Problem, ProfileError
from pipelines.profile.plugins import Kind, find_component
from pipelines.profile.values import Section


def build_installed(kind: Kind, name: str, section: Section, expected: type[Any]) -> Any:
    """Return the component of an installed package that ``section`` names; None if the name is not one of a
    package's.

    Raises:
        ProfileError: The package makes something else.
    """
    component = find_component(kind, name)
    if component is None:
        return None
    made = component.factory(section)
    if not isinstance(made, expected):
        problem = f"its package made a {type(made).__name__}, not a LlamaIndex {expected.__name__}"
        raise ProfileError("with installed components", (Problem(name, problem),))
    return made
