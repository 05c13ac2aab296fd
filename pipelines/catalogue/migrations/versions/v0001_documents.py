"""Tenants, documents, versions, the cache of embeddings, files of knowledge folders, and jobs."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_documents()
    _create_versions()
    _create_cleanups()
    _create_embeddings()
    _create_files()
    _create_jobs()
    _create_job_files()


def _create_documents() -> None:
    op.create_table(
        "tenants",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("snapshot", sa.BigInteger, nullable=False),
        sa.Column("horizon", sa.BigInteger, nullable=False),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("embedding", sa.Text, nullable=False),
        sa.Column("embedding_section", sa.JSON, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "documents",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("document_id", sa.Text, primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("media_type", sa.Text, nullable=False),
        sa.Column("origin", sa.String(16), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("last_version", sa.Integer, nullable=False),
        sa.Column("accepted", sa.BigInteger, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
    )


def _create_versions() -> None:
    op.create_table(
        "versions",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("document_id", sa.Text, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("media_type", sa.Text, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("pipeline", sa.String(64), nullable=False),
        sa.Column("accepted", sa.BigInteger, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("pages", sa.JSON, nullable=False),
        sa.Column("headings", sa.JSON, nullable=False),
        sa.Column("metadata", sa.JSON, nullable=False),
        sa.Column("chunks", sa.Integer, nullable=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.Column("valid_from", sa.BigInteger, nullable=False),
        sa.Column("valid_to", sa.BigInteger, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(
            ["tenant", "document_id"], ["documents.tenant", "documents.document_id"], ondelete="CASCADE"
        ),
    )
    op.create_index("ix_versions_valid", "versions", ["tenant", "valid_from", "valid_to"])


def _create_cleanups() -> None:
    op.create_table(
        "cleanups",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("document_id", sa.Text, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("snapshot", sa.BigInteger, nullable=False),
    )


def _create_embeddings() -> None:
    op.create_table(
        "embeddings",
        sa.Column("key", sa.LargeBinary(32), primary_key=True),
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("document_id", sa.Text, nullable=False),
        sa.Column("vector", sa.LargeBinary, nullable=False),
    )
    op.create_index("ix_embeddings_document", "embeddings", ["tenant", "document_id"])


def _create_files() -> None:
    op.create_table(
        "files",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("path", sa.Text, primary_key=True),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("modified_ns", sa.BigInteger, nullable=False),
        sa.Column("inode", sa.BigInteger, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("settled", sa.Boolean, nullable=False),
    )


def _create_jobs() -> None:
    op.create_table(
        "jobs",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("job_id", sa.String(36), primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("priority", sa.Integer, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("accepted", sa.BigInteger, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("idempotency_key", sa.String(200)),
        sa.Column("request_sha256", sa.String(64), nullable=False),
        sa.Column("files_total", sa.Integer),
        sa.Column("reason", sa.Text),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True)),
        sa.Column("finished_at", sa.DateTime(timezone=True)),
    )
    op.create_index("ix_jobs_created", "jobs", ["tenant", "created_at", "job_id"])
    op.create_index("ix_jobs_key", "jobs", ["tenant", "idempotency_key"], unique=True)
    op.create_index("ix_jobs_state", "jobs", ["tenant", "state"])


def _create_job_files() -> None:
    op.create_table(
        "job_files",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("job_id", sa.String(36), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("chunks", sa.Integer, nullable=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.Column("offered", sa.JSON),
        sa.Column("content", sa.LargeBinary),
        sa.ForeignKeyConstraint(["tenant", "job_id"], ["jobs.tenant", "jobs.job_id"], ondelete="CASCADE"),
    )


def downgrade() -> None:
    for table in ("job_files", "jobs", "files", "embeddings", "cleanups", "versions", "documents", "tenants"):
        op.drop_table(table)
