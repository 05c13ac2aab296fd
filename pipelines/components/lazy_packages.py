"""Packages of vendors that import all of themselves: what they re-export is imported here when it is first used.

``llama_index.core`` imports 380 modules of its own, of which a search needs a quarter. Its ``__init__`` files are run
with the meaning that PEP 810 gives lazy imports. qdrant-client completes its 400 pydantic models when it is imported;
pydantic completes a model at its first use anyway.

LlamaIndex's nodes fetch pictures from the web with ``requests``, which is imported at its first use. httpx does not
import its terminal program.
"""

from __future__ import annotations
import __future__

import ast
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from importlib.abc import InspectLoader, Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, resolve_name
from types import ModuleType
from typing import Any

from typing_extensions import override

_LAZY = "llama_index.core"
_MODELS = "qdrant_client.http"
_WAITING = "requests"
_PROGRAM = "httpx._main"
_FUNCTIONS = frozenset({"get_response_synthesizer"})
"""Functions that modules import by name; their own modules are imported when they are called."""
_Places = dict[str, tuple[str, str]]
"""By the names in a package: the modules that they come from, and their names there."""


class LazyPackages(MetaPathFinder):
    """Finds the packages whose ``__init__`` does less here."""

    @override
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where one of the packages is, and what loads it; None for every other module."""
        if fullname == _PROGRAM:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        if fullname == _WAITING:
            return _waiting(PathFinder.find_spec(fullname, path, target))
        if fullname not in (_LAZY, _MODELS) and not fullname.startswith(f"{_LAZY}."):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.submodule_search_locations and isinstance(spec.loader, InspectLoader):
            spec.loader = _LazyLoader(spec.loader)
        return spec


class _LazyLoader(Loader):
    """Runs an ``__init__`` without what can wait."""

    def __init__(self, loader: InspectLoader) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    @override
    def exec_module(self, module: ModuleType) -> None:
        """Fill a package; it looks up what waits when it is asked for it."""
        package = module.__name__
        tree = ast.parse(self._loader.get_source(package) or "")
        if package == _MODELS:
            tree.body = [one for one in tree.body if not isinstance(one, ast.For)]
        else:
            tree.body, waiting = _without_imports(tree.body, package)
            vars(module).update(__getattr__=_Names(module, waiting), __dir__=lambda: [*{**vars(module), **waiting}])
        # Annotations are not evaluated: they may name what waits.
        code = compile(tree, module.__file__ or package, "exec", __future__.annotations.compiler_flag, True)
        exec(code, vars(module))  # noqa: S102 - what the import system does itself


class _Names:
    """A package's ``__getattr__``: imports what is asked for, a name that waits or a submodule."""

    def __init__(self, module: ModuleType, waiting: _Places) -> None:
        self._module = module
        self._waiting = waiting

    def __call__(self, name: str) -> Any:
        package = self._module.__name__
        if name in self._waiting:
            origin, original = self._waiting[name]
            call = partial(_called, origin, original)
            found = call if original in _FUNCTIONS else getattr(import_module(origin), original)
            setattr(self._module, name, found)
            return found
        if not name.startswith("__") and find_spec(f"{package}.{name}") is not None:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")


def _called(module: str, function: str, *arguments: Any, **named: Any) -> Any:
    return getattr(import_module(module), function)(*arguments, **named)


class _WaitingLoader(Loader):
    """Makes a module that is run when a name in it is asked for.

    `importlib.util.LazyLoader` runs it for the names of the import system too, which `inspect` asks every module for.
    """

    def __init__(self, loader: Loader) -> None:
        self.loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)

    @override
    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _WaitingModule(spec.name)

    @override
    def exec_module(self, module: ModuleType) -> None:
        """Leave it for later."""


class _WaitingModule(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        self.__class__ = ModuleType  # type: ignore[assignment]
        loader = self.__loader__
        assert isinstance(loader, _WaitingLoader)
        loader.loader.exec_module(self)
        return getattr(self, name)


def _waiting(spec: ModuleSpec | None) -> ModuleSpec | None:
    if spec is not None and spec.loader is not None:
        spec.loader = _WaitingLoader(spec.loader)
    return spec


def install() -> None:
    """Import the packages that way which are not imported yet."""
    if not _is_installed():
        sys.meta_path.insert(0, LazyPackages())


def defer_models() -> None:
    """Let pydantic complete every model at its first use, if the packages are imported that way.

    For commands of one thread: pydantic does not promise that two threads may complete a model at once.
    """
    if _is_installed():
        from pydantic import BaseModel  # asking for help does without

        BaseModel.model_config["defer_build"] = True


def _is_installed() -> bool:
    return any(isinstance(finder, LazyPackages) for finder in sys.meta_path)


def _without_imports(statements: Sequence[ast.stmt], package: str) -> tuple[list[ast.stmt], _Places]:
    """Return the statements of an ``__init__`` that cannot wait, and what the others define."""
    kept: list[ast.stmt] = []
    waiting: _Places = {}
    for statement in statements:
        match statement:
            case ast.ImportFrom(names=names) if (origin := _origin(statement, package)).startswith(_LAZY):
                waiting |= {one.asname or one.name: (origin, one.name) for one in names}
            case ast.Assign([ast.Name(alias)], ast.Name(name)) if name in waiting:
                waiting[alias] = waiting[name]
            case _:
                kept.append(statement)
    return kept, waiting


def _origin(statement: ast.ImportFrom, package: str) -> str:
    return resolve_name("." * statement.level + (statement.module or ""), package)
