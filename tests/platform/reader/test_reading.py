import numpy as np
import pytest
from table_text import make_table_evidence

from hopline.flow.requests import Infer
from hopline.questions.analysis import analyse_question
from hopline.reader.input import PASSAGE_CHARACTERS, TABLE_WINDOWS, make_readable
from hopline.reader.reading import find_unit, read_evidence
from hopline.results import Evidence
from hopline.tables.grid import find_cell_of_year
from hopline.tables.structure import count_header_rows

TEXT = "The mill stands on the Orla. Ada Quist built it in 1871."
GRID = "| Year | Visitors | Income, € |\n|---|---|---|\n| 2019 | 1,204 | 8,100 |\n| 2020 | 311 | 2,050 |\n"
PASSAGE = Evidence(
    "p", "passage", 1.0, TEXT, "mills.pdf", title="Mills", section=("2 Orla",), sentences=((0, 28), (29, len(TEXT)))
)
TABLE = make_table_evidence(GRID, document="mills.pdf", score=0.5, caption="Table 1: Visitors of the mill")


def run(flow, respond):
    try:
        request = next(flow)
        while True:
            request = flow.send(respond(request))
    except StopIteration as stopped:
        return stopped.value


def test_a_passage_is_read_with_document_title_and_section_before_it():
    [readable] = make_readable(analyse_question("Who built it?"), PASSAGE)
    assert readable.header == "mills – Mills – 2 Orla"
    assert readable.text == TEXT
    assert readable.locate(29, 38) == (29, 38)


def test_a_row_is_read_with_the_header_of_each_cell_and_a_span_is_found_in_the_cell():
    [readable] = make_readable(analyse_question("How many visitors came in 2020?"), TABLE)
    assert "Year: 2020; Visitors: 311; Income, €: 2,050." in readable.text
    start = readable.text.index("311")
    span = readable.locate(start, start + 3)
    assert span is not None
    assert TABLE.text[slice(*span)] == "311"
    header = readable.text.rindex("Visitors")
    assert readable.locate(header, header + 8) is None
    wider = readable.locate(header, start + 3)
    assert wider is not None
    assert TABLE.text[slice(*wider)] == "311"


def test_of_a_long_table_the_rows_that_share_words_with_the_question_are_read():
    rows = "".join(f"| Place number {n} | {n * 7} | {n * 11} |\n" for n in range(300))
    table = make_table_evidence(f"| Place | Visitors | Income |\n|---|---|---|\n{rows}| Quay | 17 | 4 |\n")
    first, *others = make_readable(analyse_question("How many visitors has Quay?"), table)
    assert "Place: Quay; Visitors: 17" in first.text
    assert len(others) == TABLE_WINDOWS - 1
    assert all(len(window.text) < 900 for window in (first, *others))


def test_the_label_of_a_group_is_read_with_each_of_its_rows():
    table = make_table_evidence("| Sex | 2020 |\n|---|---|\n| Men | |\n| Paid | 3 |\n| Women | |\n| Paid | 9 |\n")
    [readable] = make_readable(analyse_question("How many women were paid?"), table)
    assert "Women; Sex: Paid; 2020: 9." in readable.text
    assert readable.locate(readable.text.index("Women"), readable.text.index("Women") + 5) is None


def test_a_long_passage_is_read_in_windows_of_whole_sentences():
    sentences = [f"Sentence number {n} tells what happened on that day in the year." for n in range(60)]
    spans, start = [], 0
    for sentence in sentences:
        spans.append((start, start + len(sentence)))
        start += len(sentence) + 1
    passage = Evidence("p", "passage", 1.0, " ".join(sentences), "a.pdf", sentences=tuple(spans))
    windows = make_readable(analyse_question("What happened?"), passage)
    assert len(windows) > 3
    assert all(len(window.text) <= PASSAGE_CHARACTERS and window.text.endswith("year.") for window in windows)
    last = windows[-1]
    span = last.locate(0, 8)
    assert span is not None
    assert passage.text[slice(*span)] == "Sentence"
    assert windows[0].text.split(". ")[-1] == last.text[:0] + windows[1].text.split(". ")[0] + "."


def test_the_unit_of_a_span_is_its_sentence_or_its_row():
    assert TEXT[slice(*find_unit(PASSAGE, 29, 38))] == "Ada Quist built it in 1871."
    start = TABLE.text.index("311")
    assert TABLE.text[slice(*find_unit(TABLE, start, start + 3))] == "| 2020 | 311 | 2,050 |"


def test_readings_are_in_the_order_of_the_evidence_and_one_without_a_span_is_left_out():
    requests = []

    def respond(request: Infer):
        requests.append(request)
        start = request.inputs["passages"][2][1].index("311")
        return np.array([[29, 38, 4.0, 2.0, 0.0, 0], [0, 0, -9.0, -9.0, 0.0, 0], [start, start + 3, 1.0, 1.0, 0, 0]])

    empty = Evidence("e", "passage", 0.7, "")
    readings = run(read_evidence(analyse_question("How many visitors?"), [PASSAGE, empty, TABLE], again=False), respond)
    assert [(reading.short, reading.rank, reading.score) for reading in readings] == [
        ("Ada Quist", 0, 4.0),
        ("311", 2, 1.5),
    ]
    assert requests[0].part == "reader"
    assert run(read_evidence(analyse_question("How many?"), []), respond) == []


def test_the_sentences_of_the_best_readings_are_read_again_alone():
    requests = []

    def respond(request: Infer):
        if request.part == "verifier":
            requests.append(request.inputs["claims"])
            return np.array([[3.0, 0.0, 0.0], [0.0, 3.0, 0.0]])
        requests.append([text for _, text in request.inputs["passages"]])
        if len(requests) == 1:
            start = requests[0][1].index("311")
            return np.array([[29, 38, 4.0, 2.0, 0.0, 0], [start, start + 3, 1.0, 1.0, 0.0, 0]])
        return np.array([[0, 3, 7.0, 0.0, 0.0, 0], [0, 3, -2.0, 0.0, 0.0, 0]])

    readings = run(read_evidence(analyse_question("How many visitors?"), [PASSAGE, TABLE]), respond)
    assert [(reading.short, reading.alone.margin) for reading in readings] == [("Ada Quist", 7.0), ("311", -2.0)]
    assert requests[1] == ["Ada Quist built it in 1871.", "Year: 2020; Visitors: 311; Income, €: 2,050."]
    assert [claim[:2] for claim in requests[2]] == [["How many visitors?", "Ada Quist"], ["How many visitors?", "311"]]
    assert [claim[3] for claim in requests[2]] == requests[1]
    assert [round(reading.support.supported, 2) for reading in readings] == [0.91, 0.05]


BY_COLUMN = (
    "| | 2019 | 2020 | Change |\n|---|---|---|---|\n| Sales | 8,100 | 2,050 | 12 % |\n| Cost | 700 | 650 | 3 % |\n"
)


@pytest.mark.parametrize(
    ("grid", "question", "read", "expected"),
    [
        (BY_COLUMN, "What were the sales in 2020?", "8,100", "2,050"),
        (BY_COLUMN, "What were the sales in 2020?", "2,050", None),
        (BY_COLUMN, "What were the sales in 2018?", "8,100", None),
        (BY_COLUMN, "What were the sales in 2020?", "12 %", None),
        (BY_COLUMN, "What were the sales from 2019 to 2020?", "8,100", None),
        (GRID, "How many visitors came in 2020?", "1,204", "311"),
        (GRID, "How many visitors came?", "1,204", None),
    ],
)
def test_the_cell_of_the_year_that_the_question_names_is_found(grid, question, read, expected):
    table = make_table_evidence(grid)
    assert table.grid is not None
    cell = find_cell_of_year(table.grid, table.text.index(read), analyse_question(question).years)
    assert (cell.text if cell else None) == expected


def test_a_cell_under_another_year_is_replaced_by_that_of_the_question():
    table = make_table_evidence(BY_COLUMN, document="mills.pdf", score=0.5)

    def respond(request: Infer):
        if request.part == "verifier":
            return np.zeros((1, 3))
        [(_, text)] = request.inputs["passages"]
        start = text.index("8,100")
        return np.array([[start, start + 5, 3.0, 2.0, 0.0, 0]])

    [reading] = run(read_evidence(analyse_question("What were the sales in 2020?"), [table]), respond)
    assert (reading.short, reading.quote) == ("2,050", "| Sales | 8,100 | 2,050 | 12 % |")


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        (["Port|Ships|Staff", "Elm|12|7"], 1),
        (["|2023|2023", "Port|In|Out", "Elm|12|7"], 2),
        (["|In|Out", "|($)|(%)", "Elm|12|7"], 2),
        (["|to air|to land", "CO2|100 million|-", "CH4|100|-"], 1),
        (["Brand|Butter|Oil", "Elm|Total: 0%|Total: 3%", "Ash|4%|"], 1),
        (["||combined", "|pupils|rate", "country|in all|after", "Elm|98|7"], 3),
        (["Source|Definition", "Major|Ten tons", "Minor|Fewer"], 1),
        (["|2023|2024", "Port|In|Out", "North||", "Elm|12|7"], 2),
        (["12|7", "13|8"], 0),
    ],
)
def test_the_rows_above_the_first_figures_head_the_columns(rows, count):
    assert count_header_rows([row.split("|") for row in rows]) == count
