"""DBOS: one queue per tenant, one workflow per attempt at a job. No other module uses DBOS."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import sqlalchemy as sa
from dbos import DBOS, DBOSClient

from pipelines.errors import JobsRunElsewhere

RunJob = Callable[[str, str, int], None]
"""Called with tenant, job id and the number of earlier attempts; returns when this process has done its part."""
_APPLICATION = "footnote"
_VERSION = "1"
_WORKFLOW = "footnote.attempt"
_LIVE = ["ENQUEUED", "PENDING"]
_OVER = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"]
_TIDIED = 1000
_LEAST_POLL_S = 0.25
_POLL_S_PER_QUEUE = 0.1
"""Polling a queue ten times a second costs a tenth of a processor; this limits all queues together."""
_LISTENER_S = 0.1
"""DBOS's pause between polls for messages, which are not used here; closing waits for it."""
_one_at_a_time = threading.Lock()
_calls: list[RunJob] = []
"""What an attempt calls: a process has one DBOS, which finds workflows by name."""


def _is_trouble(record: logging.LogRecord) -> bool:
    """Return whether DBOS reports more than that two processes polled a queue at once: it slows down by itself."""
    return not str(record.msg).startswith("Contention detected in queue thread")


_log = logging.getLogger("dbos")
_log.addHandler(logging.NullHandler())  # otherwise DBOS logs to standard error
_log.addFilter(_is_trouble)


@dataclass(frozen=True, slots=True)
class QueuedWorkflow:
    """A workflow that waits (``executor`` is None) or runs, and its job."""

    workflow_id: str
    job_id: str | None
    executor: str | None


@DBOS.workflow(name=_WORKFLOW)
def _attempt(tenant: str, job_id: str, attempt: int) -> None:
    for run_job in _calls:
        run_job(tenant, job_id, attempt)


class Queues:
    """The queues of the tenants that this process serves. Methods raise SQLAlchemy's errors, and do not retry."""

    def __init__(self, client: DBOSClient, tenants: Iterable[str]) -> None:
        self._client = client
        self._names = [_queue(tenant) for tenant in tenants]

    def put(self, tenant: str, job_id: str, attempt: int, priority: int) -> None:
        """Queue an attempt unless one is queued or running; ``priority`` is at least 1, smallest first."""
        self._client.enqueue(
            {
                "workflow_name": _WORKFLOW,
                "queue_name": _queue(tenant),
                "priority": priority,
                "deduplication_id": job_id,
                "duplication_policy": "return-existing",
            },
            tenant,
            job_id,
            attempt,
        )

    def live(self) -> list[QueuedWorkflow]:
        """Return the workflows that wait or run."""
        found = self._client.list_workflows(queue_name=self._names, status=_LIVE, load_input=False, load_output=False)
        return [
            QueuedWorkflow(one.workflow_id, one.deduplication_id, one.executor_id if one.status == "PENDING" else None)
            for one in found
        ]

    def drop(self, workflow_ids: Iterable[str]) -> None:
        """Cancel attempts whose process is gone."""
        for workflow_id in workflow_ids:
            self._client.cancel_workflow(workflow_id)

    def tidy(self) -> None:
        """Delete ended attempts; the catalogue records them."""
        over = self._client.list_workflows(
            name=_WORKFLOW, status=_OVER, limit=_TIDIED, load_input=False, load_output=False
        )
        self._client.delete_workflows([one.workflow_id for one in over])


@contextmanager
def open_queues(
    database: sa.Engine, executor: str, concurrency: Mapping[str, int], run_job: RunJob
) -> Iterator[Queues]:
    """Serve a queue for each tenant of ``concurrency``; call ``run_job`` in DBOS's threads.

    Call it from a thread without an event loop, which DBOS would use. No call may run when the block ends.

    Raises:
        JobsRunElsewhere: Queues are open in this process already; it can have one DBOS only.
    """
    if not _one_at_a_time.acquire(blocking=False):
        raise JobsRunElsewhere(", ".join(concurrency), "this process")
    with ExitStack() as opened:
        opened.callback(_one_at_a_time.release)
        opened.callback(_calls.clear)
        _calls.append(run_job)
        opened.callback(DBOS.destroy)
        _launch(database, executor, concurrency)
        client = DBOSClient(
            system_database_engine=database, application_name=_APPLICATION, retry_connection_errors=False
        )
        opened.callback(client.destroy)
        yield Queues(client, concurrency)


def _launch(database: sa.Engine, executor: str, concurrency: Mapping[str, int]) -> None:
    DBOS(
        config={
            "name": _APPLICATION,
            "application_version": _VERSION,
            "executor_id": executor,
            "system_database_engine": database,
            "use_listen_notify": False,
            "notification_listener_polling_interval_sec": _LISTENER_S,
            "enable_otlp": False,
            "log_level": "WARNING",
        }
    )
    DBOS.listen_queues([_queue(tenant) for tenant in concurrency])
    DBOS.launch()
    poll = max(_LEAST_POLL_S, _POLL_S_PER_QUEUE * len(concurrency))
    for tenant, most in concurrency.items():
        DBOS.register_queue(
            _queue(tenant), global_concurrency=most, polling_interval_sec=poll, on_conflict="always_update"
        )


def _queue(tenant: str) -> str:
    return f"{_APPLICATION}.{tenant}"
