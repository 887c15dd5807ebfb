"""Every kind of damage is found, named, and mended as far as it can be; nothing is ever deleted."""

from __future__ import annotations

import json
import shutil
import sqlite3
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from tests.repository.archive.exchanges import close_bodies, make_exchange
from tests.repository.making import NOON, make_capture, new_repository, same

from webgeist.errors import DamagedError, NotFoundError, SettingsError
from webgeist.repository import packing
from webgeist.repository.check import check
from webgeist.repository.files import DISK
from webgeist.repository.ids import capture_id
from webgeist.repository.layout import Layout
from webgeist.repository.leftovers import move_aside
from webgeist.repository.locks import WriterLock
from webgeist.repository.packed import pack
from webgeist.repository.repair import repair
from webgeist.repository.repository import open_repository
from webgeist.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import pyarrow as pa

    Damage = Callable[[Layout], object]

PUBLISHED, STAGED = range(6), range(6, 8)


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Two releases of three captures each, the second in files of its own; two staged captures."""
    path = tmp_path_factory.mktemp("damage") / "start"
    with new_repository(path) as repository:
        for numbers in (range(3), range(3, 6), STAGED):
            with repository.batch() as batch:
                for n in numbers:
                    batch.add(make_capture(n), [make_exchange(data=b"x%d" % n, number=n)])
            if numbers != STAGED:
                repository.publish()
    close_bodies()
    yield path
    shutil.rmtree(path)


@pytest.fixture
def layout(start: Path, tmp_path: Path) -> Layout:
    shutil.copytree(start, tmp_path / "r")
    return Layout(tmp_path / "r")


def _first(pattern: str) -> Callable[[Layout], Path]:
    return lambda layout: min(layout.root.glob(pattern))


def _flip(path: Path) -> None:
    """Change some bytes in the middle."""
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 30] = bytes(byte ^ 0xFF for byte in data[middle : middle + 30])
    path.write_bytes(data)


def _flipped(pattern: str) -> Damage:
    return lambda layout: _flip(_first(pattern)(layout))


def _removed(pattern: str) -> Damage:
    return lambda layout: _first(pattern)(layout).unlink()


def _cut(pattern: str) -> Damage:
    def cut(layout: Layout) -> None:
        path = _first(pattern)(layout)
        path.write_bytes(path.read_bytes()[:-10])

    return cut


def _written(pattern: str, text: str) -> Damage:
    return lambda layout: _first(pattern)(layout).write_text(text)


def _all(*damages: Damage) -> Damage:
    def damage(layout: Layout) -> None:
        for each in damages:
            each(layout)

    return damage


def _file_for_folder(layout: Layout) -> None:
    folder = _first("staging/*")(layout)
    shutil.rmtree(folder)
    folder.touch()


def _forged_manifest(layout: Layout) -> None:
    """A manifest that is valid but not what was written."""
    path = layout.manifest(2)
    path.write_text(path.read_text().replace('"captures": 6', '"captures": 7'))


def _less_in_state(layout: Layout) -> None:
    with sqlite3.connect(layout.state) as connection:
        connection.execute("DELETE FROM captures WHERE position = 1")
    connection.close()


NEW = "releases/manifest-2.json"
KINDS = {
    "settings": (_written("webgeist.toml", "[captur]"), "settings", "unknown section"),
    "state": (_written("state.db", "SQLite no more" * 99), "state", "damaged"),
    "state missing": (_removed("state.db"), "state", "missing"),
    "current": (_written("CURRENT", "two"), "current", "holds no release number"),
    "current missing": (_removed("CURRENT"), "current", "missing"),
    "current empty": (_written("CURRENT", ""), "current", "holds no release number"),
    "current endless": (_written("CURRENT", "9" * 5000), "current", "holds no release number"),
    "current of other digits": (_written("CURRENT", "٢"), "current", "holds no release number"),
    "current of nothing": (_written("CURRENT", "77"), "current", "no such release"),
    "manifest": (_written(NEW, "{"), "manifest", "damaged"),
    "manifest flipped": (_flipped(NEW), "manifest", ""),
    "manifest forged": (_forged_manifest, "manifest", "other bytes"),
    "manifest missing": (_removed(NEW), "manifest", "missing"),
    "manifest of old": (_cut("releases/manifest-1.json"), "manifest", "damaged"),
    "nodes": (_flipped("tables/nodes/00000002*"), "table", "other bytes"),
    "nodes cut": (_cut("tables/nodes/00000002*"), "table", "bytes instead of"),
    "nodes missing": (_removed("tables/nodes/00000002*"), "table", "cannot be read"),
    "nodes of old": (_removed("tables/nodes/00000001*"), "table", "cannot be read"),
    "styles": (_flipped("tables/styles_own/00000001*"), "table", "other bytes"),
    "captures": (_flipped("tables/captures/00000002*"), "table", "other bytes"),
    "packed pages": (_flipped("tables/packed_pages/00000002*"), "table", "other bytes"),
    "packed missing": (_removed("tables/packed_pages/00000001*"), "table", "cannot be read"),
    "batch": (_flipped("staging/*/nodes.arrow"), "batch", "other bytes"),
    "batch cut": (_cut("staging/*/batch.json"), "batch", "damaged"),
    "batch missing": (_removed("staging/*/batch.json"), "batch", "missing"),
    "batch table": (_removed("staging/*/links.arrow"), "batch", "cannot be read"),
    "batch a file": (_file_for_folder, "batch", "Not a directory"),
    "picture": (_flipped("screenshots/*/*"), "picture", "other bytes"),
    "picture missing": (_removed("screenshots/*/*"), "picture", "cannot be read"),
    "warc": (_flipped("archive/*.warc.gz"), "archive", "damaged"),
    "warc cut": (_cut("archive/*.warc.gz"), "archive", "bytes instead of"),
    "warc missing": (_removed("archive/*.warc.gz"), "archive", "missing"),
    "warc without index": (
        _all(_flipped("archive/*.warc.gz"), _removed("archive/*.cdxj")),
        "archive",
        "damaged",
    ),
    "cdxj": (_flipped("archive/*.cdxj"), "index", "does not say"),
    "cdxj missing": (_removed("archive/*.cdxj"), "index", "cannot be read"),
    "reference": (_less_in_state, "reference", "not in state.db"),
}
STAYS = {
    "picture",
    "picture missing",
    "warc",
    "warc cut",
    "warc missing",
    "warc without index",
}  # nothing to mend it with


def test_a_sound_repository_is_quiet(layout: Layout) -> None:
    assert check(layout.root) == []
    with open_repository(layout.root) as repository:
        assert check(repository) == []
    before = _inventory(layout)
    assert repair(layout.root) == []
    assert _inventory(layout) == before


def _inventory(layout: Layout) -> dict[Path, bytes]:
    files = (path for path in layout.root.rglob("*") if path.is_file())
    return {path: path.read_bytes() for path in files if not path.name.startswith("state.db-")}


@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_found(layout: Layout, kind: str) -> None:
    damage, part, said = KINDS[kind]
    damage(layout)
    problems = check(layout.root)
    assert problems
    assert problems[0].part == part
    assert said in problems[0].message
    assert str(problems[0]).startswith(part)


@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_mended_and_nothing_deleted(layout: Layout, kind: str) -> None:
    KINDS[kind][0](layout)
    before = _inventory(layout)
    done = repair(layout.root)
    assert done or kind == "picture missing"
    after = set(_inventory(layout).values())
    kept = {data for path, data in before.items() if path not in (layout.state, layout.current)}
    assert kept <= after
    left = check(layout.root)
    assert (left == []) == (kind not in STAYS), left
    with open_repository(layout.root) as repository:
        assert len(repository) >= 3
        for each in repository:
            number = int((each.info.metadata or each).title.split()[1])  # type: ignore[union-attr]
            assert kind in STAYS or same(each, make_capture(number))
        repository.add(make_capture(50))
        repository.publish()
    assert check(layout.root) == [] or kind in STAYS


@pytest.mark.parametrize(
    ("kind", "lost"),
    [(name, range(0)) for name in ("state", "state missing", "current", "manifest", "cdxj")]
    + [(name, range(0)) for name in ("packed pages", "packed missing")]
    + [("nodes", range(3, 6)), ("styles", range(3)), ("captures", range(3, 6)), ("batch", STAGED)],
)
def test_no_more_is_lost_than_was_damaged(layout: Layout, kind: str, lost: range) -> None:
    KINDS[kind][0](layout)
    done = repair(layout.root)
    expected = {capture_id(make_capture(n).info) for n in (*PUBLISHED, *STAGED) if n not in lost}
    gone = {capture_id(make_capture(n).info) for n in lost}
    with open_repository(layout.root) as repository:
        assert {entry.capture for entry in repository.captures()} == expected
        published = repository.release().captures().column("capture").to_pylist()
        staged = {capture_id(make_capture(n).info) for n in STAGED}
        assert set(published) == expected - staged
    for id_ in gone:
        assert any(id_ in sentence for sentence in done), "what is lost is named"


def test_a_packed_page_that_is_not_what_the_tables_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(capture: str, documents: str, nodes: pa.Table, *styles: pa.Table) -> dict[str, Any]:
        return pack(capture, documents, nodes.slice(1), *styles)

    with new_repository(tmp_path / "r", 1, 2) as repository:
        monkeypatch.setattr(packing, "pack", wrong)
        repository.publish()
        (first, _) = check(repository)
        assert (first.part, first.path.parent.name) == ("table", "packed_pages")
        assert "4 instead of 5, 1 instead of 1, 2 instead of 2" in first.message
    done = repair(tmp_path / "r")
    assert any("lost: -" in sentence for sentence in done)
    assert check(tmp_path / "r") == []
    with open_repository(tmp_path / "r") as repository:
        stored = repository.capture(capture_id(make_capture(2).info))
        assert same(stored, make_capture(2))


def test_damage_everywhere_at_once(layout: Layout) -> None:
    for kind in ("settings", "state", "current", "nodes", "batch", "cdxj"):
        KINDS[kind][0](layout)
    repair(layout.root)
    assert check(layout.root) == []
    with open_repository(layout.root) as repository:
        assert {entry.capture for entry in repository.captures()} == {
            capture_id(make_capture(n).info) for n in range(3)
        }


def test_the_rebuilt_state_knows_the_archive(layout: Layout) -> None:
    """Bodies are not stored twice after state.db was made anew, and the archive's end is known."""
    with open_repository(layout.root) as repository:
        known = repository._as_writer().state
        before = set(known.originals()), known.archive_files()
    layout.state.unlink()
    repair(layout.root)
    with open_repository(layout.root) as repository:
        known = repository._as_writer().state
        assert (set(known.originals()), known.archive_files()) == before
        id_ = repository.add(make_capture(50), [make_exchange(data=b"x1")])
        repository.publish()
        rows = repository.release().table("resources", captures=[id_]).to_pylist()
        assert rows[0]["revisit"]
    close_bodies()
    assert check(layout.root) == []


def test_a_damaged_body_is_stored_anew(layout: Layout) -> None:
    KINDS["warc"][0](layout)
    repair(layout.root)
    with open_repository(layout.root) as repository:
        id_ = repository.add(make_capture(50), [make_exchange(data=b"x1")])
        repository.publish()
        rows = repository.release().table("resources", captures=[id_]).to_pylist()
        assert not rows[0]["revisit"]
    close_bodies()


# --- what readers and writers say -----------------------------------------------------------------


def test_readers_name_the_damaged_file(layout: Layout) -> None:
    _cut("tables/nodes/00000002*")(layout)
    with open_repository(layout.root, readonly=True) as repository:
        release = repository.release()
        with pytest.raises(DamagedError, match=r"00000002-0\.parquet is damaged"):
            release.table("nodes")
        whole = release.capture(capture_id(make_capture(1).info))
        assert same(whole, make_capture(1)), "others can be read"


@pytest.mark.parametrize("kind", ["current", "manifest", "manifest missing"])
def test_a_release_that_cannot_be_read(layout: Layout, kind: str) -> None:
    KINDS[kind][0](layout)
    with open_repository(layout.root, readonly=True) as repository:
        with pytest.raises(DamagedError, match=r"CURRENT|manifest-2"):
            repository.release()
        assert len(repository) == 8


@pytest.mark.parametrize("kind", ["state", "state missing"])
def test_a_state_that_cannot_be_read(layout: Layout, kind: str) -> None:
    KINDS[kind][0](layout)
    with pytest.raises(DamagedError, match=r"state\.db") as caught:
        open_repository(layout.root)
    assert caught.value.remedy == "webgeist check --repair"


def test_bad_settings_name_the_place(layout: Layout) -> None:
    KINDS["settings"][0](layout)
    with pytest.raises(SettingsError, match="did you mean capture"):
        load_settings(folder=layout.root, environ={}, flags={})


# --- newer versions -------------------------------------------------------------------------------


def _newer_state(layout: Layout) -> None:
    connection = sqlite3.connect(layout.state)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


def _newer_json(pattern: str, *keys: str) -> Damage:
    def change(layout: Layout) -> None:
        path = _first(pattern)(layout)
        document = json.loads(path.read_text())
        place = document
        for key in keys[:-1]:
            place = place[key]
        place[keys[-1]] = 99
        path.write_text(json.dumps(document))

    return change


@pytest.mark.parametrize(
    ("damage", "use"),
    [
        (_newer_state, len),
        (_newer_json(NEW, "format"), lambda repository: repository.release()),
        (_newer_json(NEW, "tables", "nodes", "schema"), lambda repository: repository.release()),
        (_newer_json("staging/*/batch.json", "format"), lambda repository: repository.publish()),
    ],
)
def test_a_newer_version_is_refused_in_a_sentence_and_never_touched(
    layout: Layout, damage: Damage, use: Callable[[object], object]
) -> None:
    damage(layout)
    with pytest.raises(DamagedError, match="was written by a newer webgeist") as caught:
        _use(layout, use)
    assert caught.value.remedy == "use that webgeist or a newer one"
    before = _inventory(layout)
    with pytest.raises(DamagedError, match="newer"):
        repair(layout.root)
    assert {path: data for path, data in _inventory(layout).items() if path != layout.lock} == {
        path: data for path, data in before.items() if path != layout.lock
    }


def _use(layout: Layout, use: Callable[[object], object]) -> None:
    with open_repository(layout.root) as repository:
        use(repository)


# --- the rest -------------------------------------------------------------------------------------


def test_no_repository(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no repository"):
        check(tmp_path)


def test_nobody_repairs_while_another_writes(layout: Layout) -> None:
    lock = WriterLock(layout.lock)
    with pytest.raises(DamagedError, match="in use by process"):
        repair(layout.root)
    lock.release()


def test_a_footer_that_lies(layout: Layout) -> None:
    """A file with the right digest but other rows than the manifest says."""
    path = _first("tables/links/00000002*")(layout)
    pq.write_table(pq.read_table(path).slice(1), path)
    assert [problem.part for problem in check(layout.root)] == ["table"]


def test_what_was_moved_aside_stays_there(layout: Layout) -> None:
    """The same file twice in one repair, or in one moment: neither replaces the other."""
    for text in ("one", "two", "three"):
        layout.current.write_text(text)
        move_aside(layout.current, layout, DISK, NOON)
    found = {path.read_text() for path in layout.damaged.rglob("CURRENT")}
    assert found == {"one", "two", "three"}


def test_a_check_changes_nothing(layout: Layout) -> None:
    KINDS["nodes"][0](layout)
    before = _inventory(layout)
    assert check(layout.root)
    assert _inventory(layout) == before
