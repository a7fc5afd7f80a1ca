"""Preparation of an e-mail for docling, which reads its sender, addressee, date, subject and one body.

docling drops the copies and takes an HTML body as it is; so the copies become the first line of the body, and an HTML
body is prepared like a web page. It reads the plain body of an e-mail that has both; a different HTML body is a loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import EmailMessage
from html import escape
from typing import Final

from hopline_ingest.formats.html_source import PreparedHtml, prepare_html
from hopline_ingest.formats.text_decoding import decode_text

_HEAD: Final = 100  # bytes, of the headers
_COPIES: Final = ("Cc", "Bcc")
_HEADERS: Final = ("Subject", "From", "To", *_COPIES)


@dataclass(frozen=True, slots=True)
class PreparedEmail:
    """An e-mail that docling can read, the texts of the original, and texts that are left out, with their reason."""

    data: bytes
    texts: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def prepare_email(data: bytes) -> PreparedEmail:
    """Prepare an e-mail; a damaged one, or one with an unknown charset, is unchanged and not compared."""
    try:
        data = decode_text(data).encode("utf-8") if b"\x00" in data[:_HEAD] else data  # saved as UTF-16
        message = message_from_bytes(data, policy=policy.default)
        return _prepare_message(message) if isinstance(message, EmailMessage) else PreparedEmail(data)
    except (MessageError, LookupError, ValueError, TypeError, AttributeError):  # on invalid headers
        return PreparedEmail(data)


def _prepare_message(message: EmailMessage) -> PreparedEmail:
    headers = tuple(str(message[name]) for name in _HEADERS if message[name])
    copies = "\n".join(f"{name}: {message[name]}" for name in _COPIES if message[name])
    left_out = tuple(
        f"attachment: {part.get_filename() or part.get_content_type()}" for part in message.iter_attachments()
    )
    body = message.get_body(("plain", "html"))
    if body is None:
        return PreparedEmail(message.as_bytes(), headers, (*copies.splitlines(), *left_out))
    text = str(body.get_content())
    if body.get_content_subtype() == "plain":
        if copies:
            body.set_content(f"{copies}\n\n{text}")
        alternative = message.get_body(("html",))
        shown = prepare_html(str(alternative.get_content())).texts if alternative is not None else ()
        return PreparedEmail(message.as_bytes(), (*headers, *text.splitlines(), *shown), left_out)
    page: PreparedHtml = prepare_html(text)
    paragraph = f"<p>{escape(copies)}</p>" if copies else ""
    body.set_content(paragraph + page.html.decode("utf-8"), subtype="html")
    return PreparedEmail(message.as_bytes(), (*headers, *page.texts), (*left_out, *page.left_out))
