"""Text that is lost when files are parsed: it is in no passage or table, and not listed as left out.

    python benchmarks/coverage.py FOLDER … [--suffix .pdf] [--limit-mb 2] [--show] [--json FILE]

Parses every supported file of the folders as the worker does, and compares it with the text of the file, which is read
again by other means: PDFium's text, the XML of office files, the text nodes of HTML, the headers and bodies of e-mails,
the lines of text files. The loss is the share of letters and digits that are missing. Prints a table by format: files,
files that could not be parsed, the median and the mean of the loss, files with a loss above 2 %, and how many of these
have a warning. ``--show`` prints each of them with the texts that were lost.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import statistics
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from email import message_from_bytes, policy
from pathlib import Path
from tempfile import TemporaryDirectory

from lxml import etree, html

from hopline.config import load_settings
from hopline.documents.images import SUFFIXES as IMAGES
from hopline.errors import DocumentError
from hopline_ingest.formats.coverage import MAX_LOSS, measure_loss
from hopline_ingest.formats.file_types import match_suffix
from hopline_ingest.formats.text_decoding import decode_text
from hopline_ingest.sandbox.document_parser import DocumentParser

WITHOUT_TEXT = {".jsonl", ".jsonl.gz", *IMAGES}  # rows of records, and pictures
PARTS = {
    ".docx": r"word/(?:document|footnotes|endnotes|header\d*|footer\d*)\.xml",
    ".pptx": r"ppt/(?:slides|notesSlides|charts)/[^/]+\.xml",
    ".xlsx": r"xl/sharedStrings\.xml",
    ".xlsm": r"xl/sharedStrings\.xml",
    ".odt": r"content\.xml",
    ".odp": r"content\.xml",
    ".ods": r"content\.xml",
    ".epub": r".*\.x?html?",
}
TEXT_TAGS = ("t", "v")  # local names of the elements that hold text in Office Open XML
HEADERS = ("Subject", "From", "To", "Cc", "Bcc")  # of an e-mail
INVISIBLE = {"script", "style", "noscript", "template", "head"}


@dataclass(frozen=True, slots=True)
class FileLoss:
    """What a file lost: the share of its letters and digits, or the reason why it was not parsed."""

    path: str
    suffix: str
    loss: float = 0.0
    warned: bool = False
    examples: tuple[str, ...] = ()
    error: str = ""


def read_source(data: bytes, suffix: str) -> Iterator[str]:
    """Yield the texts of a file."""
    if suffix == ".pdf":
        yield from read_pdf(data)
    elif suffix in PARTS:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                if re.fullmatch(PARTS[suffix], name):
                    part = archive.read(name)
                    yield from (
                        read_html(part.decode("utf-8", "replace")) if suffix == ".epub" else read_xml(part, suffix)
                    )
    elif suffix in {".html", ".htm"}:
        yield from read_html(decode_text(data))
    elif suffix == ".eml":
        yield from read_email(data)
    elif suffix in {".md", ".markdown"}:
        yield from re.sub(r"<!--.*?-->|\]\([^)]*\)|<[^>]*>", " ", decode_text(data), flags=re.DOTALL).splitlines()
    else:
        yield from decode_text(data).splitlines()


def read_pdf(data: bytes) -> Iterator[str]:
    """Yield the lines of PDFium's text, page by page; pages that PDFium cannot load are left out."""
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    for index in range(len(document)):
        with suppress(pypdfium2.PdfiumError):
            yield from document[index].get_textpage().get_text_bounded().splitlines()


def read_xml(part: bytes, suffix: str) -> Iterator[str]:
    """Yield the texts of Office Open XML, by paragraph, or of OpenDocument."""
    root = etree.fromstring(
        part, etree.XMLParser(resolve_entities=False, remove_comments=True, remove_pis=True, huge_tree=True)
    )
    for paragraph in root.iter("{*}p", "{*}si", "{*}pt", "{*}h"):
        if suffix.startswith(".od"):
            yield "".join(paragraph.itertext())
        else:
            texts = [text for tag in TEXT_TAGS for text in paragraph.iter(f"{{*}}{tag}") if "/math" not in text.tag]
            yield "".join(
                text.text or "" for text in texts if next(text.iterancestors("{*}p", paragraph.tag)) is paragraph
            )


def read_html(text: str) -> Iterator[str]:
    """Yield the text nodes of a page."""
    if not text.strip():
        return
    root = html.document_fromstring(text.encode(), parser=html.HTMLParser(encoding="utf-8", remove_comments=True))
    for element in root.iter():
        parents = {parent.tag for parent in (element, *element.iterancestors())}
        if isinstance(element.tag, str) and not parents & INVISIBLE and element.text:
            yield element.text
        if element.tail and not {parent.tag for parent in element.iterancestors()} & INVISIBLE:
            yield element.tail


def read_email(data: bytes) -> Iterator[str]:
    """Yield the headers that a reader sees, and the texts of the plain and the HTML body."""
    if b"\x00" in data[:100]:  # saved as UTF-16
        data = decode_text(data).encode("utf-8")
    message = message_from_bytes(data, policy=policy.default)
    yield from (str(message[name]) for name in HEADERS if message[name])
    for kind in ("plain", "html"):
        body = message.get_body((kind,))  # type: ignore[attr-defined]
        with suppress(LookupError):  # unknown charset
            text = body.get_content() if body is not None else ""
            yield from text.splitlines() if kind == "plain" else read_html(text)


def measure_file(parser: DocumentParser, path: Path, name: str) -> FileLoss:
    suffix = match_suffix(path.name)
    try:
        document = parser.parse(path, path.name)
    except DocumentError as error:
        return FileLoss(name, suffix, error=str(error))
    loss, examples = measure_loss(document, read_source(path.read_bytes(), suffix))
    return FileLoss(name, suffix, loss, bool(document.warnings), tuple(examples))


def print_table(results: list[FileLoss]) -> None:
    groups: dict[str, list[FileLoss]] = defaultdict(list)
    for result in results:
        groups[result.suffix].append(result)
    print("| format | files | not parsed | median loss % | mean loss % | above 2 % | of these with a warning |")
    print("|---|---|---|---|---|---|---|")
    for suffix, group in [*sorted(groups.items()), ("all", results)]:
        parsed = [result for result in group if not result.error]
        losses = [100 * result.loss for result in parsed] or [0.0]
        above = [result for result in parsed if result.loss > MAX_LOSS]
        warned = sum(result.warned for result in above)
        print(
            f"| {suffix} | {len(group)} | {len(group) - len(parsed)} | {statistics.median(losses):.2f} "
            f"| {statistics.fmean(losses):.2f} | {len(above)} | {warned} |"
        )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folders", nargs="+", type=Path)
    arguments.add_argument("--limit-mb", type=float, default=2.0, help="larger files are left out")
    arguments.add_argument("--suffix", action="append", help="only files of this suffix; can be repeated")
    arguments.add_argument("--show", action="store_true")
    arguments.add_argument("--json", type=Path)
    options = arguments.parse_args()
    results = []
    with TemporaryDirectory() as home, DocumentParser(load_settings(home=Path(home)), processes=1) as parser:
        for folder in options.folders:
            for path in sorted(path for path in folder.rglob("*") if path.is_file()):
                suffix = match_suffix(path.name)
                wanted = suffix and suffix not in WITHOUT_TEXT and suffix in (options.suffix or [suffix])
                if not wanted or path.stat().st_size > options.limit_mb * 2**20:
                    continue
                result = measure_file(parser, path, str(path.relative_to(folder)))
                results.append(result)
                if options.show and (result.error or result.loss > MAX_LOSS):
                    detail = result.error or f"{100 * result.loss:.1f} %: " + " … ".join(result.examples[:6])
                    print(f"{result.path}: {detail}"[:600], flush=True)
    if options.json:
        options.json.write_text(json.dumps([asdict(result) for result in results], indent=1, ensure_ascii=False))
    print_table(results)


if __name__ == "__main__":
    main()
