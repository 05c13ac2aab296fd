"""What requests may ask for, what a tenant may hold, and how its jobs run."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pipelines.profile.values import Bounds, RedisUrl, Section, Whole


class JobsSection(Section):
    """How jobs are run; their queue is in the catalogue's database."""

    run: Literal["serve", "worker"] = Field(
        default="serve", description="`serve`: the server runs jobs itself; `worker`: leave them to `footnote worker`"
    )
    concurrency: Whole = Field(default=1, ge=1, le=64, description="concurrent jobs of the tenant")
    attempts: Whole = Field(default=5, ge=1, le=100, description="tries in a row before a job fails")


class Quotas(Section):
    """What a tenant may hold; 0: no quota. What is over a quota is refused with the code `quota_spent`."""

    bytes: Whole = Field(default=0, ge=0, description="size of the contents of all versions that are kept, bytes")
    documents: Whole = Field(default=0, ge=0, description="documents that can be read")
    jobs: Whole = Field(default=0, ge=0, description="jobs that wait or run")
    conversations: Whole = Field(
        default=0, ge=0, description="conversations that are kept; beyond, a question without an id is kept nowhere"
    )


class Reading(Section):
    """What reading one file may cost; a file that costs more fails, and no other with it."""

    seconds: Whole = Field(default=15, ge=1, le=3600, description="processor time for a small file, seconds")
    seconds_per_mb: Whole = Field(
        default=10, ge=0, le=3600, description="what each MiB of the file adds, up to 300 s in all"
    )
    memory_mb: Whole = Field(default=512, ge=256, le=65_536, description="memory, MiB")
    processes: Whole = Field(default=2, ge=1, le=64, description="files read at the same time, each in a process")


class Limits(Section):
    """What a request may ask for; beyond it the answer is a clear error."""

    question_chars: Bounds = Field(default=(1, 4000), description="length of a question, characters")
    content_chars: Bounds = Field(default=(1, 5_000_000), description="length of a document's text, characters")
    file_bytes: Whole = Field(default=100_000_000, ge=1, description="size of a file, bytes")
    original_bytes: Whole = Field(
        default=20_000_000,
        ge=0,
        description="PDFs up to this size are kept as they came, so that their pages can be shown, bytes; 0: none",
    )
    image_bytes: Whole = Field(default=20_000_000, ge=1, description="size of an image that is looked at, bytes")
    reading: Reading = Field(default_factory=Reading, description="what reading one file may cost")
    top_k: Whole = Field(default=100, ge=1, le=10_000, description="most hits a request may ask for")
    requests_per_minute: Whole = Field(
        default=12_000,
        ge=0,
        description="requests of one key, or one address where there are no keys, in a minute, to each server process, "
        "or to all of them with `redis_url`; 0: no limit",
    )
    redis_url: RedisUrl = Field(
        default=None,
        description="Redis in which server processes count requests together, "
        "`redis://host:6379/0`; none: each counts its own. Written only as ${NAME}",
    )
    images_per_minute: Whole = Field(
        default=0, ge=0, description="of these, requests that show an image; 0: as many as of others"
    )
    quotas: Quotas = Field(default_factory=Quotas, description="what the tenant may hold")
