"""The conversion of public data into training files of the reader, on files made here."""

from __future__ import annotations

import gzip
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from hopline.training.reader_data import read_reader_file

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "prepare_reader_data.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("prepare_reader_data", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def wikitablequestions(tmp_path: Path) -> Path:
    """A snapshot with two tables, the second of them in the dev split."""
    (tmp_path / "csv").mkdir()
    (tmp_path / "data").mkdir()
    rows = "\n".join(f'"Light {n}","{n * 13}","Harbour {n}"' for n in range(1, 6))
    for name in ("1.csv", "2.csv"):
        (tmp_path / "csv" / name).write_text(f'"Light","Height","Town"\n{rows}\n')
    questions = [
        ("nt-0", "what town has light 3?", "csv/1.csv", "Harbour 3"),
        ("nt-1", "how many lights are there near light 3?", "csv/1.csv", "5"),
        ("nt-2", "what town has light 2?", "csv/2.csv", "Harbour 2"),
        ("nt-3", "where is the lamp?", "csv/1.csv", "Harbour 4"),
    ]
    head = "id\tutterance\tcontext\ttargetValue"
    (tmp_path / "data" / "training.tsv").write_text("\n".join([head, *("\t".join(row) for row in questions)]))
    (tmp_path / "data" / "random-split-1-dev.tsv").write_text("\n".join([head, "\t".join(questions[2])]))
    return tmp_path / "data" / "training.tsv"


@pytest.mark.parametrize("separator", ["\u2028", "\x85"])
def test_a_line_may_contain_what_separates_lines_elsewhere(script: ModuleType, tmp_path: Path, separator: str) -> None:
    lines = {"context": f"The tern{separator}dives .", "question": "What dives ?", "answer": "The tern"}
    for suffix, line in lines.items():
        (tmp_path / f"train.{suffix}").write_text(f"{line}\n{line}\n", encoding="utf-8")
    rows = list(script.read_parallel_lines(tmp_path / "train.context"))
    assert [row.question for row in rows] == ["What dives?"] * 2


def test_questions_for_a_cell_of_a_named_row_are_kept_and_tables_of_the_dev_split_are_left_out(
    script: ModuleType, wikitablequestions: Path
) -> None:
    rows = list(script.read_wikitablequestions(wikitablequestions))
    town_rows = [row for row in rows if row.question.startswith("what town has")]
    assert [(row.question, row.answers) for row in town_rows] == [("what town has light 3?", ("Harbour 3",))]
    [row] = town_rows
    assert row.context[row.starts[0] :].startswith("Harbour 3")
    assert "Light: Light 3; Height: 39; Town: Harbour 3." in row.context
    assert not any(row.question in ("how many lights are there near light 3?", "where is the lamp?") for row in rows)


def test_questions_made_of_a_table_have_the_cell_that_they_ask_for(script: ModuleType) -> None:
    header, rows = ("Year", "Visitors"), tuple((str(2000 + n), str(3000 + 13 * n)) for n in range(1, 9))
    table = script.SourceTable("Mills", header, rows)
    generated = [row for seed in range(40) for row in script._ask_cells(table, str(seed))]
    answered = [row for row in generated if row.answers]
    assert answered
    assert len(answered) < len(generated)
    for row in answered:
        [answer], [start] = row.answers, row.starts
        assert row.context[start : start + len(answer)] == answer
        line = row.context[: row.context.index("\n", start)].rpartition("\n")[2]
        named = next(cells for cells in rows if any(cell in row.question for cell in cells))
        assert all(cell in line for cell in named)
    for row in generated:
        if not row.answers:
            year = next(cells[0] for cells in rows if cells[0] in row.question)
            assert year not in row.context


def test_a_source_is_written_as_a_training_file_without_protected_paragraphs(
    script: ModuleType, wikitablequestions: Path, tmp_path: Path
) -> None:
    source = script.Source("wtq", "owner/name", "data/training.tsv", "CC BY-SA 4.0", script.read_wikitablequestions)
    report = script.Report()
    script.write_source(source, [wikitablequestions], tmp_path, set(), report)
    written = read_reader_file(tmp_path / "wtq.jsonl.gz")
    assert written.description["licence"] == "CC BY-SA 4.0"
    assert report.rows == sum(len(paragraph.questions) for paragraph in written.paragraphs) > 0
    with gzip.open(tmp_path / "wtq.jsonl.gz", "rt") as lines:
        assert json.loads(next(lines))["header"]["rows"] == report.rows
    protected = script.split_into_keys("The mill on the Orla was built by Ada Quist in the year 1871.")
    squad = tmp_path / "squad.json"
    context = "It is old. The mill on the Orla was built by Ada Quist in the year 1871."
    qas = [{"question": "Who built it?", "answers": [{"text": "Ada Quist", "answer_start": context.index("Ada")}]}]
    squad.write_text(json.dumps({"data": [{"title": "Orla", "paragraphs": [{"context": context, "qas": qas}]}]}))
    source = script.Source("squad", "owner/name", "squad.json", "CC BY-SA 4.0", script.read_squad)
    dropped = script.Report()
    script.write_source(source, [squad], tmp_path, protected, dropped)
    assert (dropped.rows, dropped.protected) == (0, 1)
