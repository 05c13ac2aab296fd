"""Durable jobs: batches, synchronisations, re-embeddings, purges and optimisations that outlive the process.

`Jobs` is what a tenant offers: submit, look, list, cancel. It writes the tenant's catalogue and needs nobody to carry
jobs out at that moment. `Work` is what carrying them out takes of a tenant. `pipelines.jobs.crew.carrying_out` serves
the queues of several tenants as long as its block lasts; it is imported by its own name, since it loads DBOS.

The catalogue is the truth of what was asked and how far it is; DBOS decides who carries it out, and when.
"""

from pipelines.catalogue.jobs import JobRecords
from pipelines.jobs.facade import Jobs
from pipelines.jobs.work import Report, Work

__all__ = ["JobRecords", "Jobs", "Report", "Work"]
