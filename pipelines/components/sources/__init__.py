"""Sources of documents besides the knowledge folder: each is copied to a folder, which is synchronised as any other."""
