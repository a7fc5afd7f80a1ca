import io

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from hopline_ingest.formats.docx_source import prepare_docx
from hopline_ingest.formats.office_source import prepare_source
from hopline_ingest.formats.xml_parts import parse_xml as parse_part
from hopline_ingest.formats.xml_parts import read_parts, write_parts

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


@pytest.fixture
def document():
    return docx.Document()


def prepare(document, **parts):
    buffer = io.BytesIO()
    document.save(buffer)
    content = (read_parts(buffer.getvalue()) or {}) | {
        f"word/{name}.xml": text.encode() for name, text in parts.items()
    }
    return prepare_docx(content)


def paragraphs(prepared):
    root = parse_part(prepared.parts["word/document.xml"])
    return ["".join(text.text or "" for text in paragraph.iter(W + "t")) for paragraph in root.iter(W + "p")]


def wrap(tag, content):
    return f"<w:{tag} {nsdecls('w')}>{content}</w:{tag}>"


def test_formatting_within_a_word_does_not_split_it(document):
    paragraph = document.add_paragraph()
    for text, bold in (("H", False), ("2", True), ("O and ", False), ("W", True), ("ater", False)):
        paragraph.add_run(text).bold = bold
    prepared = prepare(document)
    assert paragraphs(prepared) == ["H2O and Water"]
    assert b"rPr" not in prepared.parts["word/document.xml"]


def test_notes_follow_the_paragraph_that_refers_to_them_in_the_order_of_the_references(document):
    for text, references in (("First.", ("footnote", "endnote")), ("Second.", ())):
        paragraph = document.add_paragraph(text)
        for kind in references:
            paragraph._p.append(parse_xml(f'<w:r {nsdecls("w")}><w:{kind}Reference w:id="2"/></w:r>'))
    note = '<w:{0} w:id="2"><w:p><w:pPr><w:pStyle w:val="Note"/></w:pPr><w:r><w:t>The {0}.</w:t></w:r></w:p></w:{0}>'
    parts = {f"{kind}s": wrap(f"{kind}s", note.format(kind)) for kind in ("footnote", "endnote")}
    prepared = prepare(document, **parts)
    assert paragraphs(prepared) == ["First.", "The footnote.", "The endnote.", "Second."]
    assert b"The footnote" not in prepared.parts["word/footnotes.xml"], "docling would read it a second time"


def test_numbers_of_lists_continue_after_a_paragraph_and_levels_have_their_own(document):
    levels = "".join(
        f'<w:lvl w:ilvl="{level}"><w:start w:val="{start}"/><w:numFmt w:val="{kind}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for level, start, kind, text in (
            (0, 1, "decimal", "%1."),
            (1, 2, "lowerLetter", "%1 (%2)"),
            (2, 1, "bullet", "o"),
        )
    )
    numbering = wrap(
        "numbering",
        f'<w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum><w:num w:numId="5"><w:abstractNumId w:val="0"/></w:num>'
        '<w:num w:numId="6"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="9"/></w:lvlOverride></w:num>',
    )
    items = [
        ("Open", 5, 0),
        ("Inlet", 5, 1),
        ("Outlet", 5, 1),
        ("Bullet", 5, 2),
        ("Wait", None, 0),
        ("Close", 5, 0),
        ("Other", 6, 0),
    ]
    for text, list_id, level in items:
        paragraph = document.add_paragraph(text)
        if list_id:
            reference = f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>'
            paragraph._p.get_or_add_pPr().append(parse_xml(reference))
    assert paragraphs(prepare(document, numbering=numbering)) == [
        "1. Open", "1 (b) Inlet", "1 (c) Outlet", "Bullet", "Wait", "2. Close", "9. Other",
    ]  # fmt: skip


def test_numbers_that_a_style_gives_are_written(document):
    document.add_paragraph("Prime the pump.", style="List Number")
    document.add_paragraph("Start it.", style="List Number")
    document.add_paragraph("Not numbered.")
    assert paragraphs(prepare(document)) == ["1. Prime the pump.", "2. Start it.", "Not numbered."]


def test_check_boxes_and_symbols_are_text(document):
    box = (
        '<w:r {0}><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox>{1}</w:checkBox></w:ffData></w:fldChar></w:r>'
    )
    for state in ('<w:default w:val="0"/><w:checked/>', '<w:default w:val="1"/><w:checked w:val="0"/>', ""):
        document.add_paragraph("")._p.append(parse_xml(box.format(nsdecls("w"), state)))
    document.add_paragraph("")._p.append(
        parse_xml(f'<w:r {nsdecls("w")}><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>')
    )
    assert paragraphs(prepare(document)) == ["☒ ", "☐ ", "☐ ", "☒"]


def test_headers_comments_and_hidden_text_are_left_out_with_the_reason_and_deleted_text_is_not_listed(document):
    document.sections[0].header.paragraphs[0].text = "Oxby report"
    document.add_paragraph("Shown")._p.append(
        parse_xml(f"<w:r {nsdecls('w')}><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>")
    )
    document.add_paragraph("")._p.append(parse_xml(f"<w:ins {nsdecls('w')}><w:r><w:t>added</w:t></w:r></w:ins>"))
    document.add_paragraph("")._p.append(
        parse_xml(f"<w:del {nsdecls('w')}><w:r><w:delText>deleted</w:delText></w:r></w:del>")
    )
    comment = '<w:comment w:id="0"><w:p><w:r><w:t>Check this.</w:t></w:r></w:p></w:comment>'
    prepared = prepare(document, comments=wrap("comments", comment))
    assert paragraphs(prepared) == ["Shown", "added", ""]
    assert prepared.left_out == ("header or footer: Oxby report", "comment: Check this.", "hidden text: secret")


def test_a_file_without_a_readable_main_part_is_unchanged():
    parts = {"word/document.xml": b"<not closed", "word/styles.xml": b"x"}
    assert prepare_docx(parts).parts == parts


def test_parts_survive_being_written_and_damaged_archives_have_none():
    assert read_parts(write_parts({"a.xml": b"<a/>", "b.bin": b"\0"})) == {"a.xml": b"<a/>", "b.bin": b"\0"}
    assert read_parts(b"PK\x03\x04 and then nothing") is None


def test_the_position_of_a_drawing_is_no_text(document):
    anchor = "<wp:anchor><wp:positionH><wp:posOffset>4577861</wp:posOffset></wp:positionH></wp:anchor>"
    drawing = f"<w:r {nsdecls('w', 'wp')}><w:drawing>{anchor}</w:drawing></w:r>"
    document.add_paragraph("Plan of the harbour")._p.append(parse_xml(drawing))
    saved = io.BytesIO()
    document.save(saved)
    assert prepare_source(saved.getvalue(), ".docx").texts == ("Plan of the harbour",)
