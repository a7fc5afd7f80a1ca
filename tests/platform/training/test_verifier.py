import json
from collections import Counter
from pathlib import Path

import pytest

from hopline.learned.registry import BUNDLED
from hopline.learned.verifier import load_verifier
from hopline.training.reader_data import Paragraph, ReaderFile, ReaderQuestion
from hopline.training.training_loop import Recipe
from hopline.training.verifier import is_held_out, train_verifier
from hopline.training.verifier_data import (
    ClaimSample,
    ask_for_verdict,
    make_claim_samples,
    make_flag_samples,
    make_table_samples,
    read_claims,
)

TEXT = "The mill on the Orla was built in 1871 by Ada Quist. Rune Salk bought it in 1902 and closed it."


def make_file(count: int) -> ReaderFile:
    start = TEXT.index("Ada Quist")
    question = ReaderQuestion("Who built the mill on the Orla?", ((start, start + len("Ada Quist")),))
    verdict = ReaderQuestion("Was the mill closed?", ((TEXT.index("Rune"), len(TEXT)),), "yes")
    unanswered = ReaderQuestion("Who painted the mill?")
    other = Paragraph("Lock", "The lock at Ystad was opened in 1890 by Maud Kerrigan.", ())
    paragraphs = [Paragraph(f"Mill {n}", TEXT, (question, verdict, unanswered)) for n in range(count)]
    return ReaderFile("mills", {"name": "mills"}, (*paragraphs, other))


def test_a_question_gives_supported_contradicted_and_not_stated_answers() -> None:
    samples = make_claim_samples(make_file(40), seed=1)
    labels = {(sample.answer, sample.label) for sample in samples if sample.question.startswith("Who built")}
    assert ("Ada Quist", "supported") in labels
    assert {answer for answer, label in labels if label == "supported"} == {"Ada Quist"}
    assert {"Rune Salk", "1871", "1902"} & {answer for answer, label in labels if label == "contradicted"}
    verdicts = {(sample.answer, sample.label) for sample in samples if sample.question == "Was the mill closed?"}
    assert {("yes", "supported"), ("no", "contradicted")} <= verdicts
    assert {label for answer, label in verdicts if answer == "no"} <= {"contradicted", "not_stated"}
    unanswered = [sample.label for sample in samples if sample.question == "Who painted the mill?"]
    assert set(unanswered) == {"not_stated"}
    assert samples == make_claim_samples(make_file(40), seed=1)


@pytest.mark.parametrize(
    ("question", "answer", "verdict_question"),
    [
        ("Who built the mill?", "Ada Quist", "Did Ada Quist build the mill?"),
        ("When was the mill built?", "1871", "Was the mill built in 1871?"),
        ("Who is the treasurer?", "Rune Salk", "Is Rune Salk the treasurer?"),
        ("Where was she born?", "Ystad", "Was she born in Ystad?"),
        ("Why was it closed?", "floods", ""),
    ],
)
def test_a_question_with_its_answer_becomes_a_yes_or_no_question(
    question: str, answer: str, verdict_question: str
) -> None:
    assert ask_for_verdict(question, answer) == verdict_question


def test_cells_of_other_columns_and_rows_are_wrong_answers() -> None:
    table = [["Mill", "Built", "Height"], ["Orla", "1871", "12 m"], ["Brack", "1902", "9 m"]]
    row = {"question": "When was the Orla mill built?", "title": "Mills", "table": table, "header_rows": 1}
    samples = make_table_samples(
        [{**row, "header_columns": 1, "operation": "none", "cells": [[1, 1]]}], "tables", seed=1
    )
    assert {(sample.answer, sample.label) for sample in samples} == {
        ("1871", "supported"),
        ("12 m", "contradicted"),
        ("1902", "not_stated"),
    }
    assert samples[0].text == "Mill: Orla; Built: 1871; Height: 12 m."


def test_flags_have_both_verdicts() -> None:
    samples = make_flag_samples(make_file(3), 60, seed=1)
    counts = Counter((sample.answer, sample.label) for sample in samples)
    assert min(counts["yes", "supported"], counts["no", "supported"], counts["yes", "contradicted"]) > 5


def test_claims_are_read_from_lines(tmp_path: Path) -> None:
    path = tmp_path / "claims.jsonl"
    row = {"claim": "It burned down.", "title": "Mill", "evidence": TEXT, "label": "not_stated"}
    path.write_text(json.dumps(row) + "\n", "utf-8")
    assert read_claims(path) == [ClaimSample("", "It burned down.", "Mill", TEXT, "not_stated", "claims")]


def test_a_training_starts_from_the_reader_writes_a_card_and_is_loaded(tmp_path: Path) -> None:
    samples = make_claim_samples(make_file(30), seed=1)[:96]
    progress = []
    card = train_verifier(
        samples,
        tmp_path / "verifier",
        base=BUNDLED / "reader",
        recipe=Recipe(epochs=1, batch=8, rate=5e-4, slow=0.2),
        data={"mills": len(samples)},
        on_progress=progress.append,
    )
    assert card.data["samples"] == sum(not is_held_out(sample) for sample in samples)
    assert progress[-1].done == progress[-1].total == -(-card.data["samples"] // 8)
    assert not (tmp_path / "verifier" / "verifier.checkpoint").exists()
    rows = load_verifier(tmp_path / "verifier")(claims=[("Who built it?", "Ada Quist", "", TEXT)])
    assert rows.shape == (1, 3)
