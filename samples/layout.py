"""Page layout of the sample reports as PDF: blocks of text in frames, with running headers and footers.

The output does not depend on the time, a compressor or a font file, so equal blocks give equal bytes on every machine:
standard fonts only, uncompressed streams, and the scan embedded as the original JPEG.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from drawings import draw_bars
from hyphens import add_soft_hyphens
from reportlab import rl_config
from reportlab.lib import colors
from reportlab.lib.enums import TA_JUSTIFY
from reportlab.lib.pagesizes import B5
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BalancedColumns,
    BaseDocTemplate,
    Flowable,
    Frame,
    Image,
    KeepTogether,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

WIDTH, HEIGHT = B5
MARGIN, GUTTER = 54.0, 16.0
RULE = colors.Color(0.55, 0.55, 0.55)


@dataclass(frozen=True, slots=True)
class Heading:
    """A numbered section heading."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; ``small`` for an abstract or a note under a table."""

    text: str
    small: bool = False


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table; caption above, header row first; ``widths`` are relative, ``ruled`` draws cell borders."""

    caption: str
    rows: Sequence[Sequence[str]]
    widths: Sequence[float]
    ruled: bool = True


@dataclass(frozen=True, slots=True)
class Chart:
    """A bar chart with its caption below."""

    caption: str
    names: Sequence[str]
    values: Sequence[float]
    unit: str


@dataclass(frozen=True, slots=True)
class Columns:
    """Blocks in two balanced columns."""

    blocks: Sequence[Heading | Text]


@dataclass(frozen=True, slots=True)
class NewPage:
    """A page break."""


@dataclass(frozen=True, slots=True)
class Scan:
    """A page with an image only: no header, no footer, no text layer."""

    picture: Path


Block = Heading | Text | DataTable | Chart | Columns | NewPage | Scan


@dataclass(frozen=True, slots=True)
class Report:
    """One sample document; ``face`` is Times, Helvetica or Courier."""

    name: str
    title: str
    subtitle: str
    header: str
    footer: str
    blocks: Sequence[Block]
    face: str = "Times"


def write(report: Report, folder: Path) -> Path:
    """Write the report to ``folder/<name>.pdf`` and return the path."""
    target = folder / f"{report.name}.pdf"
    rl_config.useA85 = 0  # embed the scan as the original JPEG
    document = BaseDocTemplate(
        str(target), pagesize=B5, invariant=1, pageCompression=0, title=report.title, author=report.header,
    )  # fmt: skip
    document.addPageTemplates(_build_templates(report))
    document.build(
        [*_build_front(report), *(flowable for block in report.blocks for flowable in _to_flowables(block, report))]
    )
    return target


def _build_templates(report: Report) -> list[PageTemplate]:
    """The page template with running header and footer, and the empty one for scans."""
    plain = {"leftPadding": 0, "rightPadding": 0, "topPadding": 0, "bottomPadding": 0}
    text = Frame(MARGIN, MARGIN, WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN, id="text", **plain)
    bare = Frame(0, 0, WIDTH, HEIGHT, **plain)

    def draw_header_and_footer(canvas: Canvas, document: BaseDocTemplate) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(MARGIN, HEIGHT - 36, report.header)
        canvas.line(MARGIN, HEIGHT - 41, WIDTH - MARGIN, HEIGHT - 41)
        canvas.drawString(MARGIN, 32, report.footer)
        canvas.drawRightString(WIDTH - MARGIN, 32, f"Page {document.page}")

    return [PageTemplate("text", [text], onPage=draw_header_and_footer), PageTemplate("bare", [bare])]


def _build_front(report: Report) -> list[Flowable]:
    """Title and subtitle."""
    title = ParagraphStyle("title", fontName=_bold(report), fontSize=18, leading=22, spaceAfter=4)
    subtitle = ParagraphStyle("subtitle", fontName=_face(report), fontSize=10.5, leading=14, spaceAfter=14)
    return [Paragraph(escape(report.title), title), Paragraph(escape(report.subtitle), subtitle)]


def _to_flowables(block: Block, report: Report) -> list[Flowable]:
    flowables: list[Flowable]
    match block:
        case Heading(text):
            flowables = [Paragraph(escape(text), _heading_style(report))]
        case Text(text, small):
            flowables = [Paragraph(escape(add_soft_hyphens(text)), _text_style(report, 9.2 if small else 10.6))]
        case DataTable():
            flowables = [
                KeepTogether([_build_caption(block.caption, report), _build_grid(block, report), Spacer(1, 12)])
            ]
        case Chart(caption, names, values, unit):
            flowables = [KeepTogether([draw_bars(names, values, unit), _build_caption(caption, report), Spacer(1, 8)])]
        case Columns(blocks):
            inner = [flowable for inner_block in blocks for flowable in _to_flowables(inner_block, report)]
            flowables = [BalancedColumns(inner, nCols=2, innerPadding=GUTTER, spaceAfter=6)]
        case NewPage():
            flowables = [PageBreak()]
        case Scan(picture):
            flowables = [NextPageTemplate("bare"), PageBreak(), Image(io.BytesIO(picture.read_bytes()), WIDTH, HEIGHT)]
    return flowables


def _heading_style(report: Report) -> ParagraphStyle:
    spaces = {"spaceBefore": 8, "spaceAfter": 4, "keepWithNext": 1}
    return ParagraphStyle("heading", fontName=_bold(report), fontSize=12.5, leading=16, **spaces)


def _text_style(report: Report, size: float) -> ParagraphStyle:
    """Justified text, hyphenated at soft hyphens."""
    face = {"fontName": _face(report), "fontSize": size, "leading": size * 1.33}
    return ParagraphStyle("text", **face, spaceAfter=7, alignment=TA_JUSTIFY, embeddedHyphenation=1)


def _build_caption(text: str, report: Report) -> Paragraph:
    return Paragraph(
        escape(text),
        ParagraphStyle("caption", fontName=_bold(report), fontSize=9, leading=12, spaceBefore=6, spaceAfter=4),
    )


def _build_grid(block: DataTable, report: Report) -> Table:
    style = [
        ("FONT", (0, 0), (-1, 0), _bold(report), 8.5),
        ("FONT", (0, 1), (-1, -1), _face(report), 8.5),
        ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
        ("LINEBELOW", (0, 0), (-1, 0), 0.8, colors.black),
        ("LINEABOVE", (0, 0), (-1, 0), 0.8, colors.black),
        ("LINEBELOW", (0, -1), (-1, -1), 0.8, colors.black),
    ]
    if block.ruled:
        style.append(("GRID", (0, 0), (-1, -1), 0.4, RULE))
    unit = (WIDTH - 2 * MARGIN) / sum(block.widths)
    return Table(block.rows, colWidths=[unit * width for width in block.widths], style=TableStyle(style), hAlign="LEFT")


def _face(report: Report) -> str:
    return "Times-Roman" if report.face == "Times" else report.face


def _bold(report: Report) -> str:
    return f"{report.face}-Bold"
