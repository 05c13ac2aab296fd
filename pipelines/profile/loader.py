"""Loads profiles: finds the file, merges it with its bases and the defaults, and reports all issues."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

from pipelines.errors import Problem, ProfileError, nearest
from pipelines.profile.checking import validate
from pipelines.profile.environment import EnvironmentText, substitute
from pipelines.profile.issues import ProfileIssue, Steps, format_path
from pipelines.profile.places import models_in, tag_of
from pipelines.profile.schema import Profile
from pipelines.profile.sections.embedding import EmbeddingSection, HuggingFaceEmbedding
from pipelines.profile.sections.rerank import CrossEncoderStage
from pipelines.profile.sections.retrieval import Retrieval
from pipelines.profile.yaml_file import read_yaml

_BUILT_IN = Path(__file__).resolve().parents[2] / "configs"
_DOCUMENTS = (".csv", ".docx", ".eml", ".htm", ".html", ".md", ".odt", ".pdf", ".pptx", ".rst", ".txt", ".xlsx", ".zip")
"""Endings of files that are no profiles."""
_IN_MEMORY = "profile in memory"
"""The file name of a profile that no file holds."""
_TAGS = {name: tag_of(models_in(field.annotation)) for name, field in Profile.model_fields.items()}


@dataclass(frozen=True, slots=True)
class LoadedProfile:
    """A profile and the file it was read from; relative paths start at the file's folder."""

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
        """The folders whose files a request may name by path."""
        named = [self._resolved(root) for root in self.profile.knowledge.roots if root is not None]
        return tuple(named or ([self.knowledge_folder] if self.knowledge_folder else []))

    def _resolved(self, path: Path) -> Path:
        return (self.folder / os.path.expanduser(path)).resolve()


class _Layer(NamedTuple):
    """One file of a profile: the profile itself, or a base further down."""

    path: Path
    tree: dict[str, Any]


def load_profile(name: str | Path | Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> LoadedProfile:
    """Load the profile of a tenant folder, a YAML file, or a folder in ``configs/``; or one written as a mapping.

    The relative paths of a mapping, that of its base too, start at the working folder.

    Raises:
        ProfileError: The file is missing, is not YAML, or says something that a profile cannot say. All problems are
            listed, each with its path and the nearest known name.
    """
    if isinstance(name, Mapping):
        path, shown = Path.cwd() / _IN_MEMORY, str(name.get("tenant", "in memory"))
        layers = tuple(_with_bases(path, _plain(name), environment))
    else:
        path, shown = find_profile(name), str(name)
        layers = tuple(_layers(path, environment))
    profile, found = validate(reduce(_overlay, (layer.tree for layer in reversed(layers)), Profile().dump()))
    if found or profile is None:
        raise ProfileError(shown, tuple(_problem(one, layers) for one in found))
    return LoadedProfile(_with_folders(profile, [layer.path.parent for layer in layers]), path)


def _plain(value: Any) -> Any:
    """Return a Python mapping with the types that YAML would give."""
    match value:
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case Path():
            return str(value)
    return value


def _with_folders(profile: Profile, folders: Sequence[Path]) -> Profile:
    """Return the profile with full paths of synonyms and an adapter, and of models that are folders beside it.

    The first of ``folders`` is the profile's, the others are those of its bases.
    """
    folder = folders[0]
    stages = tuple(
        stage.model_copy(update={"model": _beside(folder, stage.model)})
        if isinstance(stage, CrossEncoderStage)
        else stage
        for stage in profile.rerank
    )
    nli = profile.answer.nli
    answer = profile.answer.model_copy(update={"nli": nli and _beside(folder, nli)})
    changes: dict[str, Any] = {"rerank": stages, "answer": answer}
    changes["retrieval"] = _with_synonyms(folders, profile.retrieval)
    changes["embedding"] = _with_embedding(folder, profile.embedding)
    return profile.model_copy(update=changes)


def _with_embedding(folder: Path, embedding: EmbeddingSection) -> EmbeddingSection:
    changes: dict[str, Any] = {}
    if embedding.adapter is not None:
        changes["adapter"] = folder / os.path.expanduser(embedding.adapter)
    # An added model may have the name of the folder that its weights came from.
    if isinstance(embedding, HuggingFaceEmbedding) and embedding.model.startswith((".", "~")):
        changes["model"] = _beside(folder, embedding.model)
    return embedding.model_copy(update=changes)


def _with_synonyms(folders: Sequence[Path], retrieval: Retrieval) -> Retrieval:
    files = {"synonyms": retrieval.expansion.synonyms, "names": retrieval.expansion.names}
    paths = {key: _nearest_file(folders, file) for key, file in files.items() if file is not None}
    return retrieval.model_copy(update={"expansion": retrieval.expansion.model_copy(update=paths)})


def _nearest_file(folders: Sequence[Path], file: Path) -> Path:
    """Return a file beside the profile or, where there is none, beside the nearest base: the one that names it."""
    places = [folder / os.path.expanduser(file) for folder in folders]
    return next((place for place in places if os.path.isfile(place)), places[0])


def _beside(folder: Path, model: str) -> str:
    path = os.path.join(folder, os.path.expanduser(model))
    return path if os.path.isdir(path) else model


def find_profile(name: str | Path) -> Path:
    """Find the YAML file that a PROFILE argument names; an absolute path, links not resolved."""
    if not isinstance(name, str | os.PathLike):
        advice = "a profile is a tenant folder, a YAML file, the name of a folder in configs/, or a mapping"
        raise ProfileError(type(name).__name__, (Problem("", advice),))
    given = Path(name)
    if given.suffix.lower() in _DOCUMENTS and os.path.isfile(given):
        advice = f"is a file and no profile: name its folder, {given.parent}, or a tenant that it is in"
        raise ProfileError(str(name), (Problem("", advice),))
    places = [given, given / "profile.yaml"]
    if len(given.parts) == 1:
        for configs in (Path("configs"), _BUILT_IN):
            places += [configs / given / "profile.yaml", configs / f"{given}.yaml"]
    for place in places:
        if os.path.isfile(place):  # unlike Path.is_file, it is False for a path that cannot be looked up
            return Path(os.path.abspath(place))
    if os.path.isdir(given):
        raise ProfileError(str(name), (Problem("", f"has no profile.yaml; run `footnote init {name}` to create one"),))
    problem = "no such tenant folder, YAML file, or folder in configs/"
    similar = nearest(given.name, _known_names(given))
    raise ProfileError(str(name), (Problem("", problem, similar and str(given.with_name(similar))),))


def _known_names(given: Path) -> list[str]:
    """Return what could be meant in the place of ``given``: folders and YAML files there, for a name also those in
    ``configs/``.
    """
    beside = [path for path in given.parent.glob("*") if not path.name.startswith(".")]
    names = {path.name for path in beside if path.suffix in (".yaml", ".yml") or os.path.isdir(path)}
    folders = (Path("configs"), _BUILT_IN) if len(given.parts) == 1 else ()  # a path resembles no name
    names |= {path.parent.name for configs in folders for path in configs.glob("*/profile.yaml")}
    return sorted(names | {path.stem for configs in folders for path in configs.glob("*.yaml")})


def _layers(path: Path, environment: Mapping[str, str], above: tuple[Path, ...] = ()) -> Iterator[_Layer]:
    """The file at ``path`` and its bases, the file first."""
    if path.resolve() in above:
        circle = " extends ".join(file.name for file in (*above[above.index(path.resolve()) :], path))
        raise ProfileError(str(path), (Problem("extends", f"the bases form a cycle: {circle}"),))
    yield from _with_bases(path, read_yaml(path), environment, above)


def _with_bases(
    path: Path, written: dict[str, Any], environment: Mapping[str, str], above: tuple[Path, ...] = ()
) -> Iterator[_Layer]:
    """The layer written at ``path``, then its bases."""
    tree = substitute(written, environment)
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
        missing = f"there is no file {base}, seen from the profile's folder"
        raise ProfileError(str(path), (Problem("extends", missing, _similar_base(path, base)),))
    return found


def _similar_base(path: Path, base: str) -> str | None:
    """Return a base that could be meant: a profile in the folder, or one that Footnote brings, by its whole path."""
    places = {one.stem: str(one) for one in _BUILT_IN.glob("*.yaml")}
    places |= {one.stem: one.name for one in path.parent.glob("*.y*ml") if one != path}
    return places.get(nearest(Path(base).stem, sorted(places)) or "")


def _overlay(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Merge ``over`` into ``base``; a section with another provider or engine inherits nothing."""
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


def _problem(found: ProfileIssue, layers: tuple[_Layer, ...]) -> Problem:
    """Return the problem as printed, with the name of the base that it comes from."""
    origin = next((layer.path for layer in layers if _says(layer.tree, found.path)), layers[0].path)
    where = "" if origin == layers[0].path else f" (in {origin.name})"
    return Problem(format_path(found.path), found.message + where, found.suggestion)


def _says(tree: Any, path: Steps) -> bool:
    for step in path:
        known = step in tree if isinstance(tree, dict) else isinstance(tree, list) and step in range(len(tree))
        if not known:
            return False
        tree = tree[step]
    return True
