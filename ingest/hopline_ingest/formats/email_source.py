"""Conversion of an e-mail into a page: its headers, its body, and what of its other parts can be read.

The HTML body is used, and the paragraphs of the plain body that are not in it ("view in browser" is often all that one
of them says). Attached messages, text files and invitations are sections; other attachments are listed as left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import MIMEPart
from email.utils import parsedate_to_datetime
from html import escape
from typing import Final

from hopline.errors import DocumentError
from hopline_ingest.formats.coverage import list_missing_texts
from hopline_ingest.formats.html_source import PreparedHtml, close_elements, prepare_html
from hopline_ingest.formats.text import join_paragraphs
from hopline_ingest.formats.text_decoding import decode_text

MAX_DEPTH: Final = 5  # of messages attached to messages
_HEAD: Final = 100  # bytes, of the headers
_ADDRESSES: Final = ("From", "To", "Cc", "Bcc")
_EVENT: Final = {  # fields of an invitation (RFC 5545) that are read
    "SUMMARY": "Event",
    "DTSTART": "Begins",
    "DTEND": "Ends",
    "LOCATION": "Place",
    "ORGANIZER": "Organizer",
    "ATTENDEE": "Attendee",
    "DESCRIPTION": "Description",
}
_FIELD: Final = re.compile(r"(?P<name>[A-Z-]+)(?P<parameters>(?:;[^:\"]*(?:\"[^\"]*\")?[^:\"]*)*):(?P<value>.*)")
_BOUNDARY: Final = re.compile(r"^--(\S(?:.{0,68}\S)?)[ \t]*$", re.MULTILINE)
_COMMON_NAME: Final = re.compile(r";CN=(?:\"([^\"]+)\"|([^;:]+))")
_TIME: Final = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?")


def prepare_email(data: bytes) -> PreparedHtml:
    """Convert an e-mail into a page that is read as HTML files are; its title is the subject.

    Raises:
        DocumentError: it is not text, or its parts are nested too deeply.
    """
    try:
        return _convert_email(data)
    except RecursionError as error:  # of the standard library's parser
        raise DocumentError("the parts of the e-mail are nested too deeply") from error


def _convert_email(data: bytes) -> PreparedHtml:
    data = decode_text(data).encode("utf-8") if b"\x00" in data[:_HEAD] else data  # saved as UTF-16
    message = message_from_bytes(data.lstrip(b"\r\n"), policy=policy.default)
    left_out: list[str] = []
    parts = [*_write_headers(message), *_write_message(message, left_out)]
    body = f"<html><head><title></title></head><body>{''.join(parts)}</body></html>"
    page = prepare_html(body, takes_tables=True)
    subject = _get_header(message, "Subject")
    return replace(page, title=subject, left_out=tuple(dict.fromkeys((*left_out, *page.left_out))))


def _write_headers(message: MIMEPart) -> Iterator[str]:
    """Yield the sender, the addressees, the copies and the date as paragraphs."""
    for name in _ADDRESSES:
        if value := _get_header(message, name):
            yield _write_paragraph(f"{name}: {value}")
    if date := _get_header(message, "Date"):
        with suppress(ValueError, TypeError):  # not a date of an e-mail
            date = parsedate_to_datetime(date).strftime("%Y-%m-%d %H:%M")
        yield _write_paragraph(f"Date: {date}")


def _get_header(message: MIMEPart, name: str) -> str:
    """Return a header in one line, "" if it is missing or invalid."""
    raw = next((str(value) for key, value in message.raw_items() if key.lower() == name.lower()), "")
    try:
        if not raw.isascii():  # bytes that are not encoded, which the parser replaces
            return " ".join(decode_text(raw.encode("utf-8", "surrogateescape")).split())
        return " ".join(str(message[name] or "").split())
    except (ValueError, TypeError, AttributeError, IndexError, LookupError):  # of the standard library's parser
        return ""
    except DocumentError:  # it is not text
        return ""


def _write_message(message: MIMEPart, left_out: list[str], depth: int = 0) -> Iterator[str]:
    """Yield the HTML of the body and the other parts of a message; adds the attachments that are not read."""
    pages, plain, others = _sort_parts(message)
    if pages:
        yield from (close_elements(_get_text(part)) for part in pages)
        shown = " ".join(text for part in pages for text in prepare_html(_get_text(part)).texts)
        paragraphs = [text for part in plain for text in join_paragraphs(_get_text(part))]
        yield from map(_write_paragraph, list_missing_texts(paragraphs, shown))
    else:
        for part in plain:
            yield from map(_write_paragraph, join_paragraphs(_get_text(part)))
    for part in others:
        kind, name = part.get_content_type(), part.get_filename() or ""
        if kind == "message/rfc822" and depth < MAX_DEPTH:
            for attached in _list_attached(part):
                yield f"<h2>{escape(_get_header(attached, 'Subject') or name or 'Attached message')}</h2>"
                yield from (*_write_headers(attached), *_write_message(attached, left_out, depth + 1))
        elif kind == "text/calendar":
            yield f"<h2>{escape(name or 'Invitation')}</h2>"
            yield from (_write_paragraph(text) for text in read_invitation(_get_text(part)))
        elif kind == "message/delivery-status":
            yield f"<h2>{escape(name or 'Delivery status')}</h2>"
            yield from (
                _write_paragraph(f"{key}: {value}") for status in part.iter_parts() for key, value in status.items()
            )
        elif part.get_content_maintype() == "text":
            yield f"<h2>{escape(name or kind)}</h2>"
            if kind == "text/html":
                yield close_elements(_get_text(part))
            else:
                yield from map(_write_paragraph, join_paragraphs(_get_text(part)))
        else:
            left_out.append(f"attachment: {name or kind}")


def _sort_parts(message: MIMEPart) -> tuple[list[MIMEPart], list[MIMEPart], list[MIMEPart]]:
    """Return the HTML parts and the plain parts of the body of a message, and all other parts."""
    pages: list[MIMEPart] = []
    plain: list[MIMEPart] = []
    others: list[MIMEPart] = []
    for part in _list_leaves(message):
        kind = part.get_content_type()
        if part.is_attachment() or part.get_filename() or kind not in {"text/html", "text/plain"}:
            others.append(part)
        else:
            (pages if kind == "text/html" else plain).append(part)
    return pages, plain, others


def _list_leaves(message: MIMEPart) -> Iterator[MIMEPart]:
    """Yield the parts of a message that have content; a message within it is one of them.

    A body in parts whose boundary is missing is read by the line with which it begins.
    """
    waiting = [message]
    while waiting:
        part = waiting.pop()
        if part.get_content_maintype() != "multipart":
            yield part
        elif part.is_multipart():
            waiting += reversed(list(part.iter_parts()))
        else:
            waiting.append(_restore_parts(part))


def _restore_parts(part: MIMEPart) -> MIMEPart:
    """Return a part of several parts with the boundary that its content begins with; a part of text without one."""
    content = str(part.get_payload())
    boundary = _BOUNDARY.search(content)
    kind = f'multipart/mixed; boundary="{boundary[1]}"' if boundary else "text/plain"
    restored = _parse_part(f"Content-Type: {kind}\n\n{content}".encode("utf-8", "surrogateescape"))
    return (
        restored
        if restored.is_multipart() or not boundary
        else _parse_part(b"\n" + content.encode("utf-8", "surrogateescape"))
    )


def _list_attached(part: MIMEPart) -> Iterator[MIMEPart]:
    """Yield the message of an attachment; it may be encoded, although that is not allowed (RFC 2046, 5.2.1)."""
    encoding = str(part["Content-Transfer-Encoding"] or "").strip().lower()
    for attached in part.iter_parts():
        if encoding in {"base64", "quoted-printable"} and not attached.keys():
            attached["Content-Transfer-Encoding"] = encoding
            content = attached.get_payload(decode=True)
            yield _parse_part(content) if isinstance(content, bytes) else attached
        else:
            yield attached


def _parse_part(data: bytes) -> MIMEPart:
    return message_from_bytes(data, policy=policy.default)


def _get_text(part: MIMEPart) -> str:
    """Return the text of a part; where its charset is unknown or wrong, or it is damaged, what can be decoded."""
    payload = part.get_payload(decode=True)
    with suppress(LookupError, ValueError, KeyError, AttributeError):
        text = str(part.get_content())
        if "\ufffd" not in text and not (isinstance(payload, bytes) and _is_utf8(payload)):
            return text
    try:
        return decode_text(payload) if isinstance(payload, bytes) else str(payload)
    except DocumentError:
        return ""


def _is_utf8(data: bytes) -> bool:
    """Return whether bytes are UTF-8 beyond ASCII, as those of another charset are only by chance."""
    try:
        return not data.decode("utf-8").isascii()
    except UnicodeError:
        return False


def _write_paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def read_invitation(text: str) -> Iterator[str]:
    """Yield the fields of the events of an invitation, as "Begins: 2024-05-14 08:00"."""
    parts: list[str] = []  # of the calendar, from the outermost: an event may have alarms
    for line in re.sub(r"\r?\n[ \t]", "", text).splitlines():
        if line.startswith("BEGIN:"):
            parts.append(line.strip())
        elif line.startswith("END:"):
            del parts[-1:]
        match = _FIELD.fullmatch(line)
        if parts[-1:] != ["BEGIN:VEVENT"] or match is None or match["name"] not in _EVENT:
            continue
        value = re.sub(r"\\([,;\\])", r"\1", re.sub(r"\\[nN]", " ", match["value"]))
        if person := _COMMON_NAME.search(match["parameters"]):
            value = f"{person[1] or person[2]} <{value.removeprefix('mailto:').removeprefix('MAILTO:')}>"
        if time := _TIME.fullmatch(value):
            value = "-".join(time.group(1, 2, 3)) + (
                f" {time[4]}:{time[5]}{' UTC' if time[6] else ''}" if time[4] else ""
            )
        yield f"{_EVENT[match['name']]}: {value}"
