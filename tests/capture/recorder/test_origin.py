"""Where requests go: addresses as a proxy is asked for them, good ones and others."""

from __future__ import annotations

import pytest

from webgeist.capture.recorder.origin import BadTargetError, Origin, parse_authority, parse_target

TUNNEL = Origin("https", "h", 443)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("example.org", "example.org", 80),
        ("Example.ORG:8080", "example.org", 8080),
        ("127.0.0.1:1", "127.0.0.1", 1),
        ("[::1]:65535", "::1", 65535),
        ("[2001:DB8::1]", "2001:db8::1", 80),
        ("under_score.example", "under_score.example", 80),
    ],
)
def test_hosts_and_ports(text: str, host: str, port: int) -> None:
    assert parse_authority(text, "http") == Origin("http", host, port)


@pytest.mark.parametrize(
    "text",
    ["", ":80", "h:", "h:0", "h:65536", "h:99999", "h:8o", "h:-1", "user@h", "user:pass@h:80", "h/x", "h h", "h\r\nX: y",
     "[::1", "::1", "[127.0.0.1]", "[:::]", "[]", "h:80:80", "ü.example", "h#f", "h\\x", "[::1%25eth0]"],
)  # fmt: skip
def test_what_is_no_host_and_port(text: str) -> None:
    with pytest.raises(BadTargetError):
        parse_authority(text, "http")


def test_connect_must_name_its_port() -> None:
    assert parse_authority("h:443", "https", needs_port=True) == TUNNEL
    with pytest.raises(BadTargetError):
        parse_authority("h", "https", needs_port=True)


@pytest.mark.parametrize(
    ("target", "origin", "path"),
    [
        (b"http://h/", Origin("http", "h", 80), b"/"),
        (b"http://h", Origin("http", "h", 80), b"/"),
        (b"HTTP://H:81/a/b?c=d/e&f", Origin("http", "h", 81), b"/a/b?c=d/e&f"),
        (b"http://h?q", Origin("http", "h", 80), b"/?q"),
        (b"http://h?q/r", Origin("http", "h", 80), b"/?q/r"),
        (b"http://h//x", Origin("http", "h", 80), b"//x"),
        (b"http://[::1]:8/x", Origin("http", "::1", 8), b"/x"),
        (b"http://h/a://b@c", Origin("http", "h", 80), b"/a://b@c"),
    ],
)
def test_a_proxy_is_asked_for_whole_addresses(target: bytes, origin: Origin, path: bytes) -> None:
    assert parse_target(target, None) == (origin, path)


@pytest.mark.parametrize(
    "target",
    [b"/", b"*", b"h:80", b"https://h/", b"ftp://h/", b"file:///etc/passwd", b"http:///x", b"http://u:p@h/", b"http://h/#f", b"http://h/\xff"],
)  # fmt: skip
def test_other_addresses_are_none_for_a_proxy(target: bytes) -> None:
    with pytest.raises(BadTargetError):
        parse_target(target, None)


def test_a_tunnel_is_asked_for_paths() -> None:
    assert parse_target(b"/a?b", TUNNEL) == (TUNNEL, b"/a?b")
    assert parse_target(b"*", TUNNEL) == (TUNNEL, b"*")


@pytest.mark.parametrize("target", [b"http://other/", b"https://h/", b"a", b"/\x80", b"/#f"])
def test_a_tunnel_leads_nowhere_else(target: bytes) -> None:
    with pytest.raises(BadTargetError):
        parse_target(target, TUNNEL)


@pytest.mark.parametrize(
    ("origin", "url"),
    [
        (Origin("http", "h", 80), "http://h/p"),
        (Origin("https", "h", 443), "https://h/p"),
        (Origin("https", "h", 80), "https://h:80/p"),
        (Origin("http", "::1", 443), "http://[::1]:443/p"),
    ],
)
def test_addresses_leave_out_the_schemes_own_port(origin: Origin, url: str) -> None:
    assert origin.url("/p") == url
