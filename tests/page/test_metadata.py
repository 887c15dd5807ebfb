"""What a page says about itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.page.metadata import Meta, Metadata, metadata

if TYPE_CHECKING:
    from tests.conftest import Shooter


def told(shoot_html: Shooter, html: str) -> Metadata:
    page = shoot_html(html).page
    assert page is not None
    return metadata(page)


def test_a_page_that_says_nothing(shoot_html: Shooter) -> None:
    assert told(shoot_html, "<p>x") == Metadata("", None, None, (), (), (), (), ())


def test_title_and_language(shoot_html: Shooter) -> None:
    found = told(shoot_html, "<html lang=de-AT><title> Ein  Titel </title><p lang=fr>x")
    assert (found.title, found.language) == ("Ein Titel", "de-AT")


def test_the_language_may_stand_in_a_meta(shoot_html: Shooter) -> None:
    found = told(shoot_html, "<meta http-equiv=content-language content=nl><p>x")
    assert found.language == "nl"


def test_the_first_canonical_address_counts_and_is_absolute(shoot_html: Shooter) -> None:
    found = told(
        shoot_html,
        "<link rel=stylesheet href=x><link rel='Canonical me' href=/real><link rel=canonical href=2>",
    )
    assert found.canonical == "http://example.org/real"


def test_a_canonical_link_to_nowhere_is_none(shoot_html: Shooter) -> None:
    assert told(shoot_html, "<link rel=canonical href=''><p>x").canonical is None


def test_alternates_are_named_by_language_or_type(shoot_html: Shooter) -> None:
    found = told(
        shoot_html,
        "<link rel=alternate hreflang=fr href=/fr><link rel=alternate>"
        "<link rel=alternate type=application/rss+xml href=feed>",
    )
    assert found.alternates == (
        ("fr", "http://example.org/fr"),
        ("application/rss+xml", "http://example.org/dir/feed"),
    )


def test_metas_are_kept_in_order_with_the_attribute_that_names_them(shoot_html: Shooter) -> None:
    found = told(
        shoot_html,
        "<meta charset=utf-8><meta name=description content=D><meta property=og:title content=T>"
        "<meta name=twitter:title property=og:t content=both><meta name=empty>"
        "<div itemscope><meta itemprop=price content=9></div>",
    )
    assert found.metas == (
        Meta("name", "description", "D"),
        Meta("property", "og:title", "T"),
        Meta("name", "twitter:title", "both"),
        Meta("property", "og:t", "both"),
        Meta("itemprop", "price", "9"),
    )


def test_structured_data_is_kept_as_found(shoot_html: Shooter) -> None:
    found = told(
        shoot_html,
        "<script type='Application/LD+json'>{\"a\": 1}</script><script>no</script>"
        "<script type='application/ld+json'>{broken</script>"
        "<div itemscope itemtype='https://schema.org/A'></div>"
        "<div itemscope itemtype='https://schema.org/A'></div>"
        "<div typeof=schema:B></div>",
    )
    assert found.json_ld == ('{"a": 1}', "{broken")
    assert found.microdata == ("https://schema.org/A",)
    assert found.rdfa == ("schema:B",)


def test_frames_do_not_speak_for_the_page(shoot_html: Shooter) -> None:
    found = told(
        shoot_html,
        '<title>outer</title><iframe srcdoc="<html lang=fr><title>inner</title>'
        '<meta name=description content=inner><link rel=canonical href=/inner>"></iframe>',
    )
    assert found == Metadata("outer", None, None, (), (), (), (), ())
