"""What goes in comes out: staged, published, by id, by URL and time, as tables."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa
from tests.repository.archive.exchanges import close_bodies, every_kind, make_exchange
from tests.repository.making import NOON, URL, make_capture, new_repository, same

from webgeist.capture.target import parse_target
from webgeist.crawl.tables import SHAPES
from webgeist.errors import DamagedError, NotFoundError, StorageError, UsageError
from webgeist.repository.archive import ArchiveReader, RecordPlace
from webgeist.repository.check import check
from webgeist.repository.init import init_repository
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import Shooter, Studio

    from webgeist.capture.model import Capture
    from webgeist.repository.repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with new_repository(tmp_path / "r") as opened:
        yield opened
    close_bodies()


PAGE = """<!doctype html><html lang=en><title>Real</title><style>p::before { content: "→" }
.a { color: oklch(0.6 0.2 30); opacity: .5 }</style><p class=a>Words <a href=next>next</a></p>
<iframe srcdoc="<b>framed</b>"></iframe><div style="height:9000px"></div>"""


@pytest.fixture(scope="module")
def real_capture(picture_studio: Studio, tmp_path_factory: pytest.TempPathFactory) -> Capture:
    path = tmp_path_factory.mktemp("real") / "page.html"
    path.write_text(PAGE, "utf-8")
    return picture_studio.shoot(parse_target(str(path), url="http://example.org/real"))


def test_a_real_capture_is_the_same_staged_and_published(
    repository: Repository, real_capture: Capture
) -> None:
    id_ = repository.add(real_capture)
    assert len(id_) == 26
    staged = repository.capture(id_)
    assert same(staged, real_capture)
    assert repository.publish() == 1
    published = repository.release().capture(id_)
    assert same(published, real_capture)
    assert len(real_capture.screenshot.tiles if real_capture.screenshot else ()) == 2
    assert published.page is not None
    assert real_capture.page is not None
    node = published.page.find("p")[0]
    assert published.page.style(node) == real_capture.page.style(node)
    assert same(staged, real_capture), "held while the batch was removed"


def test_a_failed_capture_is_kept_too(repository: Repository, studio: Studio) -> None:
    failed = studio.shoot("http://nosuch.invalid/")
    id_ = repository.add(failed)
    assert repository.capture(id_).page is None
    repository.publish()
    assert same(repository.capture(id_), failed)
    assert repository.captures()[0].outcome == failed.info.outcome


def test_adding_again_changes_nothing(repository: Repository) -> None:
    id_ = repository.add(make_capture(1))
    assert repository.add(make_capture(1)) == id_
    repository.publish()
    assert repository.add(make_capture(1)) == id_
    with repository.batch() as batch:
        assert batch.add(make_capture(2)) == batch.add(make_capture(2))
        assert len(batch) == 1
    assert len(repository) == 2
    assert repository.publish() == 2
    assert repository.publish() == 2, "nothing new, no new release"


def test_a_batch_is_complete_or_absent(repository: Repository) -> None:
    with pytest.raises(ZeroDivisionError):
        _fail_in_a_batch(repository)
    assert len(repository) == 0
    assert list(repository.layout.archive.glob("*.warc.gz")) == []
    with repository.batch() as batch:
        for number in (3, 1, 2):
            batch.add(make_capture(number), [make_exchange(number=number)])
        assert len(repository) == 0, "not before the end"
    assert len(repository) == 3
    assert check(repository) == []


def _fail_in_a_batch(repository: Repository) -> None:
    with repository.batch() as batch:
        batch.add(make_capture(1), [make_exchange()])
        raise ZeroDivisionError


def _say(word: str, connection: sa.Connection) -> None:
    connection.execute(sa.insert(SHAPES), {"shape": word, "pages": 1})


def _add_and(repository: Repository, captures: int, *changes: Callable[..., object]) -> None:
    with repository.batch() as batch:
        for number in range(captures):
            batch.add(make_capture(number))
        for change in changes:
            batch.also(change)  # type: ignore[arg-type]


@pytest.mark.parametrize("captures", [0, 1])
def test_other_rooms_change_state_with_a_batch_or_not_at_all(
    repository: Repository, captures: int
) -> None:
    with pytest.raises(ZeroDivisionError):
        _add_and(repository, captures, partial(_say, "lost"), lambda _: 1 / 0)
    assert len(repository) == 0
    _add_and(repository, captures, partial(_say, "kept"))
    assert len(repository) == captures
    with repository.transaction() as connection:
        assert connection.execute(sa.select(SHAPES.c.shape)).scalars().all() == ["kept"]


def test_a_batch_is_used_once_and_alone(repository: Repository) -> None:
    with repository.batch() as batch:
        with pytest.raises(UsageError, match="a batch is open"):
            repository.batch().__enter__()
        with pytest.raises(UsageError, match="a batch is open"):
            repository.publish()
    with pytest.raises(UsageError, match="the batch is closed"):
        batch.add(make_capture(1))


def test_captures_by_url_and_time(repository: Repository) -> None:
    for number in (0, 10, 20):
        repository.add(make_capture(number))
    repository.add(make_capture(5, url="http://example.org/other"))
    repository.publish()
    repository.add(make_capture(30))
    release = repository.release()
    for source, expected in ((repository, 30), (release, 20)):
        assert source.latest(URL).info.time == NOON + timedelta(seconds=expected)
        at = source.latest(URL, until=NOON + timedelta(seconds=19))
        assert at.info.time == NOON + timedelta(seconds=10)
        with pytest.raises(NotFoundError, match="no capture of"):
            source.latest(URL, until=NOON - timedelta(seconds=1))
    assert [entry.url for entry in repository.captures("http://example.org/other")] == [
        "http://example.org/other"
    ]
    assert len(repository.captures()) == 5
    assert release.captures(URL).num_rows == 3
    assert [each.info.time for each in repository] == sorted(each.info.time for each in repository)
    assert len(list(release)) == len(release) == 4


def test_a_redirected_page_is_found_by_both_urls(repository: Repository) -> None:
    taken = make_capture(1)
    taken = replace(taken, info=replace(taken.info, requested_url="http://short/"))
    repository.add(taken)
    assert repository.latest("http://short/").info == repository.latest(URL).info
    repository.publish()
    assert repository.release().latest("http://short/").info == taken.info


def test_exchanges_are_in_the_archive_and_in_the_tables(repository: Repository) -> None:
    exchanges = list(every_kind().values())
    id_ = repository.add(make_capture(1), exchanges)
    again = repository.add(make_capture(2), exchanges[:1])
    repository.publish()
    rows = repository.release().table("resources").to_pylist()
    mine = [row for row in rows if row["capture"] == id_]
    assert [row["exchange"] for row in mine] == [each.number for each in exchanges]
    reader = ArchiveReader(repository.layout.archive)
    for row, exchange in zip(mine, exchanges, strict=True):
        assert (row["url"], row["status"], row["bytes"]) == (
            exchange.url,
            exchange.status,
            exchange.body.size,
        )
        if row["answer"]:
            stored = reader.answer(RecordPlace(**row["answer"]))
            assert stored.body.read() == exchange.body.read()
            assert row["sha256"] == exchange.body.sha256
    assert [row["revisit"] for row in rows if row["capture"] == again] == [True]
    assert {row["refused"] for row in mine} == {None, exchanges[13].refused}
    assert check(repository) == []


def test_a_captures_own_exchanges_are_kept(repository: Repository) -> None:
    repository.add(replace(make_capture(1), exchanges=(make_exchange(),)))
    repository.publish()
    assert repository.release().table("resources").num_rows == 1


def test_tables_as_arrow(repository: Repository) -> None:
    ids = [repository.add(make_capture(number)) for number in range(4)]
    repository.publish()
    release = repository.release()
    nodes = release.table("nodes", ["text", "capture"], captures=ids[1:3])
    assert nodes.column_names == ["text", "capture"]
    assert set(nodes.column("text").to_pylist()) == {"text 1", "text 2"}
    assert release.table("nodes").num_rows == 20
    styles = release.table("styles_own", ["width_px", "opacity_value", "background_color_alpha"])
    assert styles.column("width_px").to_pylist() == [0, 1, 1, 2, 2, 3, 3, 4]
    assert set(styles.column("opacity_value").to_pylist()) == {0.5}
    assert release.table("nodes", captures=[]).num_rows == 0
    assert release.table("links", ["url"], captures=[ids[0]]).schema.names == ["url"]
    assert sum(part.num_rows for part in release.stream("nodes")) == 20
    with pytest.raises(NotFoundError, match="no column colour"):
        release.table("nodes", ["colour"])
    with pytest.raises(NotFoundError, match="no table node"):
        release.table("node")


def test_two_chromiums_with_different_longhands(repository: Repository) -> None:
    old, new = make_capture(1), make_capture(2, own=("width", "anchor-name", "opacity"))
    for capture in (old, new):
        repository.add(capture)
    repository.publish()
    for number in range(3, 8):
        repository.add(make_capture(number))
        repository.publish()
    release = repository.release()
    for capture in (old, new):
        assert same(release.latest(URL, until=capture.info.time), capture)
    names = release.table("styles_own", ["anchor-name"]).column("anchor-name").to_pylist()
    assert names.count("auto") == 2
    assert names.count(None) == 12
    assert check(repository) == []


def test_a_release_stays_as_it_is(repository: Repository) -> None:
    repository.add(make_capture(1))
    repository.publish()
    first = repository.release()
    repository.add(make_capture(2))
    repository.publish()
    assert (len(first), len(repository.release()), len(repository.release(1))) == (1, 2, 1)
    assert first.table("captures").num_rows == 1
    assert [manifest.release for manifest in repository.releases()] == [1, 2]
    with pytest.raises(NotFoundError, match="no release 3"):
        repository.release(3)


def test_nothing_published(repository: Repository) -> None:
    with pytest.raises(NotFoundError, match="nothing was published yet"):
        repository.release()
    with pytest.raises(NotFoundError, match="nothing to publish"):
        repository.publish()
    with pytest.raises(NotFoundError, match="no capture X"):
        repository.capture("X")


def test_a_reader_does_not_write(repository: Repository) -> None:
    repository.add(make_capture(1))
    with open_repository(repository.path, readonly=True) as reader:
        assert len(reader) == 1
        for change in (reader.publish, reader.collect_garbage, lambda: reader.add(make_capture(2))):
            with pytest.raises(UsageError, match="opened for reading"):
                change()


AS_NOBODY = """
import os, sys
from webgeist.repository.repository import open_repository
os.setgid(65534), os.setuid(65534)
with open_repository(sys.argv[1], readonly=True) as repository:
    captures = list(repository)
    print(len(repository), len(repository.release()), captures[0].page.names[0])
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_reading_from_a_folder_that_one_may_not_write_to() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        with new_repository(Path(folder) / "r", 1) as repository:
            repository.publish()
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, f"{folder}/r"],
            capture_output=True,
            text=True,
            check=False,
        )
    assert (done.stdout, done.stderr) == ("1 1 html\n", "")


AS_NOBODY_WRITING = """
import os, sys
from webgeist.errors import StorageError
from webgeist.repository.repository import open_repository
os.setgid(65534), os.setuid(65534)
with open_repository(sys.argv[1]) as repository:
    for change in (repository.claim, repository.publish):
        try:
            change()
        except StorageError as error:
            print(error.message.replace(sys.argv[1], "r"), "|", error.remedy)
    print(len(repository))
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_writing_to_a_folder_that_one_may_not_write_to() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        new_repository(Path(folder) / "r", 1).close()
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY_WRITING, f"{folder}/r"],
            capture_output=True,
            text=True,
            check=False,
        )
    refused = (
        "cannot write r/writer.lock: Permission denied | choose a folder that you may write to\n"
    )
    assert (done.stdout, done.stderr) == (f"{refused}{refused}1\n", "")


def test_opening_where_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no repository in"):
        open_repository(tmp_path)


def test_opening_without_its_state(repository: Repository) -> None:
    repository.close()
    repository.layout.state.unlink()
    with pytest.raises(DamagedError, match=r"state\.db is missing"):
        open_repository(repository.path)


def test_init_refuses_folders_in_use(tmp_path: Path, repository: Repository) -> None:
    with pytest.raises(StorageError, match="is a repository already"):
        init_repository(repository.path)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.doc").touch()
    with pytest.raises(StorageError, match="is not empty"):
        init_repository(tmp_path / "other")


def test_init_keeps_settings_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "webgeist.toml").write_text("[capture]\nviewport = 'mobile'\n")
    init_repository(tmp_path)
    assert "mobile" in (tmp_path / "webgeist.toml").read_text()
    assert check(tmp_path) == []


def test_a_stored_capture_shows_itself_in_notebooks(
    repository: Repository, shoot_html: Shooter
) -> None:
    id_ = repository.add(shoot_html("<title>Hello</title><h1>Hi</h1>"))
    assert "<strong>Hello</strong>" in repository.capture(id_)._repr_html_()
    assert repr(repository) == f"<Repository {repository.path}: 1 captures>"


def test_a_resource_is_found_by_its_hash(repository: Repository) -> None:
    exchange = make_exchange("http://h.test/style.css", b"a { b: c }")
    repository.add(make_capture(1), [exchange])
    (sha256,) = repository.release(repository.publish()).table("resources")["sha256"].to_pylist()
    found = repository.resource(sha256)
    assert found.url == "http://h.test/style.css"
    assert found.body.read() == b"a { b: c }"
    with pytest.raises(NotFoundError, match="no resource 00"):
        repository.resource("0" * 64)
    close_bodies()
