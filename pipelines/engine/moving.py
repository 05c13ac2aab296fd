"""Moves a tenant from Qdrant Edge and SQLite to a Qdrant server and PostgreSQL, or back, and verifies it there.

Chunks are copied first, as they are stored; then all rows, in one transaction. Until that ends, the new place holds no
tenant that could be served. The old place is left as it is.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pipelines.catalogue import Catalogue, Claim
from pipelines.catalogue.copying import copy_rows, remove_rows
from pipelines.components.sparse import Bm25Encoder
from pipelines.components.store.chunk_store import ChunkStore, build_vector_store
from pipelines.engine.assembly import Parts, open_parts
from pipelines.engine.parts.store_names import collection_name, folder_name
from pipelines.engine.parts.view import view_of
from pipelines.engine.restoring import new_data_folder, require_empty
from pipelines.engine.upkeep.probing import Leg, Probe, Probing, Text
from pipelines.errors import InvalidRequest, Problem
from pipelines.profile.loader import LoadedProfile, load_profile
from pipelines.profile.schema import Profile
from pipelines.query.kinds import checked_flag

_FIRST = Claim("", {}, 0)
"""The generation of the stores that are moved to."""
_TOLERANCE = {"dense": 1e-3, "sparse": 0.05}
"""How far scores may differ: engines round otherwise, and a store that removed nothing yet counts more chunks.

Every shard weighs words by its own chunks: scores of words are compared where both places have one shard.
"""


@dataclass(frozen=True, slots=True)
class MoveReport:
    """What was moved and verified."""

    texts: int
    chunks: int
    probes: int
    rows: int


@dataclass(frozen=True, slots=True)
class _Contents:
    """What both places must hold alike."""

    snapshot: int
    texts: list[Text]
    chunks: int
    digest: int
    probes: list[Probe]
    words: dict[str, dict[int, float]]
    """Stored weights of words, of the chunks that the probes find by them."""
    sharded: bool


def move(
    source: str | Path | LoadedProfile,
    target: str | Path | LoadedProfile,
    data: str | Path,
    *,
    replace_documents: bool = False,
) -> MoveReport:
    """Move a tenant to the store and catalogue that another profile names.

    Every version's text, every chunk's payload and the answers to ten searches are compared before it counts. No
    process should serve the tenant during the move; commits of other processes wait.

    Args:
        source: The tenant's profile, as it is now, or what `pipelines.open_engine` takes for it.
        target: A profile, or a base of profiles, of which the sections ``store`` and ``catalogue`` count.
        data: Folder of the data.
        replace_documents: Replace what the tenant holds there.

    Raises:
        InvalidRequest: The move is not between Edge with SQLite and a server with PostgreSQL, or differs at its end.
        TenantNotEmpty: The tenant holds something there, and ``replace_documents`` is not set.
        DataFolderHeld: Another process works on the tenant's data.
        StoreUnavailable: A store or a database does not do its part.
        ProfileError: A profile cannot be used.
    """
    checked_flag("replace_documents", replace_documents)
    origin = source if isinstance(source, LoadedProfile) else load_profile(source)
    aimed = _aimed(origin, target if isinstance(target, LoadedProfile) else load_profile(target))
    folder = Path(data)
    with ExitStack() as opened:
        parts = open_parts(origin, folder, opened)
        with _place(aimed.profile, folder, replace_documents) as root, parts.catalogue.paused():
            for log in (parts.records.answers, parts.records.usage):
                log.flush()
            rows = _copy(parts, aimed.profile, root)
            contents = _contents(parts)
            try:
                _verify(aimed, root, contents)
            except BaseException:
                _remove(aimed.profile, root)
                raise
    return MoveReport(len(contents.texts), contents.chunks, len(contents.probes), rows)


def _aimed(source: LoadedProfile, target: LoadedProfile) -> LoadedProfile:
    """Return the tenant's profile with the store and the catalogue of ``target``."""
    sections = {"store": target.profile.store, "catalogue": target.profile.catalogue}
    profile = source.profile.model_copy(update=sections)
    if {_kind(source.profile), _kind(profile)} != {"embedded", "server"}:
        message = "a move goes from Qdrant Edge and SQLite to a Qdrant server and PostgreSQL, or back"
        raise InvalidRequest(Problem("to", message))
    return replace(source, profile=profile)


def _kind(profile: Profile) -> str:
    kinds = {("edge", True): "embedded", ("server", False): "server"}
    return kinds.get((profile.store.engine, profile.catalogue.url is None), "mixed")


def _place(profile: Profile, data: Path, replace_documents: bool) -> AbstractContextManager[Path]:
    """Return the data folder to fill."""
    if profile.store.engine == "edge":
        return new_data_folder(data, profile.tenant, replace_documents)
    return _on_servers(profile, data, replace_documents)


@contextmanager
def _on_servers(profile: Profile, data: Path, replace_documents: bool) -> Iterator[Path]:
    if not replace_documents:
        require_empty(_catalogue(profile, data))
    yield data


def _catalogue(profile: Profile, root: Path) -> Catalogue:
    url = profile.catalogue.url
    if url is not None:
        return Catalogue.open(url.get_secret_value(), profile.tenant, connections=profile.catalogue.connections)
    return Catalogue.in_folder(root / profile.tenant, profile.tenant)


def _remove(profile: Profile, root: Path) -> None:
    catalogue = _catalogue(profile, root)
    try:
        remove_rows(catalogue.engine, profile.tenant)
    finally:
        catalogue.close()


def _copy(parts: Parts, aimed: Profile, root: Path) -> int:
    if aimed.store.engine == "edge":
        (root / aimed.tenant).mkdir(mode=0o700, parents=True)
    _remove(aimed, root)  # a killed move leaves chunks without rows, which are never served
    store = _open_store(parts, aimed, root)
    try:
        store.clear()
        parts.indexes.current.store.copy_points_to(store)
        store.optimize()
    finally:
        store.close()
    catalogue = _catalogue(aimed, root)
    try:
        return copy_rows(parts.catalogue.engine, catalogue.engine, aimed.tenant, {"generation": 0})
    finally:
        catalogue.close()


def _open_store(parts: Parts, aimed: Profile, root: Path) -> ChunkStore:
    current = parts.indexes.current
    return build_vector_store(
        aimed.store,
        folder=root / aimed.tenant / folder_name(_FIRST),
        collection=collection_name(aimed, _FIRST),
        dimensions=current.dimensions,
        fields=parts.profile.metadata.filterable,
        encoder=Bm25Encoder(parts.profile.sparse),
        tokens=current.store.holds_tokens,
    )


def _contents(parts: Parts) -> _Contents:
    probing, snapshot = _probing(parts), parts.catalogue.snapshot
    texts = probing.texts()
    store = parts.indexes.current.store
    probes = probing.probes(snapshot, texts, exact=True)
    return _Contents(snapshot, texts, *_digest(store), probes, store.words(_worded(probes)), store.shards > 1)


def _worded(probes: list[Probe]) -> list[str]:
    return sorted({chunk_id for probe in probes for chunk_id, _ in probe.legs["sparse"]})


def _probing(parts: Parts) -> Probing:
    return Probing(view_of(parts.catalogue, parts.indexes, parts.writing.cleaner.hidden_at))


def _digest(store: ChunkStore) -> tuple[int, int]:
    """Return the number of chunks, and the sum of the hashes of their payloads: engines list them in orders of their
    own.
    """
    chunks = total = 0
    for chunk_id, payload in store.scan():
        line = json.dumps([chunk_id, payload], sort_keys=True, ensure_ascii=False)
        total += int.from_bytes(hashlib.sha256(line.encode("utf-8", "surrogatepass")).digest())
        chunks += 1
    return chunks, total % 2**256


def _verify(aimed: LoadedProfile, root: Path, expected: _Contents) -> None:
    with ExitStack() as opened:
        parts = open_parts(aimed, root, opened)
        store = parts.indexes.current.store
        probing, found = _probing(parts), _digest(store)
        wrong = [] if probing.texts() == expected.texts else ["the texts of versions"]
        if found != (expected.chunks, expected.digest):
            wrong.append(f"chunks ({found[0]} of {expected.chunks} were found)")
        if not _same_words(expected.words, store.words(_worded(expected.probes))):
            wrong.append("the weights of words")
        compared = {"dense"} if expected.sharded or store.shards > 1 else _TOLERANCE.keys()
        for probe in expected.probes:
            legs = probing.legs(expected.snapshot, probe, exact=True)
            if not all(_alike(probe.legs[name], legs[name], _TOLERANCE[name]) for name in compared):
                wrong.append(f'what is found for "{probe.text}"')
    if wrong:
        raise InvalidRequest(Problem("to", f"the moved tenant differs: {'; '.join(wrong[:10])}; it was not moved"))


def _same_words(before: dict[str, dict[int, float]], after: dict[str, dict[int, float]]) -> bool:
    return before.keys() == after.keys() and all(
        words.keys() == after[key].keys()
        and all(math.isclose(weight, after[key][word], rel_tol=1e-6) for word, weight in words.items())
        for key, words in before.items()
    )


def _alike(before: Leg, after: Leg, tolerance: float) -> bool:
    pairs = zip((score for _, score in before), (score for _, score in after), strict=False)
    return len(before) == len(after) and all(math.isclose(*pair, rel_tol=tolerance, abs_tol=1e-3) for pair in pairs)
