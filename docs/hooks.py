"""Pages of the documentation that are made from the code and from files beside this folder."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from typer.main import get_command

from app.cli import COMMANDS
from app.contracts import CONTRACTS
from app.main import native_app
from app.openai import routes as openai
from pipelines.profile.loader import load_profile

ROOT = Path(__file__).resolve().parents[1]
COPIED = {
    "reference/profile.md": "configs/README.md",
    "clients/footnote.md": "clients/footnote/README.md",
    "clients/typescript.md": "clients/typescript/README.md",
    "project/changelog.md": "CHANGELOG.md",
    "project/security.md": "SECURITY.md",
    "project/contributing.md": "CONTRIBUTING.md",
}
MOVED = {source: target for target, source in COPIED.items()} | {"README.md": "index.md"}
LINK = re.compile(r"(?<=\]\()(?!https?:|#|mailto:)([^)#\s]+)")
METHODS = ("get", "post", "put", "patch", "delete")
PYTHON = """# Python

```python
from pipelines import open_engine
```

::: pipelines.open_engine

::: pipelines.engine.access.AnswerAccess

::: pipelines.engine.document_access.DocumentAccess

::: pipelines.engine.access.UseAccess

::: pipelines.engine.tenant.TenantAdmin

::: pipelines.types
"""
logging.getLogger("griffe").setLevel(logging.ERROR)  # it warns of every argument that a docstring leaves out


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that no file of this folder holds."""
    pages = {target: (ROOT / source).read_text(encoding="utf-8") for target, source in COPIED.items()}
    pages |= {
        "reference/cli.md": "\n".join(_command_line()),
        "reference/http.md": "\n".join(_http()),
        "reference/python.md": PYTHON,
        "decisions/index.md": "\n".join(_decisions()),
    }
    for uri, text in pages.items():
        files.append(File.generated(config, uri, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links to files outside of this folder lead to the pages made from them, and others be words."""
    uri = page.file.src_uri
    here = (ROOT / COPIED[uri]).parent if uri in COPIED else (ROOT / "docs" / uri).parent

    def target(found: re.Match[str]) -> str:
        path = (here / found[1]).resolve()
        if not path.is_relative_to(ROOT):
            return found[1]
        named = path.relative_to(ROOT).as_posix()
        inside = MOVED.get(named) or named.removeprefix("docs/")
        if named.startswith("docs/") or named in MOVED:
            return "../" * uri.count("/") + inside
        return found[1]

    linked = LINK.sub(target, markdown)
    known = {file.src_uri for file in files}
    return re.sub(r"\[([^\]]+)\]\(((?!https?:|#|mailto:)[^)\s]+)\)", lambda one: _kept(one, uri, known), linked)


def _kept(link: re.Match[str], uri: str, known: set[str]) -> str:
    """Return a link whose page exists, or its words."""
    path = (Path("/") / Path(uri).parent / link[2].partition("#")[0]).resolve().relative_to("/").as_posix()
    return link[0] if path in known or link[2].startswith("#") else link[1]


def _command_line() -> Iterator[str]:
    yield "# Command line\n"
    yield "Every command says more with `--help`. `PROFILE` is a name in `configs/`, a YAML file or a folder.\n"
    for name in COMMANDS:
        yield from _command(_loaded(name), f"footnote {name}", 2)


def _loaded(name: str) -> click.Command:
    command: click.Command = get_command(import_module(f"app.commands.{name}").app)
    return command


def _command(command: Any, path: str, level: int) -> Iterator[str]:
    yield f"{'#' * level} {path}\n"
    yield f"{command.help or ''}\n"
    parts = getattr(command, "commands", {})
    own = [one for one in command.params if one.name not in ("help", "install_completion", "show_completion")]
    if own:
        yield "| | |\n|---|---|"
        yield from (_parameter(one) for one in own)
        yield ""
    for name, part in parts.items():
        yield from _command(part, f"{path} {name}", level + 1)


def _parameter(one: Any) -> str:
    names = " ".join(f"`{name}`" for name in (*one.opts, *one.secondary_opts))
    shown = names if one.param_type_name == "option" else f"`{(one.metavar or one.name).upper()}`"
    words = (getattr(one, "help", None) or "").replace("|", "\\|")
    default = getattr(one, "default", None)
    plain = isinstance(default, str | int | float) and not isinstance(default, bool)
    return f"| {shown} | {words}{f' Default: `{default}`.' if plain else ''} |"


def _http() -> Iterator[str]:
    yield "# HTTP\n"
    yield "A server describes itself: `/tenants/docs`, `/openai/docs`, and `docs` below the path of a contract.\n"
    yield from _routes("Native API", "/tenants", native_app().openapi())
    yield from _routes("OpenAI-compatible API", "/openai", openai.build().openapi())
    for name, build in sorted(CONTRACTS.items()):
        yield from _routes(f"Contract {name}", "", build(load_profile(str(ROOT / "configs" / name)).profile).openapi())


def _routes(title: str, prefix: str, document: dict[str, Any]) -> Iterator[str]:
    yield f"## {title}\n\n| | |\n|---|---|"
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                words = " ".join((item[method].get("description") or item[method].get("summary", "")).split())
                yield f"| `{method.upper()} {prefix}{path}` | {words.replace('|', chr(92) + '|')} |"
    yield ""


def _decisions() -> Iterator[str]:
    yield "# Decisions\n\nWhat was chosen, and why.\n"
    for file in sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md")):
        title = file.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        yield f"- {file.stem[:4]} [{title}]({file.name})"
