"""Run as a process of its own: ``python edge_optimize.py FOLDER`` optimises the Qdrant Edge shard in a folder.

Edge holds Python's global lock while it builds a graph, half a minute for 100,000 chunks, in which a server would
answer nobody. So `EdgeCollection.optimize` has a copy optimised here, and knows of no import but Edge.
"""

import os
import sys

import qdrant_edge

_PR_SET_PDEATHSIG = 1
_SIGKILL = 9


def die_with_parent() -> None:
    """An optimiser whose server was killed works for nobody; Linux can end it."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, _SIGKILL)


def main(folder: str) -> None:
    """Optimises the shard in ``folder`` and leaves everything on disk."""
    die_with_parent()
    if sys.platform != "win32":
        os.nice(5)
    shard = qdrant_edge.EdgeShard.load(folder)
    shard.optimize()
    shard.flush()
    shard.close()


if __name__ == "__main__":
    main(sys.argv[1])
