"""What servers sent: bytes that never run here."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from tests.server.asking import PICTURE, SCRIPT, SHEET

from webgeist.server.resources import safe_type

if TYPE_CHECKING:
    from tests.server.asking import Asked


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (SCRIPT, "application/octet-stream"),
        (SHEET, "application/octet-stream"),
        (PICTURE, "image/png"),
    ],
)
def test_bytes_are_an_attachment_in_a_sandbox(server: Asked, data: bytes, kind: str) -> None:
    answer = server.get(f"/v1/resources/{sha256(data).hexdigest()}")
    assert (answer.content, answer.headers["content-type"]) == (data, kind)
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["content-security-policy"] == "sandbox; default-src 'none'"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-length"] == str(len(data))
    assert "immutable" in answer.headers["cache-control"]
    again = server.get(answer.url.path, headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_what_is_known_of_it(server: Asked) -> None:
    digest = sha256(PICTURE).hexdigest()
    found = server.json(f"/v1/resources/{digest}.json")
    assert (found["sha256"], found["bytes"], found["status"]) == (digest, len(PICTURE), 200)
    assert (found["url"], found["truncated"]) == ("http://example.org/a.png", None)
    assert found["headers"] == {"content-type": "image/png"}
    assert server.get(found["links"]["bytes"]).content == PICTURE


def test_what_is_not_there(server: Asked) -> None:
    for end in ("", ".json"):
        server.problem(f"/v1/resources/{'0' * 64}{end}", 404)
        assert server.problem(f"/v1/resources/x{end}", 400)["where"] == "path sha256"
        server.problem(f"/v1/resources/{'A' * 64}{end}", 400)
        server.problem(f"/v1/resources/{'0' * 64}%0a{end}", 400)


@pytest.mark.parametrize(
    "said", ["text/html", "image/svg+xml", "text/javascript", "", "x", "text/xml", "image/png2"]
)
def test_whatever_could_run_is_bytes(said: str) -> None:
    assert safe_type(said) == "application/octet-stream"


def test_a_safe_type_loses_its_parameters() -> None:
    assert safe_type("Image/PNG; x=<script>") == "image/png"
