"""A tenant's stores of vectors: the one in use, and the one that another embedding model fills beside it."""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pipelines.catalogue import Catalogue, Claim, EmbeddingCache
from pipelines.components.embedding import Embedder, lost_embedding
from pipelines.components.llm import Llm
from pipelines.components.own import NO_COMPONENTS, OwnComponents
from pipelines.components.rerankers import StageResources, build_rerankers
from pipelines.components.rerankers.own import OwnStage
from pipelines.components.sparse import Bm25Encoder
from pipelines.components.store.chunk_store import ChunkStore, build_vector_store
from pipelines.engine.parts.embedders import Embedders, tokens_of
from pipelines.engine.parts.store_names import collection_name, folder_name, former_collections
from pipelines.errors import (
    CatalogueClosed,
    CatalogueMissing,
    StoreDamaged,
    StoreFilesDamaged,
    StoreUnavailable,
)
from pipelines.events import Observe, ignore_event
from pipelines.ingestion.generations import bring_level, build_beside
from pipelines.ingestion.pipeline import Report
from pipelines.ingestion.space import Space
from pipelines.ingestion.transforms import Embed
from pipelines.ingestion.visibility import undo_beyond
from pipelines.profile.schema import Profile
from pipelines.profile.synonyms import read_synonyms
from pipelines.query.expansion import Expander
from pipelines.query.finder import Finder
from pipelines.query.level_weights import level_weights
from pipelines.query.lexicon import read_lexicon
from pipelines.types import Mode, Progress

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenIndex:
    """A store with its model, to write into and to search; ``mode`` is how it is searched by default."""

    space: Space
    finder: Finder
    mode: Mode
    folder: str

    @property
    def store(self) -> ChunkStore:
        """The store."""
        return self.space.store

    @property
    def dimensions(self) -> int:
        """The length of its vectors."""
        return self.finder.dimensions


class Indexes:
    """A tenant's stores. A process that shares the tenant notices when another one flips to the next generation.

    Args:
        profile: The tenant's profile; its embedding is what a new generation is made with.
        folder: Where the embedded engine keeps the stores.
        catalogue: Says which generation is in use.
        cache: Where vectors are kept by their texts, if they are.
        llm: The language model, for the stages that ask one.
        own: Components of the caller's own.
        observe: Receives the events of the embedding model, its cache and the store.
        repairing: An empty or damaged store is opened, and recreated if it cannot be read, so that it can be filled.
            By default it is refused.
    """

    def __init__(
        self,
        profile: Profile,
        folder: Path,
        catalogue: Catalogue,
        cache: EmbeddingCache | None,
        llm: Llm | None,
        *,
        own: OwnComponents = NO_COMPONENTS,
        observe: Observe = ignore_event,
        repairing: bool = False,
    ) -> None:
        self._profile = profile
        self._repairing = repairing
        self.own = own
        self._folder = folder
        self._catalogue = catalogue
        self._cache = cache
        self._llm = llm
        self._observe = observe
        self._opening = threading.Lock()
        self._building = threading.Lock()
        self._copying = threading.Lock()
        self._retired: list[ChunkStore] = []
        self._held: set[str] = set()  # folders of stores that are open
        self.is_closed = False
        self._tokens = tokens_of(profile)
        self._embedders = Embedders(own, observe)
        self.embedder = self._embedders.of_profile(profile, self._tokens)
        claim = self._claim()
        self._current = self._open(claim)
        if claim.fresh:
            self._require_no_chunks()
        elif not repairing:
            self._require_chunks()
        self._clear_away(claim)

    @property
    def profile(self) -> Profile:
        """The tenant's profile, with what was changed while it is open."""
        return self._profile

    def close(self) -> None:
        """Close every store."""
        self.is_closed = True
        for store in (*self._retired, self._current.store):
            store.close()

    @property
    def current(self) -> OpenIndex:
        """The store in use; a `CatalogueClosed` is raised where the tenant was closed."""
        if self.is_closed:
            raise CatalogueClosed
        if self._catalogue.position[1] != self._current.space.generation:
            with self._opening:
                claim = self._claim()
                if claim.generation != self._current.space.generation:
                    self._replace(self._open(claim))
        return self._current

    def stores(self) -> Sequence[ChunkStore]:
        """Return the store in use, and then those that readers may still be at work in."""
        return (self.current.store, *self._retired)

    def scrub(self) -> None:
        """Erase what was removed from the stores' files, once no other store is being built or copied from them."""
        with self._building, self._copying:
            self._remove_folders_except(self._held)  # a store that was begun holds copies
            self._remove_former_collections()
            for store in self.stores():
                store.scrub()

    @contextmanager
    def unscrubbed(self) -> Iterator[None]:
        """Let `scrub` wait until the block ends: it would remove copies that are not complete."""
        with self._copying:
            yield

    def copy_to(self, folder: Path) -> None:
        """Copy the files of the store in use, below ``folder`` as they stand below the data folder."""
        self.current.store.copy_to(folder / self.current.folder)

    def vectors(self, texts: Sequence[str]) -> Any:
        """Return what the profile's model makes of ``texts``: one row each."""
        return self.embedder.vectors(texts)

    def adopt(self, profile: Profile) -> None:
        """Go by another profile from now on, which is otherwise like the one before.

        The shape of the graph is changed at once, and the graph when it is next optimised. Another model is loaded;
        searches keep using the one that the documents were embedded with, until `build_generation`.

        Raises:
            ModelMissing, MissingPackage: The model cannot be had.
        """
        embedder = self.embedder
        if profile.embedding != self._profile.embedding:
            embedder = self._embedders.of_profile(profile, self._tokens)
        if profile.store.hnsw != self._profile.store.hnsw:
            self.current.store.reshape(profile.store.hnsw)
        self._profile, self.embedder = profile, embedder
        self._claim()

    def build_generation(self, settle: Callable[[], object], report: Report) -> None:
        """Build the next generation with the profile's model and let readers go over to it, if it is another model.

        ``settle()`` must finish running changes of the store in use.
        """
        with self._building:
            claim = self._claim()
            if self._catalogue.embedded:
                return
            built = Claim(self.embedder.fingerprint, self._stored_section(), claim.generation + 1)
            following = self._open(built)
            try:
                self._fill_and_flip(following, settle, report)
            except BaseException:
                if self._current is not following:
                    following.store.close()
                    self._held.discard(folder_name(built))
                raise

    def _fill_and_flip(self, following: OpenIndex, settle: Callable[[], object], report: Report) -> None:
        old = self.current.store

        def last_look(snapshot: int) -> None:
            undo_beyond(old, snapshot)
            settle()
            bring_level(old, following.space, lambda _: None)

        build_beside(old, following.space, lambda chunks: report(Progress(0, None, chunks)))
        with self._opening:  # readers that notice the switch wait for the store, which is open already
            self._catalogue.flip(
                following.space.generation, self.embedder.fingerprint, self._stored_section(), last_look
            )
            self._replace(following)
            self._catalogue.embedded = True

    def _require_no_chunks(self) -> None:
        """Refuse a store that a catalogue knew which is no longer there: its chunks would pass for half a commit.

        Raises:
            CatalogueMissing: The store holds chunks.
        """
        held = self._current.store.count()
        if held:
            self._current.store.close()
            self._catalogue.disclaim()
            raise CatalogueMissing(self._profile.tenant, held)

    def _require_chunks(self) -> None:
        """Refuse a store that is empty although documents have chunks: every search would find nothing.

        Raises:
            StoreDamaged: It is.
        """
        if not self._current.store.count() and self._catalogue.counts_chunks():
            self._current.store.close()
            raise StoreDamaged(self._profile.tenant, "it is empty, and the catalogue's documents have chunks")

    def _replace(self, space: OpenIndex) -> None:
        """Let readers who are at work end on the old store, which stays open until the tenant is closed."""
        self._retired.append(self._current.store)
        self._current = space

    def _claim(self) -> Claim:
        claim = self._catalogue.claim(self.embedder.fingerprint, self._stored_section())
        self._catalogue.embedded = claim.embedding == self.embedder.fingerprint
        return claim

    def _stored_section(self) -> dict[str, Any]:
        """Return what is written down to load the model again; not secrets, and not what may change beside it."""
        section = self._profile.embedding.model_dump(mode="json", exclude={"api_key", "adapter", "device"})
        return {"section": section, "dimensions": self.embedder.dimensions, "tokens": self._tokens == "stored"}

    def _open(self, claim: Claim) -> OpenIndex:
        embedder = self._embedder_of(claim)
        lost = embedder is None
        embedder = embedder or lost_embedding(claim.embedding, claim.section["dimensions"])
        store = self._open_store(claim, embedder.dimensions)
        try:
            own = tuple(OwnStage(name, one) for name, one in self.own.rerankers.items())
            means = StageResources(store, embedder, self._catalogue.stored_texts, self._llm, own)
            stages = build_rerankers(self._profile, means)
        except BaseException:
            store.close()
            raise
        self._held.add(folder_name(claim))
        weight_of = level_weights(self._profile.metadata)
        expand = self._expander(store.encoder)
        finder = Finder(
            store,
            embedder,
            store.encoder,
            self._profile.retrieval,
            stages,
            weight_of=weight_of,
            expand=expand,
            explain=read_lexicon(self._profile.retrieval.expansion).explained,
        )
        mode: Mode = "sparse" if lost else self._profile.retrieval.mode
        return OpenIndex(
            Space(claim.generation, store, Embed(embedder, self._cache, self._observe)),
            finder,
            mode,
            folder_name(claim),
        )

    def _open_store(self, claim: Claim, dimensions: int) -> ChunkStore:
        folder = self._folder / folder_name(claim)
        build = partial(
            build_vector_store,
            self._profile.store,
            folder=folder,
            collection=collection_name(self._profile, claim),
            dimensions=dimensions,
            fields=self._profile.metadata.filterable,
            encoder=Bm25Encoder(self._profile.sparse),
            tokens=claim.section.get("tokens", False),
            observe=self._observe,
        )
        try:
            return _read_through(build()) if self._repairing and folder.exists() else build()
        except StoreFilesDamaged as error:
            if not self._repairing:
                raise StoreDamaged(self._profile.tenant, error.detail) from error
            _log.warning("%s: %s; it is made again from the catalogue", self._profile.tenant, error.detail)
            shutil.rmtree(folder)
            return build()

    def _expander(self, encoder: Bm25Encoder) -> Expander | None:
        settings = self._profile.retrieval.expansion
        synonyms = (*read_synonyms(settings.synonyms), *read_synonyms(settings.names, "names"))
        return Expander(synonyms, encoder, settings.weight) if synonyms else None

    def _embedder_of(self, claim: Claim) -> Embedder | None:
        """Return the model that a generation was made with: the profile's, or an earlier one, if that can still be
        had.
        """
        if claim.embedding == self.embedder.fingerprint:
            return self.embedder
        _log.warning(
            "%s: embedded by %s, the profile says %s: documents are stale until `footnote reembed`",
            self._profile.tenant,
            claim.embedding,
            self.embedder.fingerprint,
        )
        return self._embedders.former(self._profile, claim)

    def _clear_away(self, claim: Claim) -> None:
        """Remove the stores that a flip left behind, and those begun with a model that is no longer asked for."""
        following = Claim(self.embedder.fingerprint, {}, claim.generation + 1)
        self._remove_folders_except({folder_name(claim), folder_name(following)})
        self._remove_former_collections()

    def _remove_former_collections(self) -> None:
        """Remove a server's collections that a flip left behind; other processes noticed it with their next request."""
        store, generation = self._current.store, self._current.space.generation
        if generation == 0:
            return
        open_here = {one.collection_name for one in (store, *self._retired)}
        for name in former_collections(self._profile, generation, store.collections()):
            if name not in open_here:
                store.remove_collection(name)

    def _remove_folders_except(self, kept: Collection[str]) -> None:
        for folder in self._folder.glob("vectors*"):
            if folder.is_dir() and folder.name not in kept:
                shutil.rmtree(folder)


def _read_through(store: ChunkStore) -> ChunkStore:
    """Return a store of which every chunk can be read.

    Raises:
        StoreFilesDamaged: One cannot.
    """
    try:
        store.check()
    except StoreUnavailable as error:
        store.close()
        raise StoreFilesDamaged("the vector store", error.detail) from error
    return store
