"""Opens tenants."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from pipelines.components.own import NO_COMPONENTS, OwnComponents, read_components
from pipelines.components.store.scratch_folder import scratch_folder
from pipelines.engine.assembly import open_parts
from pipelines.engine.engine import Engine
from pipelines.engine.sharing import SharedEngines
from pipelines.events import Observe, ignore_event, safe_observer
from pipelines.profile.loader import LoadedProfile, load_profile

_shared = SharedEngines()


def open_engine(
    profile: str | Path | Mapping[str, Any] | LoadedProfile,
    data: str | Path | None = None,
    observe: Observe | None = None,
    *,
    components: Mapping[str, Any] | None = None,
    repairing: bool = False,
) -> Engine:
    """Open a tenant, or share it where this process has it open with the same profile, until its last close.

    Args:
        profile: A tenant folder, a YAML file, the name of a folder in ``configs/``, what such a file would say as a
            mapping, or a profile already loaded.
        data: Folder of the data; by default the environment's ``FOOTNOTE_DATA``, then ``.footnote``.
        observe: Receives events; see `pipelines.events`.
        components: LlamaIndex objects in the place of the profile's own: ``splitter`` (a node parser), ``embedding``,
            ``llm``, ``extractors`` (a list), and ``reranker.NAME`` (postprocessors that run after its stages).
        repairing: Open an empty or damaged vector store, too; `Engine.doctor` fills it again.

    Raises:
        InvalidRequest: ``components`` has an unknown key, or a value that is not LlamaIndex's component of that kind.
        ProfileError: The profile cannot be used.
        DataFolderHeld: Another process works on the tenant's data.
        ModelMissing: The embedding model has not been exported yet.
        StoreDamaged: The vector store is empty, elsewhere or cannot be read, although documents have chunks.
    """
    own = read_components(components or {})
    loaded = profile if isinstance(profile, LoadedProfile) else load_profile(profile)
    root = Path(data or os.environ.get("FOOTNOTE_DATA") or ".footnote")
    if observe is not None or components or repairing or loaded.profile.store.engine == "memory":
        return _opened(loaded, root, observe or ignore_event, own, repairing)
    return _shared.open(root / loaded.profile.tenant, loaded, lambda: _opened(loaded, root))


def open_alone(loaded: LoadedProfile, root: Path) -> Engine:
    """Open a tenant with exclusive access: no other user in this process or another may open it.

    Raises:
        As for `open_engine`.
    """
    return _opened(loaded, root)


def _opened(
    loaded: LoadedProfile,
    root: Path,
    observe: Observe = ignore_event,
    own: OwnComponents = NO_COMPONENTS,
    repairing: bool = False,
) -> Engine:
    opened = ExitStack()
    try:
        return Engine(open_parts(loaded, root, opened, safe_observer(observe), own, repairing=repairing), opened)
    except BaseException:
        opened.close()
        raise


@contextmanager
def open_scratch(profile: LoadedProfile) -> Iterator[Engine]:
    """Open the profile's pipeline over a temporary, empty data folder."""
    with scratch_folder() as folder, open_engine(profile, folder) as engine:
        yield engine
