"""The number of what read each version, so that a changed reader is noticed."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("versions", sa.Column("reader", sa.Integer))


def downgrade() -> None:
    op.drop_column("versions", "reader")
