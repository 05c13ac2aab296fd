"""Reads profiles: finds the file, lays it over its base and the defaults, and says everything that is wrong in it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

from pipelines.errors import Problem, ProfileError, nearest
from pipelines.profile.checking import checked
from pipelines.profile.environment import EnvironmentText, filled
from pipelines.profile.found import Found, Steps, spoken
from pipelines.profile.places import models_in, tag_of
from pipelines.profile.reading import read_yaml
from pipelines.profile.schema import Profile, Retrieval
from pipelines.profile.stages import CrossEncoderStage

_BUILT_IN = Path(__file__).resolve().parents[2] / "configs"
_TAGS = {name: tag_of(models_in(field.annotation)) for name, field in Profile.model_fields.items()}


@dataclass(frozen=True, slots=True)
class LoadedProfile:
    """A profile, the file it was read from, and the folder that its relative paths start at."""

    profile: Profile
    path: Path

    @property
    def folder(self) -> Path:
        """The folder of the profile's file."""
        return self.path.parent

    @property
    def knowledge_folder(self) -> Path | None:
        """The tenant's folder of documents, if it has one."""
        path = self.profile.knowledge.path
        return None if path is None else self._resolved(path)

    @property
    def roots(self) -> tuple[Path, ...]:
        """The folders whose files a request may name by their paths."""
        named = [self._resolved(root) for root in self.profile.knowledge.roots if root is not None]
        return tuple(named or ([self.knowledge_folder] if self.knowledge_folder else []))

    def _resolved(self, path: Path) -> Path:
        return (self.folder / os.path.expanduser(path)).resolve()


class _Layer(NamedTuple):
    """One file of a profile: the profile itself, or a base further down."""

    path: Path
    tree: dict[str, Any]


def load_profile(name: str | Path, environment: Mapping[str, str] = os.environ) -> LoadedProfile:
    """The profile of a tenant folder, a YAML file, or a folder in ``configs/``.

    Raises:
        ProfileError: The file is missing, is not YAML, or says something that a profile cannot say. All problems are
            listed, each with its path and the nearest known name.
    """
    path = find_profile(name)
    layers = tuple(_layers(path, environment))
    profile, found = checked(reduce(_overlay, (layer.tree for layer in reversed(layers)), Profile().dump()))
    if found or profile is None:
        raise ProfileError(str(name), tuple(_problem(one, layers) for one in found))
    return LoadedProfile(_with_folders(profile, path.parent), path)


def _with_folders(profile: Profile, folder: Path) -> Profile:
    """The profile with the full path of each model that is a folder beside it, and of its synonyms."""
    stages = tuple(
        stage.model_copy(update={"model": _beside(folder, stage.model)})
        if isinstance(stage, CrossEncoderStage)
        else stage
        for stage in profile.rerank
    )
    nli = profile.answer.nli
    answer = profile.answer.model_copy(update={"nli": nli and _beside(folder, nli)})
    return profile.model_copy(
        update={"rerank": stages, "answer": answer, "retrieval": _with_synonyms(folder, profile.retrieval)}
    )


def _with_synonyms(folder: Path, retrieval: Retrieval) -> Retrieval:
    file = retrieval.expansion.synonyms
    if file is None:
        return retrieval
    expansion = retrieval.expansion.model_copy(update={"synonyms": folder / os.path.expanduser(file)})
    return retrieval.model_copy(update={"expansion": expansion})


def _beside(folder: Path, model: str) -> str:
    path = os.path.join(folder, os.path.expanduser(model))
    return path if os.path.isdir(path) else model


def find_profile(name: str | Path) -> Path:
    """The YAML file that a PROFILE argument means, as an absolute path that follows no link."""
    given = Path(name)
    places = [given, given / "profile.yaml"]
    if len(given.parts) == 1:
        for configs in (Path("configs"), _BUILT_IN):
            places += [configs / given / "profile.yaml", configs / f"{given}.yaml"]
    for place in places:
        if os.path.isfile(place):  # unlike Path's, it is False where nothing can be looked up
            return Path(os.path.abspath(place))
    if os.path.isdir(given):
        raise ProfileError(str(name), (Problem("", "is a folder without a profile.yaml"),))
    problem = "no such tenant folder, YAML file, or folder in configs/"
    raise ProfileError(str(name), (Problem("", problem, nearest(str(name), _known_names())),))


def _known_names() -> list[str]:
    folders = (Path("configs"), _BUILT_IN)
    tenants = {path.parent.name for configs in folders for path in configs.glob("*/profile.yaml")}
    return sorted(tenants | {path.stem for configs in folders for path in configs.glob("*.yaml")})


def _layers(path: Path, environment: Mapping[str, str], above: tuple[Path, ...] = ()) -> Iterator[_Layer]:
    """The file at ``path`` and its bases, the uppermost first."""
    if path.resolve() in above:
        circle = " extends ".join(file.name for file in (*above[above.index(path.resolve()) :], path))
        raise ProfileError(str(path), (Problem("extends", f"the bases go round in a circle: {circle}"),))
    tree = filled(read_yaml(path), environment)
    base = tree.pop("extends", None)
    yield _Layer(path, tree)
    if base is not None:
        yield from _layers(_base(path, base), environment, (*above, path.resolve()))


def _base(path: Path, base: Any) -> Path:
    if isinstance(base, EnvironmentText) and base.faults:
        raise ProfileError(str(path), tuple(Problem("extends", fault) for fault in base.faults))
    if not isinstance(base, str) or not base:
        raise ProfileError(str(path), (Problem("extends", "must name one YAML file"),))
    found = Path(os.path.abspath(path.parent / base))
    if not os.path.isfile(found):
        raise ProfileError(str(path), (Problem("extends", f"there is no file {base}, seen from the profile's folder"),))
    return found


def _overlay(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """``over`` laid on ``base``; a section that chooses another provider or engine takes nothing of the base's."""
    kept = {key: value for key, value in base.items() if not _chooses_another(_TAGS.get(key), value, over.get(key))}
    return _merged(kept, over)


def _chooses_another(tag: str | None, base: Any, over: Any) -> bool:
    return isinstance(base, dict) and isinstance(over, dict) and tag in over and base.get(tag) not in (None, over[tag])


def _merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    merged = base | over
    for key in base.keys() & over.keys():
        if isinstance(base[key], dict) and isinstance(over[key], dict):
            merged[key] = _merged(base[key], over[key])
    return merged


def _problem(found: Found, layers: tuple[_Layer, ...]) -> Problem:
    """The problem as it is printed, with the base it comes from where the profile itself does not say it."""
    origin = next((layer.path for layer in layers if _says(layer.tree, found.path)), layers[0].path)
    where = "" if origin == layers[0].path else f" (in {origin.name})"
    return Problem(spoken(found.path), found.message + where, found.suggestion)


def _says(tree: Any, path: Steps) -> bool:
    for step in path:
        known = step in tree if isinstance(tree, dict) else isinstance(tree, list) and step in range(len(tree))
        if not known:
            return False
        tree = tree[step]
    return True
