"""What was taught to a repository: kept in its teachings.json, and found again by page.

One file, replaced as a whole: it survives when state.db is made anew, and readers need no lock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from webgeist.analyses.changes.addresses import addresses
from webgeist.analyses.changes.comparable import obstacle, stand_in
from webgeist.analyses.changes.learning import learn, teaching_id
from webgeist.analyses.changes.model import default_model
from webgeist.analyses.changes.portrait import portrait
from webgeist.analyses.changes.teaching import Schooled, Taught, Teaching
from webgeist.capture.screenshot import Screenshot
from webgeist.errors import DamagedError, NotFoundError, UsageError
from webgeist.repository.rows import host_of
from webgeist.repository.stored import StoredParts
from webgeist.repository.teachings import document, read_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webgeist.analyses.changes.teaching import Lesson
    from webgeist.capture.model import Capture
    from webgeist.repository.layout import Layout
    from webgeist.repository.repository import Repository

ANALYSIS = "changes"
_TEACHINGS = TypeAdapter(tuple[Teaching, ...])


@dataclass(frozen=True)
class Teachings:
    """Everything that was taught to a repository, oldest first."""

    all: tuple[Teaching, ...] = ()

    def about(self, *urls: str) -> Taught:
        """What counts for a page with these addresses: taught about it, or about its site."""
        hosts = {host_of(url) for url in urls}
        return Taught(tuple(t for t in self.all if t.of in (hosts if t.site else urls)))

    def named(self, which: str) -> list[Teaching]:
        """Those that are meant by an id, a page's URL or a host; all by "all"."""
        return [each for each in self.all if which in ("all", each.id, each.of)]


def read_teachings(layout: Layout) -> Teachings:
    """What was taught to the repository with this layout."""
    raw = read_document(layout.teachings)
    try:
        return Teachings(_TEACHINGS.validate_python(raw))
    except ValidationError as error:
        raise DamagedError(
            f"{layout.teachings} cannot be read: {error.errors()[0]['msg']}",
            remedy="webgeist teach --reset all forgets everything that was taught",
        ) from error


def taught_about(version: Capture | Screenshot) -> Taught:
    """What was taught about the page of a capture, by users of the repository that it is from."""
    if isinstance(version, Screenshot) or not isinstance(version.parts, StoredParts):
        return Taught()
    info = version.info
    return read_teachings(version.parts.layout).about(info.url, info.requested_url)


def teach(
    repository: Repository,
    before: str,
    after: str,
    *,
    important: bool,
    regions: Sequence[int] = (),
    site: bool = False,
    now: float,
) -> Teaching:
    """Teach that a change between two captures is important, or not; all of it, or some regions.

    `regions` are numbers from 1, in the order that the change has them. It counts for the page, or
    for all pages of its `site` (its host). Who says the same again, or the contrary, replaces what
    was said.
    """
    repository.claim()
    known = read_teachings(repository.layout)
    old, new = repository.capture(before), repository.capture(after)
    url = _page(old, new)
    taught = known.about(url, new.info.requested_url)
    lessons = _lessons(old, new, taught, regions, important=important)
    of = host_of(url) if site else url
    id_ = teaching_id(of, before, after, sorted(set(regions)))
    made = Teaching(id_, now, site, of, before, after, important, lessons)
    _keep(repository, [*(each for each in known.all if each.id != id_), made], [made])
    return made


def reset(repository: Repository, which: str) -> list[Teaching]:
    """Forget what was taught: by id, about a URL, about a host, or "all". What is forgotten.

    "all" also does away with a file that cannot be read.
    """
    repository.claim()
    try:
        known = read_teachings(repository.layout)
    except DamagedError:
        if which != "all":
            raise
        known = Teachings()
    gone = known.named(which)
    if not gone and which != "all":
        raise NotFoundError(f"nothing was taught by or about {which!r}", remedy="webgeist teach")
    _keep(repository, [each for each in known.all if each not in gone], gone)
    return gone


def _page(old: Capture, new: Capture) -> str:
    if old.info.url != new.info.url and old.info.requested_url != new.info.requested_url:
        raise UsageError(
            f"{old.info.url} and {new.info.url} are different pages",
            remedy="choose two captures of one page",
        )
    return new.info.url


def _lessons(
    old: Capture, new: Capture, taught: Taught, regions: Sequence[int], *, important: bool
) -> tuple[Lesson, ...]:
    why = obstacle(old.info, new.info)
    if why is None and old.page is not None and new.page is not None:
        one, other = portrait(old.page), portrait(new.page)
        why = stand_in(one, other)
        if why is None:
            school = Schooled(taught, addresses(old.page, one), addresses(new.page, other))
            model = default_model()
            return learn((one, other), model, school, regions, important=important)
    raise UsageError(
        f"not comparable: {why or 'a capture has no page'}", remedy="choose two other captures"
    )


def _keep(repository: Repository, left: Sequence[Teaching], touched: Iterable[Teaching]) -> None:
    raw = _TEACHINGS.dump_python(tuple(left), mode="json")
    captures = _affected(repository, touched)
    repository.keep_teachings(document(raw), ANALYSIS, captures)


def _affected(repository: Repository, touched: Iterable[Teaching]) -> list[str]:
    """The captures whose changes are judged otherwise now."""
    pages = {each.of for each in touched if not each.site}
    hosts = {each.of for each in touched if each.site}
    return [
        entry.capture
        for entry in repository.captures()
        if entry.url in pages or host_of(entry.url) in hosts
    ]
