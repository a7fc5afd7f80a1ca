"""Question sets as their authors publish them, turned into passages to add and questions to put.

    hotpotqa     HotpotQA (distractor setting) and 2WikiMultihopQA: a list of questions, each with its paragraphs
    musique      MuSiQue: a question a line, with paragraphs and its decomposition
    iirc         IIRC: a list of articles with their questions; linked articles come in a file of their own
    quality      QuALITY: an article with its multiple-choice questions a line
    financebench FinanceBench: a question a line, with pages of filings; the filings themselves are PDFs

What they hold, not how: each reader yields rows that `hopline add` and `hopline evaluate` take.
"""

from __future__ import annotations

import gzip
import html
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hopline.atomic_files import text_lines
from hopline.errors import UnknownName, UsageError

LONGEST: Final = 150  # words of a passage that is cut from an article
_TAG: Final = re.compile(r"<[^>]+>")

Row = dict[str, Any]


@dataclass(slots=True)
class Corpus:
    """Passages by title and text, each once, with the ids that questions name them by."""

    rows: dict[tuple[str, str], Row] = field(default_factory=dict)

    def add(self, title: str, text: str) -> str:
        """The id of a passage, the same for the same title and text."""
        text = " ".join(text.split())
        known = self.rows.get((title, text))
        if known is None:
            known = self.rows[title, text] = {"id": f"p{len(self.rows) + 1:06}", "title": title, "text": text}
        return str(known["id"])

    def add_article(self, title: str, text: str) -> list[tuple[str, str]]:
        """The passages that an article is cut into: ids with their texts."""
        import semchunk

        plain = html.unescape(_TAG.sub(" ", text))
        parts: list[str] = semchunk.chunk(plain, LONGEST, token_counter=lambda words: len(words.split()), memoize=False)
        return [(self.add(title, part), " ".join(part.split())) for part in parts if part.strip()]


@dataclass(frozen=True, slots=True)
class Prepared:
    """Rows of passages for ``hopline add`` and of questions for ``hopline evaluate``."""

    passages: tuple[Row, ...]
    questions: tuple[Row, ...]


def read_published(path: Path, form: str, *, articles: Path | None = None) -> Prepared:
    """The passages and questions of a published file; ``articles`` is IIRC's file of linked articles.

    Raises:
        UnknownName: no such form.
        UsageError: the file cannot be read, or a question in it lacks what its form has; names which.
    """
    if form not in FORMS:
        raise UnknownName("form of question set", form, FORMS)
    corpus = Corpus()
    linked = _load(articles) if articles is not None else {}
    questions = []
    for number, item in enumerate(_items(_load(path)), 1):
        try:
            questions += list(FORMS[form](item, corpus, linked))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise UsageError(
                f"{path}: item {number} is not as {form} is published ({type(error).__name__}: {error})"
            ) from error
    if not questions:
        raise UsageError(f"{path} holds no question of the form {form}")
    return Prepared(tuple(corpus.rows.values()), tuple(questions))


def _load(path: Path) -> Any:
    """A JSON value, or the rows of a file with one a line."""
    text = "".join(text_lines(path))
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        pass
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except json.JSONDecodeError as error:
        raise UsageError(f"{path} is neither JSON nor JSON lines: {error}") from error


def _items(loaded: Any) -> Iterable[Any]:
    return loaded if isinstance(loaded, list) else [loaded]


def _hotpotqa(item: Mapping[str, Any], corpus: Corpus, _: Any) -> Iterator[Row]:
    context, facts = item["context"], item["supporting_facts"]
    pairs = json.loads(context) if isinstance(context, str) else context
    if isinstance(pairs, dict):  # the columns of the hub's copy
        pairs = list(zip(pairs["title"], pairs["sentences"], strict=True))
        facts = list(zip(facts["title"], facts["sent_id"], strict=True))
    ids = {title: corpus.add(title, " ".join(sentence.strip() for sentence in sentences)) for title, sentences in pairs}
    gold = list(dict.fromkeys(ids[title] for title, _ in facts if title in ids))
    yield {"id": item.get("_id") or item["id"], "question": item["question"], "answer": item["answer"], "gold": gold}


def _musique(item: Mapping[str, Any], corpus: Corpus, _: Any) -> Iterator[Row]:
    ids = {one["idx"]: corpus.add(one["title"], one["paragraph_text"]) for one in item["paragraphs"]}
    gold = [ids[one["idx"]] for one in item["paragraphs"] if one["is_supporting"]]
    steps = [{"question": one["question"], "answer": one["answer"]} for one in item["question_decomposition"]]
    yield {
        "id": item["id"], "question": item["question"], "answer": item["answer"],
        "answer_aliases": item["answer_aliases"], "gold": list(dict.fromkeys(gold)),
        "answerable": item.get("answerable", True), "decomposition": steps,
    }  # fmt: skip


def _iirc(item: Mapping[str, Any], corpus: Corpus, linked: Mapping[str, str]) -> Iterator[Row]:
    by_title = {item["title"].casefold(): corpus.add_article(item["title"], item["text"])}
    for link in item["links"]:
        title = link["target"]
        if title.casefold() not in by_title and title.casefold() in linked:
            by_title[title.casefold()] = corpus.add_article(title, linked[title.casefold()])
    for question in item["questions"]:
        told = question["answer"]
        gold = []
        for piece in question["context"]:
            title = item["title"] if piece["passage"] == "main" else piece["passage"]
            words = " ".join(html.unescape(_TAG.sub(" ", piece["text"])).split())
            gold += [id for id, text in by_title.get(title.casefold(), ()) if words in text or text in words]
        yield {
            "id": question["qid"], "question": question["question"], "answer": _iirc_answer(told),
            "gold": list(dict.fromkeys(gold)), "answerable": told["type"] != "none",
        }  # fmt: skip


def _iirc_answer(told: Mapping[str, Any]) -> list[str]:
    if told["type"] == "span":
        return [" ".join(span["text"] for span in told["answer_spans"])]
    if told["type"] == "none":
        return []
    return [" ".join(str(told[part]) for part in ("answer_value", "answer_unit") if told.get(part))]


def _quality(item: Mapping[str, Any], corpus: Corpus, _: Any) -> Iterator[Row]:
    corpus.add_article(item["title"], item["article"])
    for number, question in enumerate(item["questions"], 1):
        label = question.get("gold_label")
        options = question["options"]
        listed = "; ".join(f"({chr(65 + n)}) {option}" for n, option in enumerate(options))
        yield {
            "id": question.get("question_unique_id") or f"{item['article_id']}-{number}",
            "question": f"{question['question']} {listed}",
            "answer": [options[int(label) - 1], f"({chr(64 + int(label))})"] if label else [],
        }  # fmt: skip


def _financebench(item: Mapping[str, Any], _: Corpus, __: Any) -> Iterator[Row]:
    places = [
        {"document": f"{one.get('doc_name', item['doc_name'])}.pdf", "page": int(one["evidence_page_num"]) + 1}
        for one in item["evidence"]
    ]
    yield {"id": item["financebench_id"], "question": item["question"], "answer": item["answer"], "evidence": places}


FORMS: Final[Mapping[str, Callable[[Mapping[str, Any], Corpus, Any], Iterator[Row]]]] = {
    "hotpotqa": _hotpotqa,
    "2wiki": _hotpotqa,
    "musique": _musique,
    "iirc": _iirc,
    "quality": _quality,
    "financebench": _financebench,
}


def write_prepared(prepared: Prepared, folder: Path) -> tuple[Path | None, Path]:
    """Write ``corpus.jsonl.gz`` (where there are passages) and ``questions.jsonl.gz`` into a folder, made if needed."""
    folder.mkdir(parents=True, exist_ok=True)
    questions = _write(folder / "questions.jsonl.gz", prepared.questions)
    return (_write(folder / "corpus.jsonl.gz", prepared.passages) if prepared.passages else None), questions


def _write(path: Path, rows: Iterable[Row]) -> Path:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return path
