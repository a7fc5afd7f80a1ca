"""One invented question of each published format, and real files where they are available."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from hopline.errors import UnknownName, UsageError
from hopline.evaluation import read_questions
from hopline.evaluation.datasets import read_dataset, write_dataset

SHARED = Path(__file__).resolve().parents[4] / "shared"

HOTPOT = {
    "_id": "h1", "question": "Where was Vale taught?", "answer": "Bergen", "type": "bridge",
    "context": [["Skarv Bridge", ["Ingrid Vale drew it.", " It opened in 1931."]], ["Ingrid Vale", ["She studied in Bergen."]]],
    "supporting_facts": [["Skarv Bridge", 0], ["Ingrid Vale", 0], ["Ingrid Vale", 0]],
}  # fmt: skip
MUSIQUE = {
    "id": "2hop__1_2", "question": "Where did the drawer of Skarv Bridge study?", "answer": "Bergen", "answerable": True,
    "answer_aliases": ["Bergen, Norway"],
    "paragraphs": [
        {"idx": 0, "title": "Skarv Bridge", "paragraph_text": "Vale drew it.", "is_supporting": True},
        {"idx": 1, "title": "Slate", "paragraph_text": "A stone.", "is_supporting": False},
        {"idx": 2, "title": "Vale", "paragraph_text": "She studied in Bergen.", "is_supporting": True},
    ],
    "question_decomposition": [
        {"id": 1, "question": "Skarv Bridge >> drawn by", "answer": "Vale", "paragraph_support_idx": 0},
        {"id": 2, "question": "Where did #1 study?", "answer": "Bergen", "paragraph_support_idx": 2},
    ],
}  # fmt: skip
IIRC: dict[str, Any] = {
    "pid": "a1", "title": "Skarv Bridge", "text": "The bridge was drawn by Ingrid Vale.", "links": [{"target": "Ingrid Vale", "indices": [23, 34]}],
    "questions": [
        {"qid": "q1", "question": "Where did its drawer study?", "question_links": ["Ingrid Vale"],
         "answer": {"type": "span", "answer_spans": [{"text": "Bergen", "passage": "ingrid vale"}]},
         "context": [{"text": "drawn by Ingrid Vale", "passage": "main"}, {"text": "studied in Bergen", "passage": "ingrid vale"}]},
        {"qid": "q2", "question": "How old was she?", "answer": {"type": "value", "answer_value": "34", "answer_unit": "years"}, "context": []},
        {"qid": "q3", "question": "Whom did she wed?", "answer": {"type": "none"}, "context": []},
    ],
}  # fmt: skip
QUALITY = {
    "article_id": "20", "title": "The Long Quay", "article": "<p>The quay was long &amp; wet.</p>",
    "questions": [{"question": "How was the quay?", "options": ["Dry", "Wet"], "gold_label": 2, "question_unique_id": "20_1"}],
}  # fmt: skip
FINANCE = {
    "financebench_id": "f1", "doc_name": "ACME_2022_10K", "question": "What was the revenue?", "answer": "$4",
    "evidence": [{"doc_name": "ACME_2022_10K", "evidence_page_num": 41, "evidence_text": "Revenue 4"}],
}  # fmt: skip


def prepare(tmp_path: Path, form: str, *items: object, lines: bool = False, articles: object = None) -> tuple:
    path = tmp_path / "published.json"
    path.write_text("\n".join(json.dumps(item) for item in items) if lines else json.dumps(items))
    linked = tmp_path / "articles.json"
    linked.write_text(json.dumps(articles))
    dataset = read_dataset(path, form, articles=linked if articles else None)
    corpus, questions = write_dataset(dataset, tmp_path / "out")
    passages = [json.loads(line) for line in gzip.decompress(corpus.read_bytes()).splitlines()] if corpus else []
    return {row["id"]: row for row in passages}, read_questions(questions)


@pytest.mark.parametrize("form", ["hotpotqa", "2wiki"])
def test_paragraphs_of_hotpotqa_become_passages_and_supporting_titles_gold(tmp_path: Path, form: str) -> None:
    again = HOTPOT | {"_id": "h2", "context": json.dumps(HOTPOT["context"])}
    passages, [first, second] = prepare(tmp_path, form, HOTPOT, again)
    assert [(row["title"], row["text"]) for row in passages.values()] == [
        ("Skarv Bridge", "Ingrid Vale drew it. It opened in 1931."),
        ("Ingrid Vale", "She studied in Bergen."),
    ]
    assert [passages[id]["title"] for id in first.gold] == ["Skarv Bridge", "Ingrid Vale"]
    assert (first.id, first.text, first.answers) == ("h1", "Where was Vale taught?", ("Bergen",))
    assert second.gold == first.gold


def test_a_question_names_its_own_documents_by_the_titles_of_its_paragraphs(tmp_path: Path) -> None:
    for form, item, titles in [
        ("hotpotqa", HOTPOT, ("Skarv Bridge", "Ingrid Vale")),
        ("musique", MUSIQUE, ("Skarv Bridge", "Slate", "Vale")),
        ("iirc", IIRC, ("Skarv Bridge", "Ingrid Vale")),
        ("quality", QUALITY, ("The Long Quay",)),
    ]:
        articles = {"ingrid vale": "She studied in Bergen."} if form == "iirc" else None
        _, questions = prepare(tmp_path, form, item, articles=articles)
        assert {question.documents for question in questions} == {titles}, form


def test_passages_are_marked_to_be_split_when_they_are_added(tmp_path: Path) -> None:
    path = tmp_path / "musique.json"
    path.write_text(json.dumps(MUSIQUE))
    assert all(row["split"] is True for row in read_dataset(path, "musique", split=True).passages)
    assert not any("split" in row for row in read_dataset(path, "musique").passages)


def test_musique_has_aliases_and_sub_questions(tmp_path: Path) -> None:
    passages, [question] = prepare(tmp_path, "musique", MUSIQUE, lines=True)
    assert len(passages) == 3
    assert [passages[id]["title"] for id in question.gold] == ["Skarv Bridge", "Vale"]
    assert question.answers == ("Bergen", "Bergen, Norway")
    assert [step.text for step in question.steps] == ["What is Skarv Bridge drawn by?", "Where did Vale study?"]
    assert [[passages[id]["title"] for id in step.gold] for step in question.steps] == [["Skarv Bridge"], ["Vale"]]


def test_the_order_of_hops_is_that_of_the_steps_and_not_of_the_paragraphs(tmp_path: Path) -> None:
    paragraphs: Any = MUSIQUE["paragraphs"]
    item = MUSIQUE | {"paragraphs": paragraphs[::-1]}
    passages, [question] = prepare(tmp_path, "musique", item, lines=True)
    assert [passages[id]["title"] for id in question.gold] == ["Vale", "Skarv Bridge"]
    assert [passages[id]["title"] for id in question.hops] == ["Skarv Bridge", "Vale"]


def test_musique_without_the_paragraphs_of_its_steps_has_no_order_of_hops(tmp_path: Path) -> None:
    decomposition: Any = MUSIQUE["question_decomposition"]
    steps = [{key: step[key] for key in ("question", "answer")} for step in decomposition]
    _, [question] = prepare(tmp_path, "musique", MUSIQUE | {"question_decomposition": steps}, lines=True)
    assert question.hops == ()
    assert [step.gold for step in question.steps] == [(), ()]


def test_2wiki_has_the_order_of_hops_of_its_evidence_and_hotpotqa_none(tmp_path: Path) -> None:
    evidences = [["Skarv Bridge", "drawn by", "Ingrid Vale"], ["Ingrid Vale", "educated at", "Bergen"]]
    passages, [first, second] = prepare(tmp_path, "2wiki", HOTPOT | {"evidences": evidences}, HOTPOT)
    assert [passages[id]["title"] for id in first.hops] == ["Skarv Bridge", "Ingrid Vale"]
    assert second.hops == ()


def test_iirc_finds_its_gold_in_the_article_and_in_linked_ones(tmp_path: Path) -> None:
    articles = {"ingrid vale": "<b>Ingrid Vale</b> studied in Bergen."}
    passages, [span, value, none] = prepare(tmp_path, "iirc", IIRC, articles=articles)
    assert [passages[id]["title"] for id in span.gold] == ["Skarv Bridge", "Ingrid Vale"]
    assert (span.answers, value.answers, none.answers) == (("Bergen",), ("34 years",), ())
    assert not none.answerable
    _, [alone, *_] = prepare(tmp_path, "iirc", IIRC)
    assert len(alone.gold) == 1


def test_iirc_finds_gold_that_the_division_into_passages_separates(tmp_path: Path) -> None:
    sentences = [f"Sentence {number} of the article has a few words more." for number in range(40)]
    article = {**IIRC, "text": " ".join(sentences)}
    piece = {"passage": "main", "text": " ".join(sentences[10:25])}
    question = {**IIRC["questions"][0], "context": [piece]}
    passages, [divided] = prepare(tmp_path, "iirc", {**article, "links": [], "questions": [question]})
    texts = [passages[id]["text"] for id in divided.gold]
    assert 1 < len(texts) < len(passages)
    assert all(any(sentence in text for text in texts) for sentence in sentences[10:25])
    assert all(any(sentence in text for sentence in sentences[10:25]) for text in texts)


def test_quality_has_its_options_and_the_correct_one(tmp_path: Path) -> None:
    passages, [question] = prepare(tmp_path, "quality", QUALITY, lines=True)
    assert [row["text"] for row in passages.values()] == ["The quay was long & wet."]
    assert question.text == "How was the quay? (A) Dry; (B) Wet"
    assert (question.answers, question.options) == (("Wet",), ("Dry", "Wet"))


def test_financebench_counts_pages_from_one(tmp_path: Path) -> None:
    passages, [question] = prepare(tmp_path, "financebench", FINANCE, lines=True)
    assert passages == {}
    assert [(quote.document, quote.page) for quote in question.quotes] == [("ACME_2022_10K.pdf", 42)]


def test_unexpected_formats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="item 2 does not have the format of musique"):
        prepare(tmp_path, "musique", MUSIQUE, HOTPOT)
    with pytest.raises(UnknownName, match="hotpotqa"):
        prepare(tmp_path, "squad", HOTPOT)
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(UsageError, match="neither JSON nor JSON lines"):
        read_dataset(tmp_path / "bad.json", "iirc")
    with pytest.raises(UsageError, match="cannot be read"):
        read_dataset(tmp_path / "none.json", "iirc")


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "form", "count"),
    [
        ("train/hotpotqa_train500.json.gz", "hotpotqa", 500),
        ("train/2wiki_train500.json.gz", "2wiki", 500),
        ("train/musique_train200.jsonl.gz", "musique", 200),
        ("financebench/questions.jsonl", "financebench", 17),
    ],
)
def test_the_real_files_are_read(file: str, form: str, count: int) -> None:
    if not SHARED.is_dir():
        pytest.skip("the real data is not beside the checkout (../shared)")
    dataset = read_dataset(SHARED / "data" / file, form)
    assert len(dataset.questions) == count
    known = {row["id"] for row in dataset.passages}
    assert all(set(row.get("gold", ())) <= known for row in dataset.questions)
    assert form == "financebench" or all(row["gold"] for row in dataset.questions)


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85"])
def test_a_row_may_contain_what_separates_lines_elsewhere(tmp_path: Path, separator: str) -> None:
    question = f"Where did the drawer{separator}of Skarv Bridge study?"
    rows = [{**MUSIQUE, "question": question}, MUSIQUE]
    path = tmp_path / "musique.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    assert [row["question"] for row in read_dataset(path, "musique").questions] == [question, MUSIQUE["question"]]
