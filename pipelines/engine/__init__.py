"""One tenant that is open: what can be done with it, over the parts that its profile names."""

from pipelines.components.store.scratch_folder import scratch_folder
from pipelines.engine.engine import Engine
from pipelines.engine.moving import move
from pipelines.engine.opening import open_engine, open_scratch
from pipelines.engine.restoring import restore
from pipelines.engine.scoped import ScopedEngine
from pipelines.engine.tenant import TenantAdmin, TenantReader

__all__ = ["Engine", "ScopedEngine", "TenantAdmin", "TenantReader", "move", "open_engine", "open_scratch", "restore"]
__all__ += ["scratch_folder"]
