"""How the chooser's model was learned: what it reads for judged questions, and low-rank weights fitted to that.

A file of questions has a line for each, with tabs between kind, question and expression: ``a``, the question, and a
regular expression that a passage which answers matches (several that must all match are joined by `` && ``); or ``u``
and a question that the documents leave open.

``python -m tests.quality.checker read --profile FILE --documents DIR --questions FILE --out FILE`` writes what the
model of ``answer.chooser`` reads; ``python -m tests.quality.checker learn FILE... --out FILE`` fits the weights, which
needs PyTorch and transformers (the extra ``huggingface``). docs/decisions/0112-a-checker-of-answers.md.
"""
