"""Figures with their captions: on a page, in a document, and in a real PDF."""

from importlib.resources import files

import docx
import pypdfium2
import pytest
from PIL import Image

from hopline_ingest.formats.coverage import measure_loss
from hopline_ingest.formats.office import parse_office_file
from hopline_ingest.formats.pdf.assembly.document import assemble_document
from hopline_ingest.formats.pdf.layout.captions import is_figure_caption, read_figure_number
from hopline_ingest.formats.pdf.layout.figures import find_figures
from hopline_ingest.formats.pdf.layout.layout_model import Region
from hopline_ingest.formats.pdf.page import PdfPageParser
from hopline_ingest.formats.pdf.page_content import FigureContent, PageContent, TableContent

REGION = (50.0, 100.0, 350.0, 300.0)
BODY = "This is running text that fills its line to the end of it."


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Figure 3: Output of the ports", "3"),
        ("Fig. B-2. Depths", "B-2"),
        ("FIGURE 6.10 Depths", "6.10"),
        ("Chart 2 – Fares", "2"),
        ("Map 1", "1"),
        ("Fig. 7 a Depths and b heights", "7"),
    ],
)
def test_captions_of_figures_have_their_number(text, number):
    assert is_figure_caption(text)
    assert read_figure_number(text) == number


@pytest.mark.parametrize(
    "text", ["Figure 3 shows the output", "Table 2. Fares", "Box 4: Terms", "Figures are in euros"]
)
def test_other_texts_are_no_captions_of_figures(text):
    assert not is_figure_caption(text)


def test_an_exhibit_may_be_a_figure_or_a_table():
    assert not is_figure_caption("Exhibit 4: Fares")
    assert is_figure_caption("Exhibit 4: Fares", with_exhibits=True)
    assert read_figure_number("Exhibit 4: Fares") == "4"


def find(lines, *regions, tables=(), pictures=()):
    return find_figures(lines, tables, [Region("figure", rect, 0.9) for rect in regions], pictures)


@pytest.mark.parametrize(
    ("x", "y"), [(50, 310), (50, 80), (360, 100)], ids=["below the figure", "above the figure", "in the margin"]
)
def test_a_figure_is_the_region_beside_a_caption(line, x, y):
    caption = line("Figure 1: Output", x=x, y=y, width=100, role="caption", block=2)
    label = line("North South", x=100, y=200, role="figure", block=1)
    prose = line(BODY, y=500, block=0)
    [figure] = find([prose, label, caption], REGION)
    assert figure == FigureContent(
        (50.0, min(100.0, y), max(350.0, x + 100), max(300.0, y + 10)), caption=2, labels=(1,), has_region=True
    )


def test_a_caption_far_from_a_region_has_none(line):
    caption = line("Figure 1: Output", y=450, width=100, role="caption")
    [figure] = find([caption], REGION)
    assert not figure.has_region
    assert figure.rect == caption.rect


def test_a_region_belongs_to_the_nearest_caption_and_parts_to_their_figure(line):
    first = line("Figure 1: Output", y=310, width=300, role="caption", block=0)
    second = line("Figure 2: Depths", y=520, width=300, role="caption", block=1)
    below = (50.0, 330.0, 350.0, 500.0)
    beside = (360.0, 100.0, 500.0, 300.0)
    figures = find([first, second], REGION, below, beside)
    assert [figure.rect for figure in figures] == [(50.0, 100.0, 500.0, 320.0), (50.0, 330.0, 350.0, 530.0)]


def test_a_region_with_running_text_or_a_table_is_no_figure(line):
    caption = line("Figure 1: Output", y=310, width=300, role="caption", block=1)
    prose = [line(BODY, y=100 + 20 * n, width=290) for n in range(8)]
    assert [figure.has_region for figure in find([*prose, caption], REGION)] == [False]
    table = TableContent((60.0, 110.0, 340.0, 290.0), ())
    assert [figure.has_region for figure in find([caption], REGION, tables=[table])] == [False]


def test_an_image_is_the_figure_where_the_model_finds_none(line):
    caption = line("Figure 1: Output", y=310, width=300, role="caption")
    assert find([caption], pictures=[REGION])[0].has_region
    mark = (50.0, 290.0, 60.0, 300.0)
    assert not find([caption], pictures=[mark])[0].has_region


def test_an_exhibit_without_a_region_is_no_figure(line):
    caption = line("Exhibit 1: Output", y=310, width=300, role="caption")
    assert find([caption]) == ()
    assert len(find([caption], REGION)) == 1


def page(number, *lines, figures=()):
    texts = tuple(item.text for item in lines)
    return PageContent(number, 600.0, 800.0, tuple(lines), figures=tuple(figures), source=texts)


def test_a_figure_has_caption_labels_and_section_and_no_passage_repeats_them(line):
    lines = [
        line("2 Output", y=40, size=14, bold=True),
        *[line(f"{BODY} {n}", y=60 + 12 * n, width=300, block=1) for n in range(3)],
        line("9.8 3.3", y=150, role="figure", block=2),
        line("2023 2024", y=200, role="figure", block=2),
        line("Figure 1: Output of the ports.", y=310, role="caption", block=3),
        line("The output was in tonnes.", y=322, role="caption", block=3),
    ]
    parsed = assemble_document([page(1, *lines, figures=[FigureContent(REGION, 3, (2,))])], name="a.pdf")
    [figure] = parsed.figures
    assert figure.caption == "Figure 1: Output of the ports. The output was in tonnes."
    assert figure.text == f"{figure.caption}\n9.8 3.3\n2023 2024"
    assert (figure.number, figure.page, figure.section) == ("1", 1, ("2 Output",))
    [box] = figure.boxes
    assert (box.page, box.x0, box.y0, box.x1, box.y1) == (1, *REGION)
    assert [figure.text[a:b] for a, b in figure.sentences] == [
        "Figure 1: Output of the ports.",
        "The output was in tonnes.",
    ]
    assert not any("ports" in passage.text or "9.8" in passage.text for passage in parsed.passages)
    assert parsed.left_out == ()
    assert measure_loss(parsed, [item.text for item in lines])[0] == 0


def test_labels_with_words_are_read_as_sentences(line):
    lines = [
        line("Harbour office", y=150, role="figure", block=0),
        line("Pilot station", y=200, role="figure", block=0),
        line("Figure 1: Map", y=310, role="caption", block=1),
    ]
    [figure] = assemble_document([page(1, *lines, figures=[FigureContent(REGION, 1, (0,))])], name="a.pdf").figures
    assert [figure.text[a:b] for a, b in figure.sentences] == ["Figure 1: Map", "Harbour office", "Pilot station"]


def test_labels_that_are_too_long_for_one_evidence_stay_passages(line):
    labels = [line(f"The station number {n} of the line", y=100 + n, role="figure", block=0) for n in range(60)]
    caption = line("Figure 1: Stations", y=310, role="caption", block=1)
    pages = [page(1, *labels, caption, figures=[FigureContent(REGION, 1, (0,))])]
    parsed = assemble_document(pages, name="a.pdf")
    assert [figure.text for figure in parsed.figures] == ["Figure 1: Stations"]
    assert any("station number 59" in passage.text for passage in parsed.passages)


def test_entries_of_a_list_of_figures_are_no_figures(line):
    entries = [
        line(f"Figure {n}: Output of port {n} ..... 1{n}", y=100 + 20 * n, role="caption", block=n) for n in (1, 2)
    ]
    listed = [FigureContent(entry.rect, entry.block, has_region=False) for entry in entries]
    caption = line("Figure 1: Output of port 1", y=310, role="caption")
    pages = [page(1, *entries, figures=listed), page(2, caption, figures=[FigureContent(REGION, 0)])]
    parsed = assemble_document(pages, name="a.pdf")
    assert [(figure.page, figure.caption) for figure in parsed.figures] == [(2, "Figure 1: Output of port 1")]
    assert sum("....." in passage.text for passage in parsed.passages) == 2


def test_a_caption_alone_is_a_figure_unless_another_one_has_its_number(line):
    alone = line("Figure 2: Depths", y=310, role="caption")
    figures = [FigureContent(alone.rect, 0, has_region=False)]
    assert len(assemble_document([page(1, alone, figures=figures)], name="a.pdf").figures) == 1
    again = [page(1, alone, figures=figures), page(2, alone, figures=[FigureContent(REGION, 0)])]
    assert [figure.page for figure in assemble_document(again, name="a.pdf").figures] == [2]


def test_the_figure_of_a_pdf_has_its_drawing_caption_and_labels():
    sample = files("hopline") / "samples" / "varrow-energy-plan-2030.pdf"
    document = pypdfium2.PdfDocument(sample.read_bytes())
    parser = PdfPageParser()
    pages = [parser.parse_page(document, number + 1) for number in range(len(document))]
    [figure] = assemble_document(pages, name="plan.pdf").figures
    assert (figure.number, figure.page) == ("1", 1)
    assert figure.caption == "Figure 1: Electricity used in 2024, by user"
    assert "9.8" in figure.text
    assert "Desalination" in figure.text
    [box] = figure.boxes
    assert box.y1 - box.y0 > 100


@pytest.fixture
def picture(tmp_path):
    path = tmp_path / "bars.png"
    Image.new("RGB", (40, 20), "red").save(path)
    return path


def test_the_figures_of_a_web_page_are_its_pictures_with_captions(tmp_path):
    path = tmp_path / "harbour.html"
    path.write_text(
        """<html><body><h1>Harbour</h1><h2>Output</h2><p>The output of the ports rose again.</p>
        <figure><img src="x.png"><figcaption>Figure 3: Output of the ports</figcaption></figure>
        <figure><pre>code</pre><figcaption>Listing 1: A program</figcaption></figure>
        <figure><img src="y.png"><figcaption>The quay in winter</figcaption></figure>
        <p><img src="z.png"></p><p>Fig. 4. Depths of the basins</p><p>It is deep there.</p>
        <p>Figure 5: A caption without a picture</p></body></html>""",
        encoding="utf-8",
    )
    parsed = parse_office_file(str(path), "harbour.html")
    assert [(figure.number, figure.caption, figure.section[-1], figure.boxes) for figure in parsed.figures] == [
        ("3", "Figure 3: Output of the ports", "Output", ()),
        ("", "The quay in winter", "Output", ()),
        ("4", "Fig. 4. Depths of the basins", "Output", ()),
    ]
    text = "\n".join(passage.text for passage in parsed.passages)
    assert not any(figure.caption in text for figure in parsed.figures)
    assert "Listing 1" in text
    assert "without a picture" in text
    assert parsed.warnings == ()


def test_the_figures_of_a_docx_are_pictures_beside_a_text_that_begins_like_a_caption(tmp_path, picture):
    document = docx.Document()
    document.add_heading("2 Output", 1)
    document.add_paragraph("The output rose.")
    document.add_picture(str(picture))
    document.add_paragraph("Figure 3: Output of the ports", style="Caption")
    document.add_paragraph("It fell later.")
    document.add_paragraph("Figure 4: Depths of the basins")
    document.add_picture(str(picture))
    document.add_paragraph("Figure 5 shows nothing here.")
    document.save(tmp_path / "a.docx")
    parsed = parse_office_file(str(tmp_path / "a.docx"), "a.docx")
    assert [(figure.number, figure.caption, figure.section) for figure in parsed.figures] == [
        ("3", "Figure 3: Output of the ports", ("2 Output",)),
        ("4", "Figure 4: Depths of the basins", ("2 Output",)),
    ]
    text = "\n".join(passage.text for passage in parsed.passages)
    assert "Depths" not in text
    assert "Figure 5 shows nothing" in text
