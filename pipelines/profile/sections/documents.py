"""The folder that documents come from, and their metadata."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from pipelines.errors import nearest
from pipelines.profile.issues import ProfileIssue, Steps
from pipelines.profile.patterns import is_pattern
from pipelines.profile.sections.sources import Source
from pipelines.profile.values import (
    Identifier,
    Number,
    OptionalPath,
    Section,
    Whole,
    duplicate_positions,
    section_error,
)

FieldType = Literal["keyword", "keywords", "integer", "float", "boolean", "datetime"]


class Knowledge(Section):
    """The folder a tenant's documents come from."""

    path: OptionalPath = Field(default=None, description="folder of documents, relative to the profile")
    roots: tuple[OptionalPath, ...] = Field(
        default=(),
        description="folders, relative to the profile, whose files a request may name by path; empty entries are "
        "ignored; none: the folder of documents only",
    )
    include: tuple[str, ...] = Field(
        default=(), description="take only files that match one of these patterns, as `.gitignore` writes them"
    )
    exclude: tuple[str, ...] = Field(
        default=(), description="leave out files and folders that match; `node_modules` and its like always are"
    )
    gitignore: bool = Field(default=True, description="leave out what the `.gitignore` files in the folder name")
    sources: tuple[Source, ...] = Field(
        default=(), description="other places that documents come from; `footnote sync` reads them too"
    )
    every_s: Whole | None = Field(
        default=None,
        ge=1,
        le=31_536_000,
        description="seconds between the syncs of a served tenant, each a job; none: only as `sync` says",
    )
    sync: Literal["off", "startup", "background", "watch"] = Field(
        default="off",
        description="`startup` synchronises before the tenant is served, `background` as a job once it is, "
        "`watch` before it and while it runs",
    )

    @model_validator(mode="after")
    def _patterns_can_be_read(self) -> Self:
        lists = {"include": self.include, "exclude": self.exclude}
        places = [(key, number) for key, patterns in lists.items() for number in range(len(patterns))]
        if wrong := [place for place in places if not is_pattern(lists[place[0]][place[1]])]:
            raise section_error(*(ProfileIssue(place, "is not a pattern such as *.md or drafts/") for place in wrong))
        return self

    @model_validator(mode="after")
    def _a_sync_needs_something_to_read(self) -> Self:
        has_none = self.path is None and (not self.sources or self.sync == "watch")
        if self.sync != "off" and has_none:
            raise section_error(ProfileIssue(("path",), f'must be given for sync "{self.sync}"'))
        if self.every_s is not None and self.path is None and not self.sources:
            raise section_error(ProfileIssue(("every_s",), "needs a path or sources"))
        return self

    @model_validator(mode="after")
    def _sources_differ_in_name(self) -> Self:
        names = tuple(source.name for source in self.sources)
        if again := duplicate_positions(names):
            raise section_error(*(ProfileIssue(("sources", n, "name"), "is the name of another source") for n in again))
        return self


class MetadataField(Section):
    """A metadata field that can be filtered on."""

    type: FieldType = Field(description="`keywords` is a list of keywords")
    values: tuple[str, ...] | None = Field(
        default=None, min_length=1, description="the only values allowed (keyword types)"
    )
    required: bool = Field(default=False, description="refuse documents without it")
    default: str | None = Field(default=None, min_length=1, description="value of documents without it (keyword)")
    source: Literal["document", "headings"] = Field(
        default="document",
        description="`headings`: the headings above each chunk instead of the document's metadata (`keywords`); "
        "what a document gives as well holds for all of its chunks",
    )
    ignore_case: bool = Field(default=False, description="filters take `diabetes care` for `Diabetes Care` (keywords)")

    @model_validator(mode="after")
    def _headings_take_no_other_keys(self) -> Self:
        if self.source == "document":
            return self
        if self.type != "keywords":
            raise section_error(ProfileIssue(("source",), f'"headings" is for keywords, not for {self.type}'))
        given = {"values": self.values is not None, "required": self.required}
        text = "is not for headings, which each document has of its own"
        if found := [ProfileIssue((key,), text) for key, is_given in given.items() if is_given]:
            raise section_error(*found)
        return self

    @model_validator(mode="after")
    def _values_are_for_keywords(self) -> Self:
        if self.values is not None and self.type not in ("keyword", "keywords"):
            raise section_error(
                ProfileIssue(("values",), f"can be listed for keyword fields only, not for {self.type}")
            )
        if repeated := duplicate_positions(self.values or ()):
            raise section_error(*(ProfileIssue(("values", index), "is listed twice") for index in repeated))
        return self

    @model_validator(mode="after")
    def _the_default_is_one_of_the_values(self) -> Self:
        if self.default is None:
            return self
        if self.type != "keyword":
            raise section_error(ProfileIssue(("default",), f"is for keyword fields, not for {self.type}"))
        if self.values is not None and self.default not in self.values:
            raise section_error(
                ProfileIssue(("default",), "is not one of the values", nearest(self.default, self.values))
            )
        return self

    @model_validator(mode="after")
    def _only_free_keywords_ignore_case(self) -> Self:
        if self.ignore_case and (self.type not in ("keyword", "keywords") or self.values is not None):
            raise section_error(ProfileIssue(("ignore_case",), "is for keyword fields without a list of values"))
        return self


class BuiltInField(MetadataField):
    """A field that every document has without its profile declaring it."""


BUILT_IN: dict[str, MetadataField] = {
    "source": BuiltInField(type="keyword"),
    "folder": BuiltInField(type="keywords"),
    "extension": BuiltInField(type="keyword"),
    "language": BuiltInField(type="keyword"),
    "created_at": BuiltInField(type="datetime"),
    "updated_at": BuiltInField(type="datetime"),
    "bytes": BuiltInField(type="integer"),
}
"""What any document can be filtered by; a declared field of the same name takes its place."""


class Hierarchy(Section):
    """How fields nest: the field that names a document's level, and the fields from the top level down."""

    level: Identifier = Field(description="field whose values are the levels, the top one first")
    path: tuple[Identifier, ...] = Field(
        min_length=1,
        description="fields that place a document, one for each level below the top one, from the top down",
    )
    requires: dict[str, tuple[Identifier, ...]] = Field(
        default_factory=dict,
        description="fields that documents of a level must have; else its own and those above, of the last one its own",
    )
    below: bool = Field(
        default=False, description="whether a scope also sees the levels below its place, not only inherited ones"
    )
    weights: dict[str, Annotated[Number, Field(gt=0, le=100)]] = Field(
        default_factory=dict, description="weight of a hit's score by its document's level; others have 1"
    )

    @model_validator(mode="after")
    def _names_each_field_once(self) -> Self:
        if repeated := [index - 1 for index in duplicate_positions((self.level, *self.path))]:
            raise section_error(
                *(ProfileIssue(("path", index), f'"{self.path[index]}" is named twice') for index in repeated)
            )
        return self


class Identity(Section):
    """What makes two documents one: ingested without an id, the second is the first one's next version."""

    fields: tuple[Identifier, ...] = Field(
        min_length=1, description="keyword fields whose values must be the same; the first must have one"
    )
    id: Literal["source", "fields"] = Field(
        default="source",
        description="name of a new document: its source, or its fields and the name of its file, as in "
        "`health_dental_care`, with a number where that is taken",
    )


class MetadataSection(Section):
    """The declared metadata; other metadata is kept and returned, but cannot be filtered on."""

    fields: dict[Identifier, MetadataField] = Field(default_factory=dict, description="fields by name")
    hierarchy: Hierarchy | None = Field(default=None, description="nesting of the fields, for scopes")
    identity: Identity | None = Field(
        default=None,
        description="what makes two documents one; by default the field `source` and the place in the hierarchy, where "
        "a profile has both, else the source alone",
    )

    @property
    def filterable(self) -> dict[str, MetadataField]:
        """The declared fields, then the built-in ones that no declared one replaces."""
        return self.fields | {name: field for name, field in BUILT_IN.items() if name not in self.fields}

    @property
    def identity_rule(self) -> Identity | None:
        """What makes two documents one; None: their source."""
        if self.identity is not None or self.hierarchy is None or "source" not in self.fields:
            return self.identity
        return Identity(fields=("source", self.hierarchy.level, *self.hierarchy.path))

    @model_validator(mode="after")
    def _identity_names_declared_fields(self) -> Self:
        names = self.identity.fields if self.identity is not None else ()
        places: dict[Steps, str] = {("identity", "fields", index): name for index, name in enumerate(names)}
        if found := [misplaced for place, name in places.items() if (misplaced := self._misplaced(place, name))]:
            raise section_error(*found)
        return self

    @model_validator(mode="after")
    def _hierarchy_names_declared_fields(self) -> Self:
        if self.hierarchy is None:
            return self
        places: dict[Steps, str] = {("hierarchy", "level"): self.hierarchy.level}
        places |= {("hierarchy", "path", index): name for index, name in enumerate(self.hierarchy.path)}
        if found := [misplaced for place, name in places.items() if (misplaced := self._misplaced(place, name))]:
            raise section_error(*found)
        levels = len(self.fields[self.hierarchy.level].values or ())
        if levels != len(self.hierarchy.path) + 1:
            text = (
                f"must have one field for each level below the top one, and {self.hierarchy.level} has {levels} values"
            )
            raise section_error(ProfileIssue(("hierarchy", "path"), text))
        if found := [*self._unknown_levels(self.hierarchy), *self._wrong_requirements(self.hierarchy)]:
            raise section_error(*found)
        return self

    def _unknown_levels(self, hierarchy: Hierarchy) -> Iterator[ProfileIssue]:
        levels = self.fields[hierarchy.level].values or ()
        for key, names in (("requires", hierarchy.requires), ("weights", hierarchy.weights)):
            for name in names:
                if name not in levels:
                    yield ProfileIssue(
                        ("hierarchy", key, name), f"is not a level of {hierarchy.level}", nearest(name, levels)
                    )

    def _wrong_requirements(self, hierarchy: Hierarchy) -> Iterator[ProfileIssue]:
        """Yield a level must require its own field, which places its documents, and none of a level below it."""
        for number, level in enumerate(self.fields[hierarchy.level].values or ()):
            names = hierarchy.requires.get(level)
            if names is None:
                continue
            place: Steps = ("hierarchy", "requires", level)
            if number and hierarchy.path[number - 1] not in names:
                yield ProfileIssue(
                    place, f'must name "{hierarchy.path[number - 1]}", which places documents of this level'
                )
            for index, name in enumerate(names):
                if name not in self.fields:
                    yield ProfileIssue((*place, index), f'"{name}" is not a declared field', nearest(name, self.fields))
                elif name in (hierarchy.level, *hierarchy.path[number:]):
                    yield ProfileIssue((*place, index), f'"{name}" does not place documents of this level')

    def _misplaced(self, place: Steps, name: str) -> ProfileIssue | None:
        if name not in self.fields:
            return ProfileIssue(place, f'"{name}" is not a declared field', nearest(name, self.fields))
        if self.fields[name].type != "keyword" or self.fields[name].ignore_case:
            return ProfileIssue(place, f'"{name}" must be of type keyword, with ignore_case left false')
        return None
