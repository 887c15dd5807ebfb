"""The check over the whole page: links that were classified one by one must make one sequence.

What contradicts is removed or put right, with the reason: two next links to different places, a
number that does not fit its neighbours, the pages of single threads in a list of threads, numbers
that choose how many things are shown. What fits is added: a number between numbers that are pages
of the same series is one too. Addresses decide before words: "Older posts" that lead to page 3 of
this list, seen on page 2, are the next page.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.articles import article_label
from webgeist.analyses.blocks.beside import beside_pages
from webgeist.analyses.blocks.link import NONE, SEQUENCE, Link
from webgeist.analyses.blocks.opaque import opaque_pages
from webgeist.analyses.blocks.other_numbers import HELD, kinds, other_numbers, values

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_SEVERAL = 3


def check(links: Sequence[Link]) -> list[Link]:
    """The same links, their labels without contradictions; removed ones are `none`."""
    found = [_current(link) for link in links]
    numbered = {link.run for link in found if link.number is not None and link.run is not None}
    pages = {link.run for link in found if link.number is not None and _is_listed(link)}
    found = [_article(link, link.run in pages) for link in found]
    found = [_unsupported(link, link.run in numbered) for link in found]
    found = _not_pages(_repeated(found))
    found = _neighbours(found)
    found = _numbered(_whole_runs(found))
    found = _changed(found, beside_pages(found))
    found = _held(found)
    found = _threads(found)
    found = _one_target(found, "next")
    found = _one_target(found, "previous")
    return _more(_same_target(found))


def _current(link: Link) -> Link:
    if link.current:
        return link.now(NONE, "it is the page itself, or cannot be clicked")
    return link


def _article(link: Link, numbered: bool) -> Link:
    label = article_label(link, numbered=numbered)
    return link if label is None else link.now(label, "it leads to a neighbouring article")


def _unsupported(link: Link, numbered: bool) -> Link:
    """A link of a pager says a number, a word or an arrow, or its address is a page's; and it leads
    somewhere.
    """
    if not _is_listed(link):
        return link
    says = link.number is not None or _SAYING & link.notes or link.signs
    if not says and not (link.in_series and link.run is not None):
        return link.now(NONE, "nothing about it says page")
    if "POSITION" in link.notes:
        return link.now(NONE, "it says where one is")
    if link.target is None and not link.scripted:
        if "ELLIPSIS" in link.notes or "NUMBER_INSIDE" in link.notes:
            return link.now(NONE, "it opens something on this page")
        if not (HELD & link.notes if numbered else _PAGERS & link.notes):
            return link.now(NONE, "it leads nowhere and stands in no pager")
    if link.number is None and _leads_to_a_date(link):
        return link.now(NONE, "it leads to another day, month or year")
    if {"ALL_ONLY", "LABEL_ALL_ONLY"} & link.notes and link.number is None:
        return link.now(NONE, "it leads to the whole list or elsewhere")
    if {"ALL", "PREVIOUS"} <= link.notes and "PAGE" not in link.notes and not link.in_series:
        return link.now(NONE, "it leads back to something else")
    return link


_SAYING = frozenset(
    prefix + kind
    for prefix in ("", "LABEL_", "OWN_", "HELD_")
    for kind in ("NEXT", "PREVIOUS", "OLDER", "NEWER", "MORE", "ARROW", "ELLIPSIS")
) | {"FIRST", "LAST", "LABEL_FIRST", "LABEL_LAST"}  # as names, these are of any list
_WORDS = frozenset(
    prefix + kind
    for prefix in ("", "LABEL_", "OWN_")
    for kind in ("NEXT", "PREVIOUS", "OLDER", "NEWER", "MORE", "ARROW")
) | {"ARROW_BESIDE", "HELD_NEXT", "HELD_PREVIOUS"}
_PAGE_WORDS = frozenset({"PAGE", "LABEL_PAGE", "HELD_PAGER", "OWN_PAGER"})
_PAGERS = frozenset({"HELD_PAGER", "OWN_PAGER"})


def _is_listed(link: Link) -> bool:
    return link.label in SEQUENCE


def _by_run(links: Iterable[Link]) -> dict[int, list[Link]]:
    runs: dict[int, list[Link]] = {}
    for link in links:
        if link.run is not None:
            runs.setdefault(link.run, []).append(link)
    return runs


def _changed(links: Sequence[Link], changes: Mapping[int, Link]) -> list[Link]:
    return [changes.get(link.node, link) for link in links]


_DATE = re.compile(r"[=/](?:19|20)\d\d[-/.]?(?:0\d|1[0-2])(?:[-/.]?[0-3]\d)?/?$")


def _leads_to_a_date(link: Link) -> bool:
    """An arrow of a calendar: its address ends with a month or a day, or its words say so."""
    if {"TIME", "LABEL_TIME"} & link.notes and not _PAGERS & link.notes:
        return True
    return not link.page_word and bool(_DATE.search(link.target or ""))


# --- what looks like pages and is not ----------------------------------------------------------


def _not_pages(links: Sequence[Link]) -> list[Link]:
    """How many things are shown, days of a month, votes: numbers of another kind."""
    changes = {}
    for run in _by_run(links).values():
        said = values(run)
        alone = _is_alone(run)
        for link in run:
            if link.number is None or not _is_listed(link):
                continue
            if reason := other_numbers(link, said[link.frame], alone=alone):
                changes[link.node] = link.now(NONE, reason)
    return _changed(links, changes)


def _is_alone(run: Sequence[Link]) -> bool:
    """Whether it has nothing else than numbers: neither this page nor an arrow."""
    return not any(link.current or _WORDS & link.notes or link.signs for link in run)


def _repeated(links: Sequence[Link]) -> list[Link]:
    """Words that lead to several places, such as "More »" beside each thing of a list; arrows
    without an address that stand below each of several lists.
    """
    places: dict[str, set[str | None]] = {}
    for link in links:
        if link.number is None and link.text and link.target:
            places.setdefault(link.text, set()).add(link.target)
    pages = {link.run for link in links if link.number is not None and _is_listed(link)}
    changes = {
        link.node: link.now(NONE, "the same words lead to several places")
        for link in links
        if _is_listed(link) and len(places.get(link.text, ())) >= _SEVERAL
        if not (link.in_series or (link.run in pages and _PLAIN.keys() & link.notes))
    }
    alike: dict[tuple[str, frozenset[str]], set[int | None]] = {}
    for link in links:
        if _is_listed(link) and link.number is None and not link.target:
            alike.setdefault((link.label, link.notes), set()).add(link.run)
    return _changed(
        links,
        changes
        | {
            link.node: link.now(NONE, "such a link stands at several lists of this page")
            for link in links
            if len(alike.get((link.label, link.notes), ())) >= _SEVERAL and not link.target
        },
    )


def _threads(links: Sequence[Link]) -> list[Link]:
    """Pages of other lists: each thread of a forum has a pager of its own beside its title."""
    groups: dict[str, list[Link]] = {}
    for link in links:
        if _is_listed(link) and link.frame and link.number is not None and link.agrees:
            groups.setdefault(link.frame, []).append(link)
    near = {frame for frame, those in groups.items() if those[0].near}
    other = set(groups) - near - _of_one_list(groups)
    own = near or any(
        _is_listed(link) and link.step is not None and abs(link.step) == 1 and link.in_series
        for link in links
    )
    if not other or (not own and len(other) < 2):
        return list(links)
    gone = other if own or len(other) > 2 else set()
    runs = {link.run for link in links if link.frame in gone and link.run is not None}
    kept = {link.run for link in links if link.frame in near}
    changes = {
        link.node: link.now(NONE, "it is a page of another list on this page")
        for link in links
        if _is_listed(link)
        and ((link.frame in gone and link.agrees) or (link.run in runs - kept and not link.near))
    }
    return _changed(links, changes)


def _of_one_list(groups: Mapping[str, Sequence[Link]]) -> set[str]:
    """Forms of addresses with one number each, since they differ in more, `?page=3&start=41`."""
    singles = [those[0] for those in groups.values() if len({link.target for link in those}) == 1]
    runs = [run for run in _by_run(singles).values() if len(run) >= _SEVERAL and _goes_up(run)]
    return {link.frame for run in runs for link in run if link.frame}


# --- what belongs together -----------------------------------------------------------------------


def _neighbours(links: Sequence[Link]) -> list[Link]:
    """An address one page on or back, with a word or an arrow: next or previous, whatever else."""
    changes = {}
    for link in links:
        if link.current or _is_listed(link) or link.number is not None or link.reasons:
            continue
        if label := _said(link):
            changes[link.node] = link.now(label, "its words say so of a list")
        if not link.near:
            continue
        named = link.page_word or _PAGE_WORDS & link.notes
        if link.step in {1, -1} and (_WORDS & link.notes or link.signs) and named:
            label = "next" if link.step == 1 else "previous"
            changes[link.node] = link.now(label, f"its address is the {label} page of this list")
    return _changed(links, changes)


def _said(link: Link) -> str | None:
    """What words alone say: older and newer of a list; next and previous, where they speak of
    pages or lead to this page's path with another query.
    """
    whole = {label for kind, label in _PLAIN.items() if kind in link.notes}
    if not link.target or whole not in ({"next"}, {"previous"}):
        return None
    if {"OLDER_ONLY", "NEWER_ONLY"} & link.notes:
        certain = link.page_word or {"RESULTS", *_PAGERS} & link.notes or link.path == "same"
    else:
        says_page = "PAGE" in link.notes or ("LABEL_PAGE" in link.notes and link.path != "other")
        certain = says_page or link.path == "same"
        aside = {"OWN_ASIDE", "HELD_ASIDE"} & link.notes
        certain = certain and (link.page_word or not aside)
    return whole.pop() if certain and not _leads_to_a_date(link) else None


def _whole_runs(links: Sequence[Link]) -> list[Link]:
    """Numbers that go up in a run, with the same numbers in their addresses, are pages if most of
    them are, or if this page is one of them; so are dots and arrows of the same series.
    """
    changes = {}
    for run in _by_run(links).values():
        frames = Counter(link.frame for link in run if link.frame and link.agrees)
        for frame, count in frames.items():
            members = [link for link in run if link.frame == frame and not link.current]
            listed = sum(_is_listed(link) for link in members)
            sure = count >= 2 and _goes_up(members) and (members[0].near or members[0].page_word)
            said = values(members).get(frame, [])
            alone = _is_alone(run)
            if any(other_numbers(link, said, alone=alone) for link in kinds(members)):
                continue
            if 2 * listed < len(members) and not sure:
                continue
            for link in members:
                if not _is_listed(link) and not link.reasons and (label := _fitting(link)):
                    reason = "it fits to the other pages of its run"
                    changes[link.node] = link.now(label, reason)
    return _changed(links, changes)


def _numbered(links: Sequence[Link]) -> list[Link]:
    """Numbers that go up are pages also where their addresses do not tell, if most of what is
    around them is a pager's.
    """
    changes = {
        link.node: link.now("page", "a number among others that go up")
        for run in _by_run(links).values()
        for link in opaque_pages(run)
        if link.label == NONE and not link.reasons and not link.agrees
    }
    return _changed(links, changes)


def _held(links: Sequence[Link]) -> list[Link]:
    """What is held by a pager and says nothing but next, previous, first, last, or a number among
    numbers that go up, belongs to it, also where only a script knows the address.
    """
    changes = {}
    for run in _by_run(links).values():
        held = [link for link in run if "HELD_PAGER" in link.notes and not link.current]
        up = _goes_up([replace(link, agrees=True) for link in held])
        for link in held:
            if _is_listed(link) or link.reasons or (link.target and not link.in_series):
                continue
            if up and link.number is not None and "NUMBER" in link.notes:
                changes[link.node] = link.now("page", "a number among others in a pager")
            elif label := next((v for k, v in _PLAIN.items() if k in link.notes), None):
                if not link.target and not any(each.number is not None for each in run):
                    continue  # a slider has such arrows, too
                changes[link.node] = link.now(label, "its word in a pager")
    return _changed(links, changes)


_PLAIN = {
    f"{prefix}{kind}_ONLY": label
    for prefix in ("", "LABEL_")
    for kind, label in (
        *(("NEXT", "next"), ("PREVIOUS", "previous"), ("FIRST", "first"), ("LAST", "last")),
        *(("OLDER", "next"), ("NEWER", "previous")),
    )
}


def _goes_up(members: Sequence[Link]) -> bool:
    values = [link.number for link in members if link.number is not None and link.agrees]
    ups = [b - a for a, b in itertools.pairwise(values)]
    return bool(ups) and all(up > 0 for up in ups) and 1 in ups


def _fitting(link: Link) -> str | None:
    if link.number is not None:
        return "page" if link.agrees else None
    if "ELLIPSIS" in link.notes:
        return "page"
    if link.step in {1, -1} and (link.signs or _WORDS & link.notes or "PICTURE" in link.notes):
        return "next" if link.step == 1 else "previous"
    return None


def _more(links: Sequence[Link]) -> list[Link]:
    """The one button of a page that adds to the list: several belong to single things on it."""
    buttons = [
        link
        for link in links
        if link.label == NONE and not link.current and not link.target and _says_more(link)
    ]
    if len(buttons) != 1 or any(link.label == "next" for link in links):
        return list(links)
    return _changed(
        links, {buttons[0].node: buttons[0].now("load-more", "the one button that says more")}
    )


def _says_more(link: Link) -> bool:
    words = {"MORE_ONLY", "LABEL_MORE_ONLY"} & link.notes or {"MORE", "OWN_MORE"} <= link.notes
    return bool(words) and (len(link.text.split()) > 1 or bool({"OWN_MORE"} & link.notes))


def _one_target(links: Sequence[Link], label: str) -> list[Link]:
    """One target for `next`, one for `previous`; several lists on a page may have one each."""
    chosen = [link for link in links if link.label == label and link.target]
    if len({link.target for link in chosen}) < 2:
        return list(links)
    pages = {link.run for link in links if link.label == "page" and link.run is not None}
    wanted = 1.0 if label == "next" else -1.0

    def rank(link: Link) -> tuple[bool, bool, float]:
        return link.in_series and link.step == wanted, link.run in pages, link.score

    best = max(chosen, key=rank)
    if rank(best)[:2] == (False, False):
        return list(links)
    changes = {}
    for link in chosen:
        if link.target != best.target and rank(link)[:2] != rank(best)[:2]:
            instead = _instead(link, best, links)
            changes[link.node] = link.now(instead, f"another link is the {label} page")
    return _changed(links, changes)


def _instead(link: Link, best: Link, links: Sequence[Link]) -> str:
    """What a second next link is: an end or a jump in the same pager, or nothing."""
    if link.run != best.run:
        return NONE
    steps = [each.step for each in links if each.run == link.run and each.step is not None]
    end = max if best.label == "next" else min
    if link.in_series and link.step and link.step != end(steps):
        return "page"
    return "last" if best.label == "next" else "first"


def _same_target(links: Sequence[Link]) -> list[Link]:
    """A link to the same page as a found one, and of the same words, is found too."""
    found = {(link.target, link.text): link.label for link in links if _is_listed(link)}
    changes = {
        link.node: link.now(found[link.target, link.text], "the same link stands elsewhere as well")
        for link in links
        if link.label == NONE
        and not link.current
        and link.target
        and not link.reasons
        and (link.target, link.text) in found
        and link.run is not None
    }
    return _changed(links, changes)
