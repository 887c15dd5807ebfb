"""The way in, limits and releases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.repository.making import new_repository
from tests.server.asking import COUNT, serving

from webgeist import __version__
from webgeist.settings.models import ApiSettings

if TYPE_CHECKING:
    from pathlib import Path

    from tests.server.asking import Asked


def test_the_root_leads_everywhere(server: Asked) -> None:
    found = server.json("/v1/")
    assert (found["webgeist"], found["release"], found["captures"]) == (__version__, 2, COUNT + 1)
    assert server.client.post(found["links"].pop("query"), json={}).status_code in (200, 400)
    for link in found["links"].values():
        assert server.get(link).status_code == 200, link


def test_every_limit_is_on_one_screen(server: Asked) -> None:
    found = server.json("/v1/limits.json")
    settings = ApiSettings()
    limits = {name: each["value"] for name, each in found["limits"].items()}
    assert limits.pop("connections") > 0
    assert limits == {name: getattr(settings, name) for name in limits}
    missing = set(ApiSettings.model_fields) - set(limits)
    assert missing == {"host", "port", "pages_port", "token_file", "output", "cors"}  # no limits
    assert all(each["what"].endswith(".") for each in found["limits"].values())
    assert set(found["now"]) == {"streams", "requests", "queries"}


def test_releases(server: Asked) -> None:
    found = server.json("/v1/releases.json")["releases"]
    assert [each["release"] for each in found] == [1, 2]
    assert found[1]["tables"]["captures"] == found[1]["captures"] == COUNT + 1


def test_nothing_was_published_yet(tmp_path: Path) -> None:
    with new_repository(tmp_path / "r"), serving(tmp_path / "r") as asked:
        assert asked.json("/v1/")["release"] is None
        assert asked.json("/v1/releases.json") == {"releases": []}
        for path in ("/v1/pages.json", "/v1/tables.json", "/v1/tables/nodes.csv"):
            assert asked.problem(path, 404)["remedy"] == "webgeist publish"
