"""The benchmark: Footnote against what a LlamaIndex user would write otherwise, side by side in one run."""
