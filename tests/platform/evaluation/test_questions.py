import gzip
import json
from pathlib import Path

import pytest

from hopline.errors import UsageError
from hopline.evaluation import Question, Quote, read_questions


def write(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_a_multi_hop_row_has_its_gold_and_all_correct_answers(tmp_path: Path) -> None:
    row = {"id": "q1", "question": "Who?", "answer": "Ada", "answer_aliases": ["A. L."], "gold": ["p2", "p1", "p2"]}
    assert read_questions(write(tmp_path / "q.jsonl", row)) == [Question("q1", "Who?", ("Ada", "A. L."), ("p2", "p1"))]


def test_a_document_row_has_its_quotes_and_whether_it_is_answerable(tmp_path: Path) -> None:
    rows = [
        {"id": 7, "question": "How deep?", "answer": 12, "answerable": True,
         "evidence": [{"document": "lake.pdf", "page": 3, "quote": "12 m deep"}]},
        {"question": "How warm?", "answer": None, "answerable": False, "evidence": []},
    ]  # fmt: skip
    first, second = read_questions(write(tmp_path / "q.jsonl", *rows))
    assert first == Question("7", "How deep?", ("12",), (), (Quote("lake.pdf", 3, "12 m deep"),))
    assert (second.id, second.answers, second.answerable) == ("2", (), False)


def test_a_gzipped_set_is_read_up_to_its_limit_and_empty_lines_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write('{"question": "one"}\n\n{"question": "two"}\nnot read')
    assert [question.text for question in read_questions(path, limit=2)] == ["one", "two"]


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ("{", r"q\.jsonl:2 is not JSON"),
        ({"query": "x"}, r'q\.jsonl:2 has no "question"'),
        ({"question": "x", "gold": [{"id": 1}]}, r'q\.jsonl:2: "gold" must be text or a list of texts'),
        ({"question": "x", "structures": [{"table": "3"}]}, r"\"document\", \"page\", \"table\""),
        ({"question": "x", "evidence": "p. 3"}, r'q\.jsonl:2: "evidence" must be a list'),
        ({"question": "x", "evidence": [{"page": 3}]}, r"\"document\", \"page\", \"quote\""),
        ({"question": "x", "evidence": [{"document": "a", "page": "iv"}]}, r"\"page\" must be a number \(got 'iv'\)"),
    ],
)
def test_an_invalid_row_is_named_by_file_and_line_with_the_expected_format(
    tmp_path: Path, row: object, complaint: str
) -> None:
    path = write(tmp_path / "q.jsonl", {"question": "fine"}, row)
    with pytest.raises(UsageError, match=complaint):
        read_questions(path)


def test_missing_empty_and_unreadable_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl.gz").write_bytes(b"no gzip")
    for path, complaint in [
        (tmp_path / "none.jsonl", "no file"),
        (write(tmp_path / "empty.jsonl", ""), "has no question"),
        (tmp_path / "bad.jsonl.gz", "cannot be read"),
    ]:
        with pytest.raises(UsageError, match=complaint):
            read_questions(path)
