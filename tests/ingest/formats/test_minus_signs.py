"""Minus signs whose font maps them to no character, in PDFs that are written by hand and parsed as the worker does."""

from itertools import count

import pytest

from hopline.config import load_settings
from hopline_ingest.sandbox.document_parser import DocumentParser

HELVETICA = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>"
CODES = (0x00, 0x01, 0x02, 0x0F, 0x1F, 0xAD, 0xF02D, 0xFFFD)


def build_stream(data):
    return b"<</Length %d>>stream\n%s\nendstream" % (len(data), data)


def build_pdf(lines, mapping):
    """Build a PDF of one page with these lines; ``mapping`` gives the Unicode code of some codes of its font."""
    content = b"BT /F1 12 Tf 14 TL 40 300 Td " + b" ".join(b"(%s) Tj T*" % line for line in lines) + b" ET"
    pairs = b" ".join(b"<%02X><%04X>" % pair for pair in mapping.items())
    characters = b"begincmap 1 begincodespacerange <00><FF> endcodespacerange %d beginbfchar %s endbfchar endcmap"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        build_stream(content),
        HELVETICA,
        build_stream(characters % (len(mapping), pairs)),
    ]
    file, offsets = b"%PDF-1.4\n", []
    for number, data in enumerate(objects, 1):
        offsets.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, data)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    start = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\n" % (size, table, size)
    return file + b"startxref\n%d\n%%%%EOF" % start


@pytest.fixture(scope="module")
def parse(tmp_path_factory):
    """Parses a page with these lines; returns its text."""
    folder = tmp_path_factory.mktemp("minus")
    numbers = count()
    with DocumentParser(load_settings(home=folder / "home"), processes=1) as parser:

        def parse_lines(*lines, mapping):
            path = folder / f"{next(numbers)}.pdf"
            path.write_bytes(build_pdf(lines, mapping))
            return "\n".join(passage.text for passage in parser.parse(path, path.name).passages)

        yield parse_lines


@pytest.mark.parametrize("code", CODES)
def test_a_bar_before_a_digit_is_a_minus_sign_whatever_its_font_says(parse, code):
    text = parse(b"Growth was -5.2 percent in the year, after", b"(3.1) percent and -4 percent.", mapping={0x2D: code})
    assert text == "Growth was -5.2 percent in the year, after (3.1) percent and -4 percent."


@pytest.mark.parametrize("code", [0x01, 0xF02D, 0xFFFD])
def test_a_bar_before_a_word_is_a_dash(parse, code):
    assert parse(b"The pier - it is new - is open.", mapping={0x2D: code}) == "The pier – it is new – is open."


def test_other_glyphs_without_a_character_stay_unknown(parse):
    text = parse(b"Growth was +5.2 percent, _7 and .8 in the year.", mapping={0x2B: 0x01, 0x5F: 0x02, 0x2E: 0xF02E})
    assert "-" not in text
    assert "–" not in text


def test_a_soft_hyphen_at_the_end_of_a_line_joins_the_word(parse):
    text = parse(b"The pier was re-", b"built in 1931 by a firm that is called Vale.", mapping={0x2D: 0xAD})
    assert text == "The pier was rebuilt in 1931 by a firm that is called Vale."
