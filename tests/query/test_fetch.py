"""$fetch: what is stored under the addresses of an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.repository.archive.exchanges import close_bodies, make_exchange
from tests.repository.making import make_capture, new_repository

from webgeist.errors import UsageError
from webgeist.query.ask import ask
from webgeist.query.fetch import addresses, fetch

if TYPE_CHECKING:
    from pathlib import Path


def test_addresses_in_css_and_as_such() -> None:
    texts = [
        'url("http://a.test/x.png") 3 3, url(http://a.test/y.cur), auto',
        "url('https://a.test/x.svg')",
        "http://a.test/x.png",
        "pointer",
        'url("data:image/png;base64,AAAA")',
        'url("file:///etc/passwd")',
        None,
    ]
    assert addresses(texts) == [
        "http://a.test/x.png",
        "http://a.test/y.cur",
        "https://a.test/x.svg",
    ]


def test_bodies_are_written_under_their_hash(tmp_path: Path) -> None:
    exchange = make_exchange()
    with new_repository(tmp_path / "r") as repository:
        repository.add(replace(make_capture(1), exchanges=(exchange,)))
        close_bodies()
        repository.publish()
        with repository.release() as release:
            answer = ask(release, {"$from": "@resources", "$select": ["url"], "$fetch": "url"})
            (found,) = fetch(repository, release, answer, tmp_path / "bodies")
            assert found.file is not None
            assert found.sha256 is not None
            body = (tmp_path / "bodies" / found.file).read_bytes()
            assert body == b"".join(repository.resource(found.sha256).body.chunks())
            assert [path.name for path in (tmp_path / "bodies").iterdir()] == [found.file]


def test_what_is_not_stored_is_said(tmp_path: Path) -> None:
    with new_repository(tmp_path / "r", 1) as repository:
        repository.publish()
        with repository.release() as release:
            answer = ask(release, {"$select": ["url"], "$fetch": "url"})
            (found,) = fetch(repository, release, answer, tmp_path / "bodies")
            assert (found.sha256, found.file) == (None, None)
            with pytest.raises(UsageError, match="fetches nothing"):
                fetch(repository, release, ask(release, {}), tmp_path / "bodies")
