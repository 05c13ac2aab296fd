"""Durable jobs: batches, synchronisations, re-embeddings, purges and optimisations that outlive the process.

`Jobs` is a tenant's interface: submit, read, list, cancel. It only writes the tenant's catalogue; no worker needs to
run. `Work` holds the calls that carry a tenant's jobs out. `pipelines.jobs.runner.run_jobs` serves the queues of
several tenants while its block lasts. It is imported by its own name because it loads DBOS.

The catalogue is the source of truth for jobs and their progress; DBOS decides which process runs a job, and when.
"""

from pipelines.catalogue.jobs import JobRecords
from pipelines.jobs.facade import Jobs
from pipelines.jobs.work import Report, Work

__all__ = ["JobRecords", "Jobs", "Report", "Work"]
