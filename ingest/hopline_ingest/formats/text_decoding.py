"""Decoding of text files: byte order marks, UTF-8, UTF-16, declared and detected charsets. Pure."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from hopline.errors import DocumentError

_BYTE_ORDER_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_SAMPLE_BYTES: Final = 4096  # used to detect UTF-16
_CHARSET_BYTES: Final = 64_000  # used to detect a charset
_UTF16_ZEROS: Final = 0.3  # share of zero bytes at one parity above which a text is UTF-16 without a byte order mark
_MAX_CONTROLS: Final = 0.02  # share of control characters above which a file is not text
_MAX_CHAOS: Final = 0.1  # of a charset that is considered, as charset-normalizer measures it
_DEFAULT: Final = "cp1252"
# In the order of preference among charsets that fit equally well.
_CHARSETS: Final = (
    *(_DEFAULT, "cp1250", "iso8859_2", "cp1251", "koi8_r", "cp1253", "cp1254"),
    *("gb18030", "big5", "cp932", "euc_jp", "euc_jis_2004", "cp949"),
)
# <meta charset=…>, <meta http-equiv=… content="…charset=…"> and <?xml … encoding=…?>
_DECLARATION: Final = re.compile(
    rb"""(?:<meta[^>]{0,200}?charset|<\?xml[^>]{0,100}?encoding)\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE
)
# A symbol before a letter: "W³adys³aw". Quotes and dashes are at the same codes in all charsets of Windows.
_SYMBOL_IN_WORD: Final = re.compile(r"[\u0080-\u00a9\u00ac-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u02c7-\u02dd](?=[^\W\d_])")
_ESCAPE: Final = b"\x1b"  # begins the shift sequences of ISO-2022 charsets, whose bytes are valid UTF-8


def decode_text(data: bytes) -> str:
    """Decode the bytes of a text file; line ends become LF and accented letters single characters (NFC).

    In this order: byte order mark, UTF-16 by its zero bytes, UTF-8, the charset that HTML or XML declares, the charset
    that fits best, Windows-1252.

    Raises:
        DocumentError: the bytes are not text.
    """
    text = data.decode(_detect_charset(data), errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    junk = sum(character < " " and character not in "\n\t\f\v" for character in text[: 10 * _SAMPLE_BYTES])
    if junk > _MAX_CONTROLS * min(len(text), 10 * _SAMPLE_BYTES):
        raise DocumentError("the file is not a text file")
    return unicodedata.normalize("NFC", text)


def _detect_charset(data: bytes) -> str:
    by_mark = next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), "")
    if by_mark:
        return by_mark
    head = data[:_SAMPLE_BYTES]
    if head[1::2].count(0) > _UTF16_ZEROS * len(head[1::2]):
        return "utf-16-le"
    if head[0::2].count(0) > _UTF16_ZEROS * len(head[0::2]):
        return "utf-16-be"
    declared = _read_declaration(head)
    if not (_ESCAPE in head and declared) and _fits(data, "utf-8"):
        return "utf-8"
    return declared if declared and _fits(data, declared) else _guess_charset(data)


def _read_declaration(head: bytes) -> str:
    """Return the Python name of the charset that HTML or XML declares; "" if there is none that Python knows.

    ISO-8859-1 is read as Windows-1252, as browsers do. A page that declares UTF-16 in single bytes is not UTF-16.
    """
    match = _DECLARATION.search(head)
    name = match[1].decode("ascii", "replace").lower() if match else ""
    if name in {"iso-8859-1", "iso8859-1", "latin1", "latin-1", "us-ascii", "ascii"}:
        return _DEFAULT
    if name in {"gb2312", "gbk", "x-gbk"}:
        return "gb18030"
    try:
        return "" if name.startswith(("utf-16", "utf-32")) or not name else b"".decode(name) or name
    except (LookupError, UnicodeError):
        return ""


def _fits(data: bytes, charset: str) -> bool:
    try:
        data.decode(charset)
    except (UnicodeError, LookupError):
        return False
    return True


def _guess_charset(data: bytes) -> str:
    """Return the charset of `_CHARSETS` in which the bytes look most like a language."""
    from charset_normalizer import from_bytes

    matches = from_bytes(data[:_CHARSET_BYTES], cp_isolation=list(_CHARSETS), enable_fallback=False)
    names = {
        name: match
        for match in matches
        if match.chaos <= _MAX_CHAOS
        for name in (match.encoding, *match.could_be_from_charset)
        if name in _CHARSETS
    }
    if not names:
        return _DEFAULT
    sample = data[:_CHARSET_BYTES]
    symbols = {name: len(_SYMBOL_IN_WORD.findall(sample.decode(name, "replace"))) for name in names}
    return min(names, key=lambda name: (symbols[name], -names[name].coherence, _CHARSETS.index(name)))
