"""The command line. Commands are listed here and imported when invoked, so `--help` is quick."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from functools import partial
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from app import __version__
from app.standard_output import OutputFailed, discard, prepared
from pipelines.components import lazy_packages
from pipelines.errors import FootnoteError, InvalidRequest, ProfileError

FAILED = 1
WRONG_USAGE = 2
INTERRUPTED = 130
NEW_OBJECTS = 500_000  # before the garbage collector looks: a question makes fewer, imports included

COMMANDS = {
    "init": "Make a tenant of a folder of documents.",
    "serve": "Serve tenants over HTTP.",
    "mcp": "Offer a tenant over the Model Context Protocol, on standard input and output.",
    "worker": "Run tenants' jobs.",
    "ingest": "Bring files and folders into a tenant.",
    "sync": "Bring a tenant in line with its knowledge folder.",
    "documents": "List, show or delete a tenant's documents, and read their versions.",
    "facets": "Say which values the documents have, and how many documents have them.",
    "stats": "Show what a tenant holds, and its most-asked and unanswered questions.",
    "search": "Find the chunks that answer a query.",
    "explain": "Say why a search shows a document, or why it does not.",
    "ask": "Answer a question, with footnotes.",
    "conversations": "List, show, export or delete a tenant's conversations.",
    "keys": "Create, list, rotate or revoke a tenant's keys.",
    "audit": "Read who did what to a tenant.",
    "feedback": "Say whether an answer helped; list or export feedback.",
    "experiments": "Say how the profile's prompt variants do, and whether it could be chance.",
    "jobs": "List, show, cancel or start a tenant's jobs.",
    "reembed": "Reprocess documents that no longer match the profile.",
    "purge": "Erase the versions that the profile's retention no longer keeps.",
    "backup": "Write a tenant to one file, also while it is served.",
    "restore": "Put a tenant back from its backup, verified.",
    "move": "Move a tenant to servers, or back to its data folder, verified.",
    "doctor": "Say whether tenants' data is whole, and repair it.",
    "evaluate": "Measure a profile on a dataset.",
    "compare": "Say which of two profiles is better on a dataset, and whether it could be chance.",
    "calibrate": "Fit the confidence of answers to datasets.",
    "tune": "Learn from judged questions how much the dense leg counts beside BM25.",
    "finetune": "Learn from judged questions to embed the tenant's questions closer to what answers them.",
    "check": "Say whether profiles can be used.",
    "models": "List, add or remove embedding models and cross-encoders.",
}


QUESTIONS = frozenset({"ask", "search", "explain"})
"""Commands that end with their answer, and start no work in threads that validates anything."""


SCRATCH = frozenset({"evaluate", "compare", "calibrate", "tune", "finetune"})
"""Commands that index documents in a temporary folder, which they remove also when they are terminated."""


class Terminated(KeyboardInterrupt):
    """SIGTERM, as an exception that unwinds what the command has open."""


def _unwind(number: int, frame: Any) -> None:
    signal.signal(number, signal.SIG_DFL)
    raise Terminated


class LazyCommand(TyperCommand):
    """A command in the list; invoking it imports ``app.commands.<name>``."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Return the context of the real command, which runs in place of this one."""
        if self.name in QUESTIONS:
            lazy_packages.defer_models()
        command = get_command(import_module(f"app.commands.{self.name}").app)
        try:
            context = command.make_context(info_name, args, parent, **extra)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            raise
        if self.name in SCRATCH:
            context.call_on_close(partial(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, _unwind)))
        return context


class Footnote(TyperGroup):
    """The group of all commands; prints Footnote's errors on one line, without a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except FootnoteError as error:
            typer.echo(f"footnote: {error.message}", err=True)
            raise typer.Exit(WRONG_USAGE if isinstance(error, ProfileError | InvalidRequest) else FAILED) from None
        except Terminated:
            signal.raise_signal(signal.SIGTERM)  # end as the signal would have ended it
        except KeyboardInterrupt:
            typer.echo("footnote: interrupted", err=True)
            raise typer.Exit(INTERRUPTED) from None


_app = typer.Typer(
    name="footnote", cls=Footnote, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"footnote {__version__}")
        raise typer.Exit


@_app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Answers questions from your documents, with footnotes that you can check."""


def command_line() -> Any:
    """Return the command line as Click knows it."""
    group: Any = get_command(_app)
    for name, summary in COMMANDS.items():
        group.add_command(LazyCommand(name, help=summary))
    return group


def main() -> None:
    """The console script ``footnote``."""
    lazy_packages.install()
    gc.set_threshold(NEW_OBJECTS)
    ending = _Ending()
    atexit.register(ending.leave)  # what is registered first runs last
    sys.stdout = prepared(sys.stdout)
    try:
        _run()
    except SystemExit as end:
        ending.status = end.code or 0
        raise


def _run() -> None:
    try:
        try:
            command_line()(prog_name="footnote")
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except (OutputFailed, BrokenPipeError) as error:
        discard()
        if isinstance(error, OutputFailed):
            typer.echo(f"footnote: {error}", err=True)
        sys.exit(FAILED)


class _Ending:
    """How a command ends: everything is closed and written by then, and to free 1,500 modules takes 40 ms."""

    def __init__(self) -> None:
        self.status: str | int | None = None

    def leave(self) -> None:
        """End the process without freeing what it holds, unless an error ends it."""
        if isinstance(self.status, int):
            for stream in filter(None, (sys.stdout, sys.stderr)):
                stream.flush()
            os._exit(self.status)


if __name__ == "__main__":
    main()
