"""What DBOS logs: trouble is passed on, and not that several processes poll one queue."""

from __future__ import annotations

import inspect
import logging

import pytest
from dbos import _queue

import pipelines.jobs.queues  # noqa: F401 - what it does to DBOS's log is looked at

CONTENTION = "Contention detected in queue thread"


def test_processes_that_poll_one_queue_are_no_warning(caplog: pytest.LogCaptureFixture) -> None:
    assert f'f"{CONTENTION} for' in inspect.getsource(_queue)
    log = logging.getLogger("dbos")
    log.warning(f"{CONTENTION} for footnote.kennel. Increasing polling interval to 0.50.")
    log.warning("the database is gone")
    assert caplog.messages == ["the database is gone"]
