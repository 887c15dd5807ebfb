"""Every exchange, kept in WARC files: the writer, the reader and the WACZ export.

    writer = ArchiveWriter(folder, find_original, committed)   # folder: my-repository/archive
    kept = writer.append(exchange, capture)  # Kept: places, digest, what the database must know
    lengths = writer.commit()                # on the disk; {file: committed length}: record these
    writer.rollback()                        # or: undo what the database does not know of
    writer.finish()                          # after recording: the index; then a new file (publish)
    writer.close()                           # undo what was not recorded, finish

`find_original(sha256) -> Original | None` asks the database where a payload was stored first, and
`committed() -> {file: length}` what was recorded; what lies beyond (a crash) is moved to
`archive/lost/`. `Kept.original` is to be recorded under `Kept.sha256` with the commit's lengths, in
one transaction. StorageError from append or commit: everything not recorded is undone.

    reader = ArchiveReader(folder)
    answer = reader.answer(kept.answer)      # StoredAnswer: status, headers, body.chunks()
    reader.request(kept.request), reader.notes(kept.notes), reader.verify(place)
    scan(path, length)                       # every record of a file, checked
    export_wacz(target, folder, lengths, pages, created)

The format is told in docs/archive.md.
"""

from webgeist.repository.archive.cdxj import IndexEntry
from webgeist.repository.archive.notes import Notes
from webgeist.repository.archive.places import Kept, Original, RecordPlace
from webgeist.repository.archive.reader import (
    ArchiveReader,
    StoredAnswer,
    StoredBody,
    StoredRequest,
)
from webgeist.repository.archive.recovery import recover, write_index
from webgeist.repository.archive.scan import Scanned, scan
from webgeist.repository.archive.wacz import ArchivedPage, export_wacz
from webgeist.repository.archive.writer import ArchiveWriter

__all__ = [
    "ArchiveReader",
    "ArchiveWriter",
    "ArchivedPage",
    "IndexEntry",
    "Kept",
    "Notes",
    "Original",
    "RecordPlace",
    "Scanned",
    "StoredAnswer",
    "StoredBody",
    "StoredRequest",
    "export_wacz",
    "recover",
    "scan",
    "write_index",
]
