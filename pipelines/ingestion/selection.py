"""Which files of a folder are documents: globs, `.gitignore` files, and folders that hold installed packages."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from pipelines.profile.patterns import is_pattern
from pipelines.profile.sections.documents import Knowledge

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

PACKAGE_FOLDERS = frozenset(
    {"node_modules", "bower_components", "site-packages", "__pycache__", "venv", "__MACOSX", "$RECYCLE.BIN"}
)
"""Folders that programs fill; what a person wrote is not in them."""
_GITIGNORE = ".gitignore"


@dataclass(frozen=True, slots=True)
class Selection:
    """What of a folder is taken; the globs are written as in a `.gitignore` file.

    Attributes:
        include: Take only files that match one of these; empty: all.
        exclude: Leave out files and folders that match.
        gitignore: Leave out what the folder's own `.gitignore` files name.
        never: Folders that are not looked into, such as that of the tenant's data.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    gitignore: bool = True
    never: tuple[Path, ...] = ()

    @classmethod
    def of(cls, section: Knowledge, never: tuple[Path, ...] = ()) -> Self:
        """Return what a profile selects, but for what is in ``never``."""
        return cls(section.include, section.exclude, section.gitignore, never)


EVERYTHING = Selection()
"""The default selection: all but packages and what `.gitignore` files name."""


class Chooser:
    """Applies a selection to one folder; reads its `.gitignore` files as it comes to them."""

    def __init__(self, root: Path, selection: Selection) -> None:
        from pathspec import GitIgnoreSpec  # noqa: PLC0415 - 30 modules, which questions do without

        self._root = root
        self._include = GitIgnoreSpec.from_lines(selection.include) if selection.include else None
        self._exclude = GitIgnoreSpec.from_lines(selection.exclude)
        self._gitignore = selection.gitignore
        self._never = frozenset(folder.resolve() for folder in selection.never)
        self._specs: dict[str, GitIgnoreSpec | None] = {}

    def takes_folder(self, path: str) -> bool:
        """Return whether to look into the folder at this relative path, whose parents were looked into."""
        if path.rpartition("/")[2] in PACKAGE_FOLDERS or not self.opens(f"{path}/"):
            return False
        return not self._never or (self._root / path).resolve() not in self._never

    def takes_file(self, path: str) -> bool:
        """Return whether the file at this relative path is a document; its folders were looked into."""
        return (self._include is None or self._include.match_file(path)) and self.opens(path)

    def opens(self, path: str) -> bool:
        """Return whether to open the archive at this relative path; its folders were looked into."""
        return not self._exclude.match_file(path) and not self._ignored(path)

    def takes_packed(self, archive: str, name: str) -> bool:
        """Return whether a file in an archive is a document; the archive was opened."""
        folders = name.split("/")[:-1]
        above = ("/".join((archive, *folders[: depth + 1])) for depth in range(len(folders)))
        return all(map(self.takes_folder, above)) and self.takes_file(f"{archive}/{name}")

    def _ignored(self, path: str) -> bool:
        """Return whether the nearest `.gitignore` file that says something of the path names it."""
        folder = path.rstrip("/")
        while self._gitignore and folder:
            folder = folder.rpartition("/")[0]
            spec = self._spec(folder)
            included = None if spec is None else spec.check_file(path[len(folder) :].lstrip("/")).include
            if included is not None:
                return included
        return False

    def _spec(self, folder: str) -> GitIgnoreSpec | None:
        if folder not in self._specs:
            self._specs[folder] = _read(self._root / folder / _GITIGNORE)
        return self._specs[folder]


def _read(file: Path) -> GitIgnoreSpec | None:
    """Return the patterns of a `.gitignore` file; a line that is no pattern is passed over, as Git does."""
    from pathspec import GitIgnoreSpec  # noqa: PLC0415

    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines() if file.is_file() else []
    except OSError:
        return None
    return GitIgnoreSpec.from_lines(line for line in lines if is_pattern(line))
