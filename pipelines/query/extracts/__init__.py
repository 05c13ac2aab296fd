"""Extracts: the passages of what was found that answer a question, word for word.

`chooser` chooses. The other modules of this room weigh passages, leave some out, and label those that are shown.
``passages`` cuts texts into what may answer, ``tables`` finds rows and cells, and ``language`` knows what a question
names and whether words say it. ``language`` knows no passages, and ``passages`` imports only from it.
"""
