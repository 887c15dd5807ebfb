"""Pagers where a page of one document does not have them: real renderings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.analyses.blocks.addresses import INSIDE
from webgeist.analyses.blocks.pagination import find_pagination

if TYPE_CHECKING:
    from tests.conftest import Shooter

URL = "https://example.org/list?page=2"
LIST = "".join(
    f"<li><a href='/thing/{k}'>A thing with a name, number {k}</a></li>" for k in range(9)
)
PAGER = """<div class=pages><a href='/list?page=1'>{back}</a> <a href='/list?page=1'>1</a> <b>2</b>
<a href='/list?page=3'>3</a> <a href='/list?page=3'>{on}</a></div>"""
HERE = PAGER.format(back="Previous", on="Next")
LABELS = ["previous", "page", "page", "next"]


def test_right_to_left(shoot_html: Shooter) -> None:
    pager = PAGER.format(back="السابق", on="التالي")
    taken = shoot_html(f"<html dir=rtl lang=ar><body><ul>{LIST}</ul>{pager}", url=URL)
    answered = find_pagination(taken)
    assert [link.label for link in answered.links] == LABELS
    assert answered.next is not None
    assert answered.next.text == "التالي"


@pytest.mark.parametrize(
    "holder",
    [
        "<div><template shadowrootmode=open>{inner}</template></div>",
        '<iframe width=900 height=600 srcdoc="{inner}"></iframe>',
    ],
    ids=["shadow root", "frame"],
)
def test_inside_another_tree(shoot_html: Shooter, holder: str) -> None:
    taken = shoot_html(
        f"<body><h1>Things</h1>{holder.format(inner=f'<ul>{LIST}</ul>{HERE}')}", url=URL
    )
    answered = find_pagination(taken)
    assert [link.label for link in answered.links] == LABELS
    assert all(INSIDE in link.xpath for link in answered.links)
