"""``footnote tune``."""

from __future__ import annotations

import typer

from app.commands.options import AsJson, Data, Dataset, FewQuestions, ProfileName
from app.commands.output import print_json, safe
from app.commands.progress import progress_bar
from pipelines.engine import open_scratch
from pipelines.evaluation.engines import fresh_profile
from pipelines.evaluation.golden import open_dataset
from pipelines.evaluation.tuning import tune as learn
from pipelines.evaluation.tuning import tuned_profile, tuning_summary, tuning_table
from pipelines.profile.loader import load_profile

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def tune(
    profile: ProfileName,
    dataset: Dataset = None,
    *,
    limit: FewQuestions = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Learn from judged questions how much the dense leg counts beside BM25.

    The dataset is indexed in a temporary data folder; the tenant's own data is not touched. Golden questions, also
    those that `footnote feedback PROFILE export` writes, are such a dataset.
    """
    loaded = load_profile(profile)
    asked = open_dataset(loaded, dataset, limit)
    fresh = tuned_profile(fresh_profile(loaded, asked))
    with progress_bar() as progress:
        tuned = learn(lambda: open_scratch(fresh), asked, progress)
    if as_json:
        print_json(tuning_summary(tuned))
    else:
        print(safe(tuning_table(tuned)))
