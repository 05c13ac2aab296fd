"""Child processes that read files, so that a hostile file costs its own child and nothing else.

A pool starts a child when a file needs one and keeps it for the next file. A child that is idle for a minute ends. The
two exchange frames (`Channel`) of JSON, and the file's bytes; the child never sends pickled objects.

======  ==============================================================  ========================================
from    frame                                                           means
======  ==============================================================  ========================================
parent  a `Job`, then the content                                       read this
child   ``{"begun": true}``                                             the job is being worked on
child   ``{"pages_in": true}`` or ``{"pages": [0], "kind": "pdf"}``     recognise text; the parent sends an answer
child   ``{"help_from": 90}``, later ``{"helped": true}``               have another child read from page 90 on
parent  ``{"began": true}``; ``{"seconds": 3}``, then the pages, or     the answers; without pages the child reads them
        ``{}``
child   ``{"error": {"code", "message"}, "last"}``                      the end; with ``last`` the child ends, too
child   ``{"document": true, "last"}``, then a `ParsedDocument`,        the end, as above
        then the file of each of its pictures
child   ``{"seconds": 3, "last"}``, then packed pages                   the end of a job for another child
======  ==============================================================  ========================================
"""

from pipelines.reading.workers.jobs import ReadingLimits
from pipelines.reading.workers.pool import ReaderPool

__all__ = ["ReaderPool", "ReadingLimits"]
