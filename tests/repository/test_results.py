"""Results of analyses in a repository: replaced, published, lost and found again."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from tests.repository.making import make_capture, new_repository

from webgeist.errors import NotFoundError
from webgeist.repository.check import check
from webgeist.repository.ids import capture_id
from webgeist.repository.repair import repair
from webgeist.repository.repository import open_repository
from webgeist.repository.results import OK, TABLE, Result
from webgeist.repository.schema import ID

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webgeist.repository.repository import Repository

SCHEMA = pa.schema([pa.field("capture", ID), pa.field("said", pa.string())])
NAMES = ("letters", "numbers")


def ids(*numbers: int) -> list[str]:
    return [capture_id(make_capture(number).info) for number in numbers]


def add(
    repository: Repository, name: str, version: str, captures: Sequence[str], said: str
) -> None:
    """Two rows for each capture, which say the same."""
    rows = [{"capture": capture, "said": said} for capture in sorted(captures) for _ in range(2)]
    made = [Result(capture, name, version, OK, "", 2, 1.5) for capture in captures]
    repository.add_results(made, {name: pa.Table.from_pylist(rows, schema=SCHEMA)})


def said(table: pa.Table) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in table.to_pylist():
        found.setdefault(row["capture"], []).append(row["said"])
    return found


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with new_repository(tmp_path / "r", 1, 2, 3) as opened:
        yield opened


class Story(RuleBasedStateMachine):
    """Captures are added and analysed in any order, published, and read after a restart; beside it
    stands a dictionary that knows what must be there.
    """

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name, "r")
        self.repository = new_repository(self.path)
        self.captures: list[str] = []
        self.versions = dict.fromkeys(NAMES, "1")
        self.made: dict[tuple[str, str], tuple[str, str]] = {}  # to (version, what is said)
        self.released: dict[tuple[str, str], tuple[str, str]] = {}
        self.steps = 0

    @rule()
    def capture(self) -> None:
        capture = make_capture(len(self.captures))
        self.captures.append(self.repository.add(capture))

    @precondition(lambda self: self.captures)
    @rule(name=st.sampled_from(NAMES), data=st.data(), anew=st.booleans())
    def analyse(self, name: str, data: st.DataObject, anew: bool) -> None:
        version = self.versions[name]
        todo = self.repository.begin_analysis(name, version, anew=anew)
        for key in [key for key in self.made if anew and key[0] == name]:
            del self.made[key]
        have = {c for (n, c), (v, _) in self.made.items() if n == name and v == version}
        assert todo == sorted(set(self.captures) - have)
        chosen = data.draw(st.lists(st.sampled_from(self.captures), unique=True, min_size=1))
        self.steps += 1
        add(self.repository, name, version, chosen, f"step {self.steps}")
        for capture in chosen:
            self.made[name, capture] = version, f"step {self.steps}"

    @rule(name=st.sampled_from(NAMES))
    def new_version(self, name: str) -> None:
        self.versions[name] = str(int(self.versions[name]) + 1)
        self.repository.begin_analysis(name, self.versions[name])

    @precondition(lambda self: self.captures)
    @rule()
    def publish(self) -> None:
        before = self.repository.releases()
        number = self.repository.publish()
        if not before or number != before[-1].release:
            # What is to be made again stays in releases until it is.
            known = self.released | self.made
            self.released = {key: of for key, of in known.items() if of[0] == self.versions[key[0]]}
        with self.repository.release() as release:
            for name in NAMES:
                want = {c: [t, t] for (n, c), (_, t) in self.released.items() if n == name}
                have = said(release.table(name)) if name in release.tables() else {}
                assert have == want

    @rule()
    def restart(self) -> None:
        self.repository.close()
        self.repository = open_repository(self.path)

    @invariant()
    def results_are_what_was_made_last(self) -> None:
        for (name, capture), (_, text) in self.made.items():
            if self.repository.releases() or self.captures:
                try:
                    rows = self.repository.result(name, capture)
                except NotFoundError:
                    continue
                if rows.num_rows:
                    assert set(rows.column("said").to_pylist()) == {text}

    def teardown(self) -> None:
        assert check(self.repository) == []
        self.repository.close()
        self.folder.cleanup()


Story.TestCase.settings = settings(max_examples=25, stateful_step_count=14, deadline=None)
test_any_story = Story.TestCase


def test_the_release_tells_how_each_analysis_ended(repository: Repository) -> None:
    one, two, three = ids(1, 2, 3)
    repository.begin_analysis("letters", "1")
    made = [
        Result(one, "letters", "1", OK, "", 0, 1.0),
        Result(two, "letters", "1", "failed", "ValueError: no", 0, 2.0),
        Result(three, "letters", "1", "timeout", "no answer within 60 s", 0, 60_000.0),
    ]
    repository.add_results(made, {})
    repository.publish()
    with repository.release() as release:
        assert [Result(**row) for row in release.table(TABLE).to_pylist()] == sorted(
            made, key=lambda each: each.capture
        )
        assert release.manifest.analyses == {"letters": "1"}
    assert check(repository) == []


def test_outdated_rows_leave_the_release_with_their_version(repository: Repository) -> None:
    repository.begin_analysis("letters", "1")
    add(repository, "letters", "1", ids(1, 2, 3), "old")
    repository.publish()
    assert repository.begin_analysis("letters", "2") == sorted(ids(1, 2, 3))
    add(repository, "letters", "2", ids(2), "new")
    repository.publish()
    with repository.release() as release:
        assert said(release.table("letters")) == {ids(2)[0]: ["new", "new"]}
    with repository.release(1) as first:
        assert len(said(first.table("letters"))) == 3


def test_state_made_anew_knows_the_results(repository: Repository) -> None:
    repository.begin_analysis("letters", "1")
    add(repository, "letters", "1", ids(1, 2), "published")
    repository.publish()
    add(repository, "letters", "1", ids(2, 3), "staged")
    repository.close()
    repository.layout.state.write_bytes(b"no database")
    repair(repository.path)
    assert check(repository.path) == []
    with open_repository(repository.path) as again:
        assert again.begin_analysis("letters", "1") == []
        again.publish()
        with again.release() as release:
            found = said(release.table("letters"))
    assert [found[id_][0] for id_ in ids(1, 2, 3)] == ["published", "staged", "staged"]


def test_results_of_a_damaged_batch_are_made_again(repository: Repository) -> None:
    repository.begin_analysis("letters", "1")
    add(repository, "letters", "1", ids(1, 2, 3), "lost")
    repository.close()
    (staged,) = repository.layout.staging.glob("*/letters.arrow")
    staged.write_bytes(b"x" * 10)
    assert [problem.part for problem in check(repository.path)] == ["batch"]
    assert "3 results of analyses have to be made again" in repair(repository.path)
    assert check(repository.path) == []
    with open_repository(repository.path) as again:
        assert len(again) == 3
        assert again.begin_analysis("letters", "1") == sorted(ids(1, 2, 3))


def test_results_of_a_damaged_table_are_made_again(repository: Repository) -> None:
    repository.begin_analysis("letters", "1")
    add(repository, "letters", "1", ids(1, 2, 3), "lost")
    repository.publish()
    repository.close()
    (file,) = (repository.layout.tables / "letters").iterdir()
    file.write_bytes(b"x" * 10)
    assert "letters of 3 captures has to be made again" in repair(repository.path)
    assert check(repository.path) == []
    with open_repository(repository.path) as again:
        assert len(again) == 3
        assert again.begin_analysis("letters", "1") == sorted(ids(1, 2, 3))
