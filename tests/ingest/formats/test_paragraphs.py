from hopline_ingest.formats.pdf.layout.paragraphs import continues_paragraph, split_paragraphs


def texts(lines):
    return [[line.text for line in paragraph] for paragraph in split_paragraphs(lines)]


def column(line, rows, x=50):
    return [line(text, x=x + indent, y=100 + 12 * n, width=width) for n, (text, indent, width) in enumerate(rows)]


def test_an_indented_line_begins_a_paragraph(line):
    lines = column(line, [("one", 0, 200), ("two", 0, 200), ("three", 12, 188), ("four", 0, 200)])
    assert texts(lines) == [["one", "two"], ["three", "four"]]


def test_a_line_that_hangs_out_begins_a_paragraph(line):
    lines = column(line, [("Abe", 0, 200), ("1990", 15, 185), ("x", 15, 185), ("Bell", 0, 200), ("1991", 15, 185)])
    assert texts(lines) == [["Abe", "1990", "x"], ["Bell", "1991"]]


def test_a_wider_gap_begins_a_paragraph(line):
    lines = [line("one", y=100), line("two", y=112), line("three", y=140)]
    assert texts(lines) == [["one", "two"], ["three"]]


def test_a_short_line_that_ends_a_sentence_ends_a_paragraph(line):
    lines = column(line, [("one", 0, 200), ("the end.", 0, 60), ("Next", 0, 200)])
    assert texts(lines) == [["one", "the end."], ["Next"]]


def test_a_short_line_within_a_sentence_does_not(line):
    lines = column(line, [("one", 0, 200), ("and so", 0, 60), ("on.", 0, 200)])
    assert len(texts(lines)) == 1


def test_every_bullet_begins_a_paragraph(line):
    lines = column(line, [("• one", 0, 200), ("goes on", 0, 200), ("• two", 0, 200), ("(a) three", 0, 200)])
    assert texts(lines) == [["• one", "goes on"], ["• two"], ["(a) three"]]


def test_a_bold_short_line_stands_alone(line):
    lines = [line("Heading", y=100, bold=True), line("x" * 60, y=112), line("y" * 60, y=124)]
    assert texts(lines)[0] == ["Heading"]


def test_another_size_begins_a_paragraph(line):
    assert len(texts([line("Large", y=100, size=14), line("small", y=116, size=10)])) == 2


def test_a_broken_sentence_goes_on():
    assert continues_paragraph("the prepared", "composite was washed")
    assert continues_paragraph("an exam-", "ple")
    assert not continues_paragraph("It ended.", "the next")
    assert not continues_paragraph("the prepared", "Another Sentence")
    assert not continues_paragraph("", "x")
