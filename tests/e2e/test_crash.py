"""A process that is killed at random moments leaves every document whole, whatever it was doing."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.congruence.backends import BACKENDS, catalogue_of
from tests.e2e.killing import Executioner, Expected, Step, Text, executioner
from tests.e2e.victim import text_of

PROFILE = """
tenant: kennel
{catalogue}
knowledge: {{path: folder}}
metadata: {{fields: {{name: {{type: keyword}}}}}}
extractors: [frontmatter]
chunking: {{size: {size}, overlap: 0}}
embedding: {{quantize: {quantize}, embed: [], threads: 1}}
retention: {{versions: 2}}
"""
KINDS = {"ingest": 13, "job": 5, "delete": 6, "erase": 7, "recut": 5, "remodel": 5, "purge": 3, "sync": 3, "open": 3}
KILLS = int(os.environ.get("FOOTNOTE_KILLS", "9"))
"""How often a process is killed, nine to fifty times; the first nine interrupt one step of each kind."""
SEED = 7
DOCUMENTS = [f"d{n:03}" for n in range(200 if len(KINDS) < KILLS else 60)]
FILES = [f"f{n:02}.md" for n in range(24)]
AT_ONCE = 24
DELETED = 5


class Kennel:
    """A tenant that is killed again and again."""

    def __init__(self, folder: Path, catalogue: str, victims: Executioner) -> None:
        self._folder, self._catalogue, self._victims = folder, catalogue, victims
        self._chance = random.Random(SEED)
        self._size, self._quantize = 16, "int8"
        self._editions = dict.fromkeys([*DOCUMENTS, *FILES], 0)
        self._expected = Expected()
        self._jobs = 0
        (folder / "folder").mkdir()

    def fill(self) -> None:
        """Brings everything in, and lets the process go then."""
        self._fork()
        self._victims.opened()
        for step, changes in [self._ingest(DOCUMENTS), self._sync(FILES)]:
            self._carry_out(step, changes)
        self._victims.kill()

    def kill_during(self, kind: str) -> None:
        """Opens what the last kill left, compares it, and kills again while ``kind`` is under way."""
        if kind == "recut":
            self._size = 48 - self._size
        if kind == "remodel":
            self._quantize = "none" if self._quantize == "int8" else "int8"
        self._fork()
        if kind == "open":
            self._wait_for_a_moment("open")
            self._victims.kill()
            return
        self._compare()
        steps = self._steps(kind)
        last = self._chance.randrange(len(steps))
        for step, changes in steps[:last]:
            self._carry_out(step, changes)
        step, changes = steps[last]
        self._begin(step, changes)
        self._wait_for_a_moment(step[0])
        self._victims.kill()
        if kind == "job":
            self._finish_job(changes)

    def _finish_job(self, changes: dict[str, Text]) -> None:
        """What was asked for is done in the end; what was not yet asked for when the process died is not."""
        self._fork()
        self._compare()
        before = self._jobs
        self._begin(["jobs"], changes)
        self._jobs = self._victims.finish(["jobs"])
        if self._jobs > before:
            self._expected.did()
        self._victims.kill()

    def compare(self) -> None:
        """Opens what the last kill left, compares it, and finishes what was begun."""
        self._fork()
        self._compare()
        for step in (["reembed"], ["sync"], ["purge"]):
            self._carry_out(step, self._folder_texts() if step == ["sync"] else {})
        self._victims.kill()
        self._fork()
        self._compare()
        self._victims.kill()

    def _fork(self) -> None:
        profile = self._folder / "kennel.yaml"
        text = PROFILE.format(catalogue=self._catalogue, size=self._size, quantize=self._quantize)
        profile.write_text(text, encoding="utf-8")
        self._victims.fork(profile, self._folder / "data")

    def _compare(self) -> None:
        self._expected.compare(self._victims.opened())
        at = self._chance.choice(sorted(self._expected.past))
        known = self._expected.past[at]
        names = self._chance.sample(sorted(known), 3)
        assert self._victims.ask("look back", at, names) == {name: list(known[name]) for name in names}

    def _carry_out(self, step: Step, changes: dict[str, Text]) -> None:
        self._begin(step, changes)
        self._jobs = self._victims.finish(step)
        self._expected.did()

    def _begin(self, step: Step, changes: dict[str, Text]) -> None:
        self._expected.will(changes, erased=changes if step[0] == "erase" else ())
        self._victims.begin(step)

    def _wait_for_a_moment(self, what: str) -> None:
        time.sleep(self._chance.uniform(0, self._victims.took.get(what, 0.5)))

    # -----------------------------------------------------------------------------------------------------------------
    # What is done, and what should come of it

    def _steps(self, kind: str) -> list[tuple[Step, dict[str, Text]]]:
        match kind:
            case "ingest":
                return [self._ingest(self._chance.sample(DOCUMENTS, AT_ONCE)) for _ in range(2)]
            case "job":
                names = self._chance.sample(DOCUMENTS, 2 * AT_ONCE)
                return [(["job", *step[1:]], changes) for step, changes in [self._ingest(names)]]
            case "delete" | "erase":
                there = sorted(set(DOCUMENTS) & self._expected.texts.keys())
                return [([kind, name], {name: None}) for name in self._chance.sample(there, DELETED)]
            case "recut" | "remodel":
                return [(["reembed"], {})]
            case "purge":
                return [self._ingest(self._chance.sample(DOCUMENTS, AT_ONCE)), (["purge"], {})]
            case _:
                return [self._sync(self._chance.sample(FILES, len(FILES) // 2))]

    def _ingest(self, names: list[str]) -> tuple[Step, dict[str, Text]]:
        editions = [(name, self._next(name)) for name in names]
        return ["ingest", editions], {name: text_of(name, edition) for name, edition in editions}

    def _sync(self, names: list[str]) -> tuple[Step, dict[str, Text]]:
        """Changes files, takes some away, and leaves them long enough ago that they count as quiet."""
        for name in names:
            file = self._folder / "folder" / name
            if self._chance.random() < 0.2:
                file.unlink(missing_ok=True)
                continue
            text = text_of(name, self._next(name))
            file.write_text(f"---\nname: {name}\n---\n{text}\n", encoding="utf-8")
            long_ago = time.time() - self._chance.uniform(60, 3600)
            os.utime(file, (long_ago, long_ago))
        return ["sync"], self._folder_texts()

    def _folder_texts(self) -> dict[str, Text]:
        files = {name: self._folder / "folder" / name for name in FILES}
        return {
            name: file.read_text(encoding="utf-8").split("---\n")[-1].strip() if file.exists() else None
            for name, file in files.items()
        }

    def _next(self, name: str) -> int:
        """Mostly the next edition; sometimes the same once more."""
        self._editions[name] += self._chance.random() < 0.9
        return self._editions[name]


def _order_of_kills() -> list[str]:
    """Return one of each kind first, so that few kills try everything; then the rest, mixed."""
    chance = random.Random(SEED)
    first = chance.sample(list(KINDS), len(KINDS))
    rest = [kind for kind, count in KINDS.items() for _ in range(count - 1)]
    return first + chance.sample(rest, len(rest))


@pytest.fixture(params=BACKENDS)
def kennel(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kennel]:
    with catalogue_of(request.param) as catalogue, executioner() as victims:
        yield Kennel(tmp_path, catalogue, victims)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_documents_are_whole_after_many_kills(kennel: Kennel) -> None:
    kinds = _order_of_kills()
    kennel.fill()
    for number, kind in enumerate(kinds[:KILLS]):
        try:
            kennel.kill_during(kind)
        except AssertionError as error:
            raise AssertionError(f"seed {SEED}, after the kills during {kinds[:number]}: {error}") from error
    kennel.compare()
