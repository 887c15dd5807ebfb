"""Metrics as files: what is read, in which order, and why something is not."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.capture.metric_files import METRICS, NO_METRICS, Metric, Metrics, read_metrics
from webgeist.errors import StorageError
from webgeist.settings import LimitSettings

if TYPE_CHECKING:
    from pathlib import Path

LIMITS = LimitSettings(metrics=3, metric_file_bytes=10)


def write(folder: Path, **files: str | bytes) -> None:
    for name, source in files.items():
        data = source.encode() if isinstance(source, str) else source
        (folder / f"{name}.js").write_bytes(data)


def test_files_are_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    write(tmp_path, b="2", a="1", **{"a-1": "3"})
    read = read_metrics(tmp_path, LIMITS)
    assert read == Metrics((Metric("a", "1"), Metric("a-1", "3"), Metric("b", "2")))


@pytest.mark.parametrize("there", [False, True])
def test_no_files_are_no_metrics(tmp_path: Path, there: bool) -> None:
    assert read_metrics(tmp_path if there else tmp_path / "none", LIMITS) == NO_METRICS


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xff\xfe", "it is not UTF-8 (line 1)"),
        (b"1\n\n// \xe4", "it is not UTF-8 (line 3)"),
        (b"12345678901", "a file of more than limits.metric_file_bytes = 10"),
    ],
)
def test_a_file_without_use_has_a_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    write(tmp_path, bad=data, good="1234567890")
    read = read_metrics(tmp_path, LIMITS)
    assert read == Metrics((Metric("good", "1234567890"),), {"bad": reason})


def test_a_mark_at_the_start_of_a_file_is_no_part_of_it(tmp_path: Path) -> None:
    write(tmp_path, marked=b"\xef\xbb\xbf1")
    assert read_metrics(tmp_path, LIMITS).usable == (Metric("marked", "1"),)


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    """A pipe that nobody writes to would be read for ever."""
    (tmp_path / "folder.js").mkdir()
    (tmp_path / "lost.js").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.js")
    reasons = dict.fromkeys(("folder", "lost", "pipe"), "it is no file")
    assert read_metrics(tmp_path, LIMITS) == Metrics((), reasons)


def test_odd_names_are_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for name in ("A.js", "ä.js", "a b.js", "a.js\n", "a.mjs", "README.md", ".swp", "good.js"):
        (tmp_path / name).write_text("1")
    with caplog.at_level(logging.WARNING):
        read = read_metrics(tmp_path, LIMITS)
    assert read == Metrics((Metric("good", "1"),))
    (record,) = caplog.records
    assert record.getMessage().partition("js: ")[2] == (
        r"'A.js', 'README.md', 'a b.js', 'a.js\n', 'a.mjs', '\xe4.js'"
    )


def test_of_very_many_odd_names_some_are_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(12):
        (tmp_path / f"{number:02}.txt").touch()
    read_metrics(tmp_path, LIMITS)
    assert caplog.messages[0].endswith("'09.txt', …")


def test_more_files_than_allowed_are_told_and_not_run(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(tmp_path, **{f"m{number}": "1" for number in range(5)})
    read = read_metrics(tmp_path, LIMITS)
    assert [metric.name for metric in read.usable] == ["m0", "m1", "m2"]
    reason = "not run: there are 5 files, more than limits.metrics = 3"
    assert read.unusable == {"m3": reason, "m4": reason}
    assert "5 files, more than limits.metrics = 3" in caplog.text


def test_a_folder_that_is_none_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, a="1")
    with pytest.raises(StorageError, match=r"a\.js"):
        read_metrics(tmp_path / "a.js", LIMITS)


def test_where_none_could_be_tried_all_have_a_reason() -> None:
    metrics = Metrics((Metric("a", "1"), Metric("c", "1")), {"b": "too large"})
    assert metrics.all_failed("no page") == {"a": "no page", "b": "too large", "c": "no page"}


names = st.text("abc_-19", min_size=1, max_size=9)


@given(st.dictionaries(names, st.text()), st.dictionaries(names, st.text()))
def test_metrics_arrive_in_another_process_as_they_are(
    sources: dict[str, str], reasons: dict[str, str]
) -> None:
    metrics = Metrics(tuple(Metric(*each) for each in sources.items()), reasons)
    assert METRICS.validate_json(METRICS.dump_json(metrics)) == metrics
