"""The stand-in for one node of a Qdrant cluster, in a process of its own: a test may stop it and let it go on.

Changes are not passed on to other nodes: a test that needs copies writes to each.
"""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.fakes.qdrant_over_grpc import serving_grpc
from tests.fakes.qdrant_over_http import Served, serving


@dataclass(frozen=True, slots=True)
class Node:
    """A running node: where it answers over HTTP, the address and port for gRPC, and its process."""

    url: str
    host: str
    grpc_port: int
    process: subprocess.Popen[str]

    def freeze(self) -> None:
        """Stop the process: its connections stay open, and nothing answers."""
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on, with all that it was sent since."""
        self.process.send_signal(signal.SIGCONT)


@contextmanager
def running_node(host: str = "127.0.0.1", grpc_port: int = 0) -> Iterator[Node]:
    """Run a node until left."""
    command = [sys.executable, "-m", __name__, host, str(grpc_port)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        url, port = process.stdout.readline().split()
        yield Node(url, host, int(port), process)
    finally:
        process.kill()
        process.communicate()


def main() -> None:
    """Serve both protocols until the standard input ends."""
    served, host, port = Served(), sys.argv[1], int(sys.argv[2])
    with serving(served=served) as url, serving_grpc(served, port, host) as bound:
        sys.stdout.write(f"{url} {bound}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
