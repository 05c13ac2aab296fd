"""Questions in one language, policies in another: our own writing, in five languages."""
