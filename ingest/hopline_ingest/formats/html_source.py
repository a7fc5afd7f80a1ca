"""Preparation of HTML for docling, which drops or splits some of its content.

docling takes everything before the first heading for navigation, joins the parts of a word that are formatted
differently by blanks, ignores ``<tfoot>`` and reads the charset declaration of text that is already decoded. The
prepared page has no inline formatting, no navigation and no declaration; its ordered lists have their numbers as text,
and links to other sites and to files have their addresses.
"""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import SplitResult, unquote, urlsplit

from hopline.errors import DocumentError
from hopline.tables.parts import Rows
from hopline_ingest.formats.front_matter.declared import Declared, read_page_declarations
from hopline_ingest.formats.html_tables import take_large_tables
from hopline_ingest.formats.numerals import format_numeral

_INLINE: Final = (
    *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins"),
    *(
        "kbd",
        "label",
        "mark",
        "nobr",
        "q",
        "rb",
        "ruby",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
    ),
    *("time", "tt", "u", "var", "wbr"),
)
_WITHOUT_TEXT: Final = ("script", "style", "noscript", "template", "meta", "head/link", "head/base", "rp", "rt")
_NAVIGATION: Final = "//nav | //*[@role='navigation' or @role='banner' or @role='search']"
_HIDDEN: Final = "//*[@hidden or @aria-hidden='true' or contains(translate(@style, ' ', ''), 'display:none')]"
_PAGE_FRAME: Final = "//header | //footer"
_MIN_LINKED: Final = 0.5  # share of the characters of a page's header or footer that are links
_BLOCKS: Final = ("table", "ul", "ol", "h1", "h2", "h3", "h4", "blockquote", "pre", "form")  # not in a cell of data
_TABLE_PARTS: Final = ("thead", "tbody")
_MAX_CELL: Final = 150  # characters of a cell of data
_MAX_LINKS: Final = 3  # in a paragraph whose links have their addresses in the text
_FILE: Final = re.compile(r".*\.(?:pdf|docx?|xls[xm]?|pptx?|od[tsp]|csv|txt|zip|ics|epub)", re.IGNORECASE)
_PAGE_ADDRESS: Final = "//link[@rel='canonical']/@href | //base/@href | //meta[@property='og:url']/@content"
_MAX_DEPTH: Final = 200  # of elements; docling overflows its stack at about 1000
_TOO_DEEP: Final = "ERR_RESOURCE_LIMIT"  # name of the error of libxml2
_MAX_SHOWN: Final = 2_000  # characters of a text that was left out


@dataclass(frozen=True, slots=True)
class PreparedHtml:
    """A page that docling can read, its title and paragraphs, and the texts that are left out, each with its reason.

    ``tables`` are the large tables, of which the page has only the marks (`hopline_ingest.formats.html_tables`);
    ``declared`` are the values that its head declares.
    """

    html: bytes
    title: str = ""
    texts: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    tables: tuple[Rows, ...] = ()
    declared: Declared = field(default_factory=dict)


def prepare_html(text: str, *, takes_tables: bool = False) -> PreparedHtml:
    """Prepare a page; its text stays in order. The result is encoded in UTF-8 without a declaration.

    With ``takes_tables``, large tables are read here.

    Raises:
        DocumentError: its elements are nested too deeply.
    """
    from lxml import etree, html

    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        root = html.document_fromstring(text.encode("utf-8"), parser=parser)
    except etree.ParserError:  # no element
        return PreparedHtml(b"")
    if any(error.type_name == _TOO_DEEP for error in parser.error_log):
        raise DocumentError("the elements of the page are nested too deeply")
    declared = read_page_declarations(root)
    own_sites = {parts.hostname for address in root.xpath(_PAGE_ADDRESS) if (parts := _split_address(str(address)))}
    _drop(root, "|".join(f"//{name}" for name in _WITHOUT_TEXT))
    left_out = [f"hidden text: {text}" for text in _drop(root, _HIDDEN)]
    left_out += [f"navigation: {text}" for text in (*_drop(root, _NAVIGATION), *_drop_link_lists(root))]
    left_out += [f"address of a link: {text}" for text in _write_addresses(root, own_sites)]
    for quote in root.iter("q"):
        quote.text, quote.tail = f"“{quote.text or ''}", f"”{quote.tail or ''}"
    etree.strip_tags(root, *_INLINE)
    _limit_depth(root)
    etree.strip_attributes(root, "id", "class")  # docling reads some of them as parts of a form, and skips the others
    texts = tuple(text for part in root.itertext() if (text := " ".join(part.split())))
    for footer in list(root.iter("tfoot")):
        footer.tag = "tbody"
        footer.getparent().append(footer)  # it is the end of the table, wherever it is written
    for items in list(root.iter("ol")):
        _number_items(items)
    for code in reversed(list(root.iter("pre"))):
        _free_code(code)
    for definitions in list(root.iter("dl")):
        _join_definitions(definitions)
    for table in list(root.iter("table")):
        _unwrap_layout_table(table)
    tables = take_large_tables(root) if takes_tables else ()
    title = _shorten(root.findtext(".//title") or "", None)
    page: bytes = etree.tostring(root, encoding="utf-8", method="html")
    return PreparedHtml(page, title, texts, tuple(dict.fromkeys(left_out)), tables, declared)


def close_elements(text: str) -> str:
    """Return the body of a page with all elements and comments closed, so that others can follow it."""
    from lxml import etree, html

    try:
        root = html.document_fromstring(text.encode("utf-8"), parser=html.HTMLParser(encoding="utf-8", huge_tree=True))
    except etree.ParserError:  # no element
        return ""
    body = root.find("body")
    if body is None:
        return ""
    body.tag = "div"
    closed: str = html.tostring(body, encoding="unicode")
    return closed


def _limit_depth(root: Any) -> None:
    """Replace elements below `_MAX_DEPTH` others, such as those that are never closed, by their content."""
    from lxml import etree

    depth = 0
    deep = []
    for event, element in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if event == "start" and depth > _MAX_DEPTH:
            deep.append(element)
    for element in deep:
        element.text, element.tail = f" {element.text or ''}", f" {element.tail or ''}"
        element.drop_tag()


def _drop(root: Any, path: str) -> list[str]:
    """Remove the elements and return their texts."""
    elements = [element for element in root.xpath(path) if element.getparent() is not None and element.tag != "body"]
    texts = [text for element in elements if (text := _shorten(element.text_content()))]
    for element in elements:
        element.drop_tree()
    return texts


def _drop_link_lists(root: Any) -> list[str]:
    """Remove the headers and footers that consist of links, and return their texts."""
    texts = []
    for frame in root.xpath(_PAGE_FRAME):
        if frame.xpath("ancestor::article | ancestor::main | .//h1 | .//h2"):
            continue
        length = len(_shorten(frame.text_content(), None))
        linked = sum(len(_shorten(link.text_content(), None)) for link in frame.iter("a"))
        if length and linked >= _MIN_LINKED * length:
            texts.append(_shorten(frame.text_content()))
            frame.drop_tree()
    return texts


def _write_addresses(root: Any, own_sites: set[str | None]) -> list[str]:
    """Write the addresses of links behind their words; those of a paragraph with many links are returned instead.

    Links within the page or to other pages of its own site have none: they are navigation.
    """
    links: dict[Any, list[tuple[Any, str]]] = {}
    for link in root.iter("a"):
        words, address = _shorten(link.text_content(), None), _get_address(link, own_sites)
        if words and address and address.removeprefix("https://").removeprefix("http://").rstrip("/") not in words:
            block = next((parent for parent in link.iterancestors() if parent.tag not in _INLINE), None)
            links.setdefault(block, []).append((link, address))
    left_out = []
    for group in links.values():
        for link, address in group:
            if len(group) > _MAX_LINKS:
                left_out.append(f"{_shorten(link.text_content())} → {address}")
            elif len(link):
                link[-1].tail = f"{(link[-1].tail or '').rstrip()} ({address})"
            else:
                link.text = f"{link.text.rstrip()} ({address})"
    return left_out


def _get_address(link: Any, own_sites: set[str | None]) -> str:
    """Return the address of a link to another site, to a file or to a mailbox; "" for other links."""
    target = (link.get("href") or "").strip()
    parts = _split_address(target)
    if parts is None:
        return ""
    if parts.scheme == "mailto":
        return unquote(parts.path)
    if parts.scheme in {"http", "https", "ftp"}:
        return target if parts.hostname not in own_sites or _FILE.fullmatch(parts.path) else ""
    return target if not parts.scheme and _FILE.fullmatch(parts.path) else ""


def _split_address(address: str) -> SplitResult | None:
    """Return the parts of an address; None for what is none."""
    try:
        return urlsplit(address)
    except ValueError:
        return None


def _shorten(text: str, limit: int | None = _MAX_SHOWN) -> str:
    return " ".join(text.split())[:limit]


def _unwrap_layout_table(table: Any) -> None:
    """Make blocks of a table that only places text: without headers, and with one row, blocks or long texts."""
    if _is_data_table(table):
        return
    rows, cells = _list_cells(table)
    blocks = any(cell.find(f".//{name}") is not None for cell in cells for name in _BLOCKS)
    if (
        len(list(table.iter("tr"))) == 1
        or blocks
        or any(len(_shorten(cell.text_content(), None)) > _MAX_CELL for cell in cells)
    ):
        for element in (table, *table.iterchildren(*_TABLE_PARTS), *rows, *cells):
            element.tag = "div"


def _is_data_table(table: Any) -> bool:
    """Return whether a table has a caption or headers."""
    return table.find("caption") is not None or any(cell.tag != "td" for cell in _list_cells(table)[1])


def _list_cells(table: Any) -> tuple[list[Any], list[Any]]:
    """Return the rows of a table and their cells, without those of tables within it."""
    rows = [row for row in table.iter("tr") if next(row.iterancestors("table")) is table]
    return rows, [cell for row in rows for cell in row]


def _free_code(code: Any) -> None:
    """Make blocks of the lists around program code, and repeat code of a table behind it: docling joins its lines."""
    for parent in list(code.iterancestors("li", "ul", "ol", "table")):
        if parent.tag != "table":
            parent.tag = "div"
        elif _is_data_table(parent) and "\n" in code.text_content().strip():
            copy = deepcopy(code)
            copy.tail = None
            parent.addnext(copy)
            return


def _number_items(items: Any) -> None:
    """Write the number of each item of an ordered list at its beginning, and make the list an unordered one."""
    kind = items.get("type") or "1"
    children = [item for item in items if item.tag == "li"]
    backwards = items.get("reversed") is not None
    number = _to_int(items.get("start"), len(children) if backwards else 1)
    for item in children:
        number = _to_int(item.get("value"), number)
        _prepend(item, f"{format_numeral(number, item.get('type') or kind)}. ")
        number += -1 if backwards else 1
    items.tag = "ul"


def _join_definitions(definitions: Any) -> None:
    """Make one paragraph of each term of a definition list and its first definition: "term: definition"."""
    definitions.tag = "div"
    term = None
    for element in list(definitions.iter("dt", "dd")):
        tag, element.tag = element.tag, "div"
        if tag == "dt":
            term = element
        elif term is not None:
            label = _shorten(term.text_content(), None)
            if label:
                _prepend(element, f"{label.removesuffix(':')}: ")
                term.drop_tree()
            term = None


def _prepend(item: Any, label: str) -> None:
    """Write a label before the first text of an item, which may be in a paragraph of the item."""
    target = item
    while not (target.text or "").strip() and len(target) and target[0].tag in {"p", "div", "section"}:
        target = target[0]
    target.text = label + (target.text or "").lstrip()


def _to_int(text: str | None, default: int) -> int:
    return int(text) if text and re.fullmatch(r"\s*-?\d{1,6}\s*", text) else default
