"""Run as a process of its own: ``python optimize.py FOLDER [--scrub]`` optimises the Qdrant Edge shard in a folder.

Edge holds Python's global lock while it builds a graph, half a minute for 100,000 chunks, in which a server would
answer nobody. So `EdgeCollection.optimize` has a copy optimised here, and knows of no import but Edge.

With ``--scrub`` no file of the shard holds a removed point any more. Every segment that has one is written again,
however few they are. The log keeps every change until a file of it is full, so it is filled up with a change to a point
that does not exist: then Edge removes the full files.
"""

import json
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from uuid import UUID

import qdrant_edge

_PR_SET_PDEATHSIG = 1
_SIGKILL = 9
_EVERY_REMOVED_POINT = {"deleted_threshold": 0.0, "vacuum_min_vector_number": 1}
_NOBODY = UUID(int=2**128 - 1)
_LOG_FILE = 32 << 20  # bytes
_FILLER = 8 << 20
_MOST_ROUNDS = 20


def die_with_parent() -> None:
    """An optimiser whose server was killed works for nobody; Linux can end it."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, _SIGKILL)


def vacuum_always(config: Path) -> None:
    """Have the optimiser write every segment again that holds a removed point.

    Edge takes another configuration only as a whole, vectors included; `EdgeCollection` sets its own again afterwards.
    """
    settings = json.loads(config.read_bytes())
    settings["optimizers"] |= _EVERY_REMOVED_POINT
    config.write_text(json.dumps(settings), encoding="utf-8")


def empty_log(shard: qdrant_edge.EdgeShard, log: Path) -> None:
    """Fill the log until none of its present files is left.

    Raises:
        RuntimeError: Edge keeps one all the same.
    """
    filler = qdrant_edge.UpdateOperation.set_payload_by_filter(
        qdrant_edge.Filter(must=[qdrant_edge.HasIdCondition({_NOBODY})]), {"filler": "\0" * _FILLER}
    )
    with ExitStack() as opened:
        before = [opened.enter_context(file.open("rb")) for file in _files(log)]
        for _ in range(_MOST_ROUNDS):
            for _ in range(_LOG_FILE // _FILLER):
                shard.update(filler)
            shard.flush()
            if not any(os.fstat(file.fileno()).st_nlink for file in before):
                return
    raise RuntimeError("the log could not be emptied")


def _files(log: Path) -> list[Path]:
    """Return the files that hold changes.

    They are distinguished by open handles: names change, and a file that is removed leaves its inode to the next.
    """
    return [file for file in log.iterdir() if file.name.startswith(("open-", "closed-"))]


def main(folder: str, scrub: bool) -> None:
    """Optimise the shard in ``folder`` and leave everything on disk."""
    die_with_parent()
    if sys.platform != "win32":
        os.nice(5)
    if scrub:
        vacuum_always(Path(folder) / "edge_config.json")
    shard = qdrant_edge.EdgeShard.load(folder)
    shard.optimize()
    shard.flush()
    if scrub:
        empty_log(shard, Path(folder) / "wal")
    shard.close()


if __name__ == "__main__":
    main(sys.argv[1], "--scrub" in sys.argv[2:])
