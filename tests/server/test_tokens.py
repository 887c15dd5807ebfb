"""The file of tokens."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.errors import SettingsError, UsageError
from webgeist.server.tokens import Scope, Token, TokenFile, add_token, digest, find, parse_tokens

if TYPE_CHECKING:
    from pathlib import Path


def test_a_token_is_found_by_its_secret_alone(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    secrets = {name: add_token(file, Scope.READ, name) for name in ("alice", "bob@b.example")}
    tokens = TokenFile(file).tokens()
    for name, secret in secrets.items():
        found = find(tokens, secret)
        assert found is not None
        assert (found.name, found.scope) == (name, Scope.READ)
        assert find(tokens, found.digest) is None
    assert find(tokens, "") is None
    assert len(set(secrets.values())) == 2
    assert all(len(secret) > 43 for secret in secrets.values())


def test_the_file_is_its_owners_and_holds_no_secret(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    secret = add_token(file, Scope.ADMIN, "me")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    text = file.read_text()
    assert secret not in text
    assert digest(secret) in text


def test_scopes_include_each_other() -> None:
    assert Scope.READ < Scope.WRITE < Scope.ADMIN


def test_names_are_plain_and_stand_once(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    add_token(file, Scope.READ, "alice")
    with pytest.raises(UsageError, match="called alice"):
        add_token(file, Scope.READ, "alice")
    for wrong in ("", "a b", "a\nread", "x" * 65):
        with pytest.raises(UsageError, match="no name"):
            add_token(file, Scope.READ, wrong)
    assert len(TokenFile(file).tokens()) == 1


def test_a_line_that_is_no_token_is_named() -> None:
    good = Token(Scope.READ, "0" * 64, "a").line()
    with pytest.raises(SettingsError, match="f: line 3 holds no token"):
        parse_tokens(f"# a comment\n{good}read 123 b\n", "f")


def test_a_file_without_tokens_lets_nobody_in(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot read"):
        TokenFile(tmp_path / "missing")
    (tmp_path / "empty").write_text("# nobody\n")
    with pytest.raises(SettingsError, match="holds no token"):
        TokenFile(tmp_path / "empty")


@given(st.text())
def test_any_text_is_tokens_or_an_error(text: str) -> None:
    try:
        found = parse_tokens(text, "f")
    except SettingsError:
        return
    assert all(token.line().strip() in text for token in found)
