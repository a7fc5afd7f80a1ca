"""The committed samples equal the output of the script and contain the answers that the demo needs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "platform" / "hopline" / "samples"
QUESTIONS = json.loads((SAMPLES / "questions.json").read_text(encoding="utf-8"))
SCANNED = {
    ("kestrel-quay-inspection-2023.pdf", 2): ("Ines Varga", "12.5 tonnes")
}  # transcribed by hand: it has no text layer


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    subprocess.run([sys.executable, str(ROOT / "samples" / "make.py"), str(folder)], check=True, capture_output=True)
    return folder


def read_pages(name: str) -> list[str]:
    """The text layer of each page on one line, hyphenated words joined, and the transcription of scanned pages."""
    document = pypdfium2.PdfDocument(SAMPLES / name)
    pages = [page.get_textpage().get_text_range().replace("\ufffe", "") for page in document]
    document.close()
    return [" ".join([*text.split(), *SCANNED.get((name, number), ())]) for number, text in enumerate(pages, start=1)]


def read_documents() -> dict[str, str]:
    return {path.name: " ".join(read_pages(path.name)) for path in sorted(SAMPLES.glob("*.pdf"))}


def test_the_script_reproduces_the_committed_samples_byte_for_byte(output: Path) -> None:
    fresh = {path.name: path.read_bytes() for path in output.glob("*.pdf")}
    committed = {path.name: path.read_bytes() for path in SAMPLES.glob("*.pdf")}
    assert sorted(fresh) == sorted(committed)
    assert [name for name in fresh if fresh[name] != committed[name]] == []


def test_the_samples_are_six_short_documents_under_600_kilobytes() -> None:
    paths = sorted(SAMPLES.glob("*.pdf"))
    assert len(paths) == 6
    assert all(2 <= len(pypdfium2.PdfDocument(path)) <= 4 for path in paths)
    assert sum(path.stat().st_size for path in paths) < 600_000


def test_one_page_is_an_image_without_a_text_layer() -> None:
    empty = [
        (path.name, n)
        for path in SAMPLES.glob("*.pdf")
        for n, text in enumerate(read_text_layers(path), 1)
        if not text.strip()
    ]
    assert empty == list(SCANNED)


def read_text_layers(path: Path) -> list[str]:
    return [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(path)]


def test_words_are_hyphenated_at_the_ends_of_lines() -> None:
    assert sum(text.count("\ufffe") for path in SAMPLES.glob("*.pdf") for text in read_text_layers(path)) >= 10


def test_the_committed_scan_equals_the_rendered_record(tmp_path: Path) -> None:
    script = "from pathlib import Path; import sys; from scan import render_scan; render_scan().save(Path(sys.argv[1]))"
    target = tmp_path / "scan.png"
    subprocess.run([sys.executable, "-c", script, str(target)], check=True, cwd=ROOT / "samples")
    fresh, committed = Image.open(target), Image.open(ROOT / "samples" / "kestrel-quay-record.jpg")
    assert fresh.size == committed.size
    difference = np.abs(np.asarray(fresh, dtype=float) - np.asarray(committed.convert("L"), dtype=float))
    assert difference.mean() < 8  # grey levels: noise and JPEG; another text differs by more than that
    assert (difference > 100).mean() < 0.001


def test_the_first_three_questions_are_a_bridge_a_table_and_a_page() -> None:
    assert [row["kind"] for row in QUESTIONS[:3]] == ["bridge", "table", "page"]
    assert len(QUESTIONS) == 12


@pytest.mark.parametrize("row", [row for row in QUESTIONS if row["answer"]], ids=lambda row: row["question"])
def test_an_answer_occurs_in_one_of_its_documents(row: dict[str, str]) -> None:
    documents = read_documents()
    assert set(row["documents"]) <= set(documents)
    assert any(row["answer"] in documents[name] for name in row["documents"])


@pytest.mark.parametrize("row", [row for row in QUESTIONS if row["kind"] == "bridge"], ids=lambda row: row["question"])
def test_a_bridge_question_needs_both_of_its_documents(row: dict[str, str]) -> None:
    mentioned = {
        "Brackwater Desalination Plant",
        "Heron Point",
        "MV Petrel is charged",
    }  # the entities that these questions mention
    documents = read_documents()
    first, second = row["documents"]
    assert row["answer"] not in documents[first]
    assert any(name in documents[first] for name in mentioned)
    assert not any(name in documents[second] for name in mentioned)
