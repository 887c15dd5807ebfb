"""Small real documents that are not HTML, made here so that no file has to be shipped."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from functools import cache

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="teal"/></svg>'
CSV = b"name,year\r\nlathe,1911\r\nloom,1904\r\n"
JSON = b'{"exhibits": [{"name": "lathe", "year": 1911}]}'
XML = b'<?xml version="1.0"?><exhibits><exhibit year="1911">lathe</exhibit></exhibits>'
FEED = (
    b'<?xml version="1.0"?><rss version="2.0"><channel><title>Museum news</title>'
    b"<item><title>The loom is back</title></item></channel></rss>"
)


@cache
def png(width: int = 2, height: int = 2) -> bytes:
    """A black picture of that size: huge ones stay small as files."""
    row = bytes(1 + (width + 7) // 8)
    packer = zlib.compressobj(9)
    pixels = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    head = struct.pack(">LLBBBBB", width, height, 1, 0, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", pixels), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_png_chunk(*chunk) for chunk in chunks)


def _png_chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">L", len(data)) + name + data + struct.pack(">L", zlib.crc32(name + data))


def pdf() -> bytes:
    """One page with one line of text, with a correct cross-reference table."""
    drawing = b"BT /F1 24 Tf 72 700 Td (A page on paper) Tj ET"
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(drawing), drawing),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    )
    out, places = b"%PDF-1.4\n", []
    for index, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj%s endobj\n" % (index, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + (
        b"xref\n0 6\n0000000000 65535 f \n%strailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n"
        % (table, len(out))
    )


def archive() -> bytes:
    """A zip file with one text in it; its date is fixed, so its bytes are too."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as packed:
        packed.writestr(zipfile.ZipInfo("readme.txt", (2026, 3, 2, 9, 0, 0)), "nothing to render\n")
    return target.getvalue()
