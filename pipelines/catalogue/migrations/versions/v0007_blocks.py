"""The blocks of each version's text."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("versions", sa.Column("blocks", sa.JSON, nullable=False, server_default="[]"))


def downgrade() -> None:
    op.drop_column("versions", "blocks")
