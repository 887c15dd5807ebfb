"""Strange but allowed: places, names, clocks, sizes and texts that nobody thinks of first."""

from __future__ import annotations

import resource
import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import psutil
import pyarrow as pa
import pytest
from tests.repository.archive.exchanges import close_bodies, make_exchange
from tests.repository.making import NOON, URL, make_capture, new_repository, same, with_time

from webgeist.capture.decode import MemoryParts
from webgeist.capture.info import FORMAT
from webgeist.errors import DamagedError, NotFoundError
from webgeist.page.model import Page
from webgeist.page.schema import LINKS, NODES, style_schema
from webgeist.repository.check import check
from webgeist.repository.init import init_repository
from webgeist.repository.repair import repair
from webgeist.repository.repository import open_repository
from webgeist.repository.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webgeist.capture.model import Capture
    from webgeist.repository.repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with new_repository(tmp_path / "r") as opened:
        yield opened
    close_bodies()


# --- where it lies --------------------------------------------------------------------------------


def test_the_program_goes_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path means the folder that it meant when the repository was opened."""
    monkeypatch.chdir(tmp_path)
    init_repository("r")
    with open_repository("r") as repository:
        monkeypatch.chdir("/")
        repository.add(make_capture(1), [make_exchange()])
        repository.publish()
        assert same(repository.latest(URL), make_capture(1))
        assert check(repository) == []
    close_bodies()
    monkeypatch.chdir(tmp_path)
    assert check("r") == []
    assert repair("r") == []


@pytest.mark.parametrize("name", ["with spaces", "Bücher 本", "100%?#&'\"", "-x", "new\nline"])
def test_names_of_folders(tmp_path: Path, name: str) -> None:
    with new_repository(tmp_path / name / "r") as repository:
        repository.add(make_capture(1), [make_exchange()])
        repository.publish()
        assert same(repository.latest(URL), make_capture(1))
    close_bodies()
    assert check(tmp_path / name / "r") == []


def test_a_folder_behind_a_link(tmp_path: Path) -> None:
    """Both names are one repository: one writer."""
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with new_repository(tmp_path / "real", 1) as repository:
        with open_repository(tmp_path / "link") as same_one:
            assert len(same_one) == 1
            with pytest.raises(DamagedError, match="in use by process"):
                same_one.add(make_capture(2))
        repository.publish()
    with open_repository(tmp_path / "link") as repository:
        repository.add(make_capture(2))
        repository.publish()
    assert check(tmp_path / "real") == check(tmp_path / "link") == []


def test_a_repository_that_was_moved(tmp_path: Path) -> None:
    with new_repository(tmp_path / "old") as repository:
        repository.add(make_capture(1), [make_exchange()])
        repository.publish()
    close_bodies()
    shutil.move(tmp_path / "old", tmp_path / "new")
    with open_repository(tmp_path / "new") as repository:
        assert same(repository.latest(URL), make_capture(1))
    assert check(tmp_path / "new") == []


# --- clocks ---------------------------------------------------------------------------------------


def test_a_clock_that_goes_backwards(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Batches, releases and captures get times in any order; nothing depends on it."""
    times = iter([NOON - timedelta(days=days) for days in range(99)])
    monkeypatch.setattr(Writer, "clock", lambda _: next(times))
    captures = [with_time(make_capture(n), NOON - timedelta(hours=n)) for n in range(6)]
    for capture in captures:
        repository.add(capture)
        repository.publish()
    release = repository.release()
    assert release.number == 6
    found = [manifest.time for manifest in repository.releases()]
    assert found == sorted(found, reverse=True)
    assert same(release.latest(URL), captures[0]), "the last one is the one taken last"
    assert [each.info.time for each in release] == sorted(each.info.time for each in captures)
    assert check(repository) == []


def test_many_captures_in_one_moment(repository: Repository) -> None:
    with repository.batch() as batch:
        ids = {batch.add(with_time(make_capture(n, url=f"{URL}/{n}"), NOON)) for n in range(50)}
    repository.publish()
    assert len(ids) == 50
    assert repository.release().captures().column("capture").to_pylist() == sorted(ids)
    assert {id_[:10] for id_ in ids} == {next(iter(ids))[:10]}, "the same millisecond"


@pytest.mark.parametrize("year", [1970, 2106, 9999])
def test_years(repository: Repository, year: int) -> None:
    capture = with_time(make_capture(1), datetime(year, 1, 1, tzinfo=UTC))
    id_ = repository.add(capture)
    repository.publish()
    assert same(repository.capture(id_), capture)


# --- sizes ----------------------------------------------------------------------------------------


def _with_many(nodes: int) -> Capture:
    """A capture with this many nodes, made quickly."""
    plain = make_capture(1)
    page = plain.page
    assert page
    rows = page.nodes.take(pa.array([0] * nodes))
    numbers = pa.array(range(nodes), pa.int32())
    rows = rows.set_column(0, NODES.field("node"), numbers).combine_chunks()
    parts = MemoryParts(
        Page(rows, page.styles_inherited, page.styles_own, page.documents),
        LINKS.empty_table(),
        plain.requests,
        None,
        None,
    )
    return replace(plain, info=replace(plain.info, nodes=nodes, screenshot=None), parts=parts)


def test_more_nodes_than_a_row_group_holds(repository: Repository) -> None:
    """A capture is never divided, also between others."""
    large = _with_many(100_001)
    with repository.batch() as batch:
        batch.add(make_capture(0))
        id_ = batch.add(large)
        batch.add(make_capture(2))
    repository.publish()
    (file,) = repository.release().manifest.tables["nodes"].files
    assert [group.rows for group in file.row_groups] == [5, 100_001, 5]
    page = repository.capture(id_).page
    assert page
    assert page.nodes.column("node").to_pylist() == list(range(100_001))
    assert check(repository) == []


def test_captures_of_nothing(repository: Repository) -> None:
    """Without nodes, links, requests, pictures or exchanges."""
    empty = make_capture(1, nodes=0)
    parts = MemoryParts(None, LINKS.empty_table(), empty.requests.slice(0, 0), None, None)
    empty = replace(empty, parts=parts)
    id_ = repository.add(empty)
    assert same(repository.capture(id_), empty)
    repository.publish()
    assert same(repository.release().capture(id_), empty)
    assert check(repository) == []


def test_a_page_without_styles(repository: Repository) -> None:
    """Nothing was laid out: nodes, but no row in either style table."""
    plain = make_capture(1)
    assert plain.page
    none = pa.nulls(5, pa.int32())
    nodes = plain.page.nodes
    for name in ("style_inherited", "style_own"):
        nodes = nodes.set_column(nodes.schema.get_field_index(name), NODES.field(name), none)
    empty = style_schema(()).empty_table()
    page = Page(nodes, empty, empty, plain.page.documents)
    parts = MemoryParts(page, plain.links, plain.requests, plain.screenshot, plain.thumbnail)
    bare = replace(plain, parts=parts)
    id_ = repository.add(bare)
    repository.publish()
    assert same(repository.capture(id_), bare)
    assert check(repository) == []


def test_more_captures_in_use_than_files_may_be_open(repository: Repository) -> None:
    with repository.batch() as batch:
        for number in range(60):
            batch.add(make_capture(number))
    repository.add(make_capture(60))
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (psutil.Process().num_fds() + 30, before[1]))
    try:
        staged = list(repository)
        repository.publish()
        assert len(staged) == len(list(repository)) == 61
        assert same(staged[7], make_capture(7))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


# --- texts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["\x00", "a\nb\r\n", "\u202e\ufeff", "é" * 1_000_000, "'; --"])
def test_texts(repository: Repository, text: str) -> None:
    url = f"http://example.org/{text}"
    plain = make_capture(1, url=url)
    said = replace(plain.info, reason=text, mime_type=text, headers={"x": text})
    capture = replace(plain, info=said)
    repository.add(capture)
    assert same(repository.latest(url), capture)
    repository.publish()
    assert same(repository.release().latest(url), capture)
    with pytest.raises(NotFoundError):
        repository.latest(url + "x")
    assert check(repository) == []


def test_what_clients_and_servers_say(repository: Repository) -> None:
    """No exchange can spoil a batch, whatever is in it."""
    rubbish = "\ud800\x00\r\n" * 3
    exchanges = [
        make_exchange("", method="", status=None, data=b"", error=rubbish),
        make_exchange(f"http://h.test/{rubbish}", number=1, error=rubbish, refused=""),
        make_exchange("http://[", number=2, method="BREW", reason=rubbish),
        make_exchange("http://h.test/", number=3, status=None, data=b"", refused=rubbish),
    ]
    id_ = repository.add(make_capture(1), exchanges)
    repository.publish()
    rows = repository.release().table("resources", captures=[id_]).to_pylist()
    assert [row["url"] for row in rows] == [
        "",
        "http://h.test/" + "?\x00\r\n" * 3,
        "http://[",
        "http://h.test/",
    ]
    assert check(repository) == []


# --- versions -------------------------------------------------------------------------------------


def _of_format(number: int) -> Capture:
    capture = make_capture(1)
    return replace(capture, info=replace(capture.info, format=number))


def test_a_capture_of_an_older_format(repository: Repository) -> None:
    """It keeps its number: reading is up to what its format was."""
    id_ = repository.add(_of_format(FORMAT - 1))
    repository.publish()
    assert same(repository.capture(id_), _of_format(FORMAT - 1))
    assert check(repository) == []


def test_a_capture_of_a_newer_format(repository: Repository) -> None:
    id_ = repository.add(_of_format(FORMAT + 1))
    repository.publish()
    with pytest.raises(DamagedError, match=f"capture {id_} was written by a newer webgeist"):
        repository.capture(id_)
    assert len(repository.release().table("nodes", captures=[id_])) == 5, "tables can be read"
