"""The version store against a model, in any order: ingest, overtake, delete, purge, re-embed, die, look back."""

from __future__ import annotations

import copy
import itertools
import shutil
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from pipelines.engine import Engine, open_engine
from pipelines.errors import DocumentNotFound, InvalidRequest, StoreUnavailable
from pipelines.ingestion.tickets import ticket
from pipelines.types import DocumentInput, VersionInfo
from tests.congruence.backends import BACKENDS, catalogue_of
from tests.congruence.faults import Dead, Fuse, fused_store
from tests.congruence.model import Model, Offer, groups_of
from tests.congruence.wholeness import problems_of, readable, settle

PROFILE = """
tenant: model{number}
{catalogue}
metadata: {{fields: {{name: {{type: keyword}}}}}}
chunking: {{size: {size}, overlap: 0}}
embedding: {{quantize: {quantize}, threads: 1}}
retention: {{versions: 2}}
"""
RETAINED = 2
EXAMPLES, STEPS = 4, 25
DOCUMENTS = ("a", "b", "guides/c")
NAMES = st.sampled_from(DOCUMENTS)
# A few texts only, and the same for all: equal contents must stay apart, and an old one may come back.
EDITIONS = [" ".join(f"Sentence {n} of edition {e} tells of beagles." for n in range(2 * e)) for e in range(4)]
OFFERS = st.lists(st.tuples(NAMES, st.integers(0, 3), st.sampled_from("xy")), min_size=1, max_size=4)
FAULTS = st.none() | st.tuples(st.sampled_from(["death", "failure"]), st.integers(0, 4))
Given = tuple[str, int, str]
Fault = tuple[str, int] | None


class VersionStore(RuleBasedStateMachine):
    """A tenant, and what it should hold. After every step both are compared, by every kind of read."""

    def __init__(self, catalogue: str, root: Path, number: int, fuse: Fuse) -> None:
        super().__init__()
        self._catalogue, self._root, self._number, self._fuse = catalogue, root, number, fuse
        self._pipeline = ("int8", 16)
        self._opened = ExitStack()
        self._moments = [ticket()]
        self._newest = 0
        self._model = Model("16")
        self._open()

    def teardown(self) -> None:
        self._opened.close()
        shutil.rmtree(self._root / f"model{self._number}", ignore_errors=True)

    # -----------------------------------------------------------------------------------------------------------------
    # Steps

    @rule(given=OFFERS, past=st.none() | st.integers(0, 20), fault=FAULTS)
    def ingest(self, given: list[Given], past: int | None, fault: Fault) -> None:
        if not self._ingest(given, past, fault):  # how much of it was confirmed as it is cannot be told
            self._ingest([(name, max(edition, 1), shelf) for name, edition, shelf in given], None, None)

    @rule(name=NAMES, purge=st.booleans(), fault=FAULTS)
    def delete(self, name: str, purge: bool, fault: Fault) -> None:
        after = copy.deepcopy(self._model)
        gone = after.delete(name, self._moment() + 1, purge)
        if gone < 0 and purge:  # one that was purged before is answered with the receipt
            with suppress(DocumentNotFound):
                assert self.engine.delete(name, purge).versions_left == 0
            return
        if gone < 0:
            with pytest.raises(DocumentNotFound):
                self.engine.delete(name)
            return
        receipt = self._do(lambda engine: engine.delete(name, purge), [self._model, after], fault)
        if receipt is not None:
            left = len(after.documents[name].versions)
            assert (receipt.versions_removed, receipt.versions_left) == (gone, left)

    @rule(fault=FAULTS)
    def purge(self, fault: Fault) -> None:
        after = copy.deepcopy(self._model)
        after.trim(RETAINED)
        if self._do(lambda engine: engine.purge(), [self._model, after], fault) is not None:
            assert self.engine.stats().horizon == self._model.horizon

    @rule(size=st.sampled_from([16, 32]), quantize=st.sampled_from(["int8", "none"]))
    def reopen(self, size: int, quantize: str) -> None:
        self._pipeline = (quantize, size)
        self._model.pipeline = str(size)
        self._opened.close()
        self._open()
        self._check()

    @rule(fault=FAULTS)
    def reembed(self, fault: Fault) -> None:
        after = copy.deepcopy(self._model)
        after.recut()
        self._do(lambda engine: engine.reembed(), [self._model, after], fault)
        if fault is None:
            assert self.engine.stats().stale == 0

    @precondition(lambda self: self._model.documents)
    @rule(back=st.integers(0, 30), name=NAMES)
    def look_back(self, back: int, name: str) -> None:
        newest, horizon = self.engine.stats().snapshot, self._model.horizon
        snapshot = max(newest - back, horizon)
        document = self._model.documents.get(name)
        expected = document.at(snapshot) if document else None
        found = readable(self.engine, name, snapshot)
        assert found == ((expected.number, expected.text) if expected else None)
        for beyond in (newest + 1, horizon - 1):
            with pytest.raises(InvalidRequest):
                self.engine.content(name, as_of=beyond)

    # Carrying out, and comparing

    def _ingest(self, given: list[Given], past: int | None, fault: Fault) -> bool:
        accepted = self._moment() + 1 if past is None else self._moments[-1 - past % len(self._moments)]
        offers = [
            Offer(name, EDITIONS[max(edition, int(fault is not None))] or None, shelf, accepted)
            for name, edition, shelf in given
        ]
        following, expected = [copy.deepcopy(self._model)], []
        for group in groups_of(offers):
            model = copy.deepcopy(following[-1])
            expected += [model.offer(offer) for offer in group]
            following.append(model)
        inputs = [_input(offer, explicit=past is not None) for offer in offers]
        results = self._do(lambda engine: engine.ingest(inputs), following, fault)
        assert results is None or [(result.state, result.version) for result in results] == expected
        return results is not None

    def _open(self) -> None:
        quantize, size = self._pipeline
        text = PROFILE.format(number=self._number, catalogue=self._catalogue, size=size, quantize=quantize)
        file = self._root / f"model{self._number}.yaml"
        file.write_text(text, encoding="utf-8")
        self.engine = self._opened.enter_context(open_engine(file, self._root))
        self._fuse.watch(self.engine)

    def _moment(self) -> int:
        self._moments.append(ticket())
        return self._moments[-1]

    def _do(self, work: Callable[[Engine], Any], following: list[Model], fault: Fault) -> Any:
        """What ``work`` gives; None where the fault struck, and the tenant then is what one of ``following`` is.

        Without a fault it is what the last one is.
        """
        kind, after = fault or ("failure", 10**6)
        result = None
        with self._fuse.armed(kind, after):
            try:
                result = work(self.engine)
                settle(self.engine)
            except (Dead, StoreUnavailable):
                assert self._fuse.blown
            if self._fuse.blown and kind == "death":
                with suppress(Dead):  # what a living process would write down when it ends
                    self._opened.close()
        if self._fuse.blown and kind == "death":
            self._open()
        self._model = self._what_became(following if self._fuse.blown else following[-1:])
        self._check()
        return None if self._fuse.blown else result

    def _what_became(self, following: list[Model]) -> Model:
        found = self._listed(), self._kept()
        matching = [model for model in following if (model.listed(), model.kept()) == found]
        assert matching, f"it is {found}, and may be {[(model.listed(), model.kept()) for model in following]}"
        return matching[-1]

    def _listed(self) -> dict[str, int]:
        return {document.document_id: document.version for document in self.engine.documents().documents}

    def _kept(self) -> dict[str, list[tuple[int, bool]]]:
        listed = {name: self._versions(name) for name in DOCUMENTS}
        return {name: [(one.version, one.current) for one in versions] for name, versions in listed.items() if versions}

    def _versions(self, name: str) -> tuple[VersionInfo, ...]:
        """A document's versions, the oldest first."""
        try:
            return self.engine.versions(name)[::-1]
        except DocumentNotFound:
            return ()

    def _check(self) -> None:
        newest = self.engine.stats().snapshot
        for name in DOCUMENTS:
            document = self._model.documents.get(name)
            learnt = document.learn(self._versions(name)) if document else set()
            assert all(self._newest < snapshot <= newest for snapshot in learnt)
            current = document.current if document else None
            assert readable(self.engine, name) == ((current.number, current.text) if current else None)
        self._newest = newest
        settle(self.engine)
        assert problems_of(self.engine) == []


def _input(offer: Offer, explicit: bool) -> DocumentInput:
    return DocumentInput(
        content=offer.text or "",
        document_id=offer.document_id,
        metadata={"name": offer.document_id, "shelf": offer.shelf},
        accepted=offer.accepted if explicit else None,
    )


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.filterwarnings(  # a background thread may be the one that meets the death of its process
    "ignore:Exception in thread footnote-:pytest.PytestUnhandledThreadExceptionWarning"
)
@pytest.mark.parametrize("backend", BACKENDS)
def test_the_version_store_does_what_the_model_does(backend: str, tmp_path: Path) -> None:
    numbers = itertools.count()
    with catalogue_of(backend) as catalogue, fused_store() as fuse:
        run_state_machine_as_test(
            lambda: VersionStore(catalogue, tmp_path, next(numbers), fuse),
            settings=settings(max_examples=EXAMPLES, stateful_step_count=STEPS, phases=[Phase.generate]),
        )
