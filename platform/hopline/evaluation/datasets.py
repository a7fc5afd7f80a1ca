"""Converters of published question sets into passages for ``hopline add`` and questions for ``hopline evaluate``.

hotpotqa     HotpotQA (distractor setting) and 2WikiMultihopQA: a list of questions, each with its paragraphs
musique      MuSiQue: a question in each line, with paragraphs and its decomposition
iirc         IIRC: a list of articles with their questions; linked articles are in a separate file
quality      QuALITY: an article with its multiple-choice questions in each line
financebench FinanceBench: a question in each line, with pages of filings; the filings themselves are PDFs
"""

from __future__ import annotations

import gzip
import html
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import semchunk

from hopline.atomic_files import read_lines
from hopline.errors import UnknownName, UsageError

MAX_WORDS: Final = 150  # of a passage of an article
_TAG: Final = re.compile(r"<[^>]+>")

Row = dict[str, Any]


@dataclass(slots=True)
class Corpus:
    """Distinct passages by title and text, with the ids by which questions refer to them."""

    rows: dict[tuple[str, str], Row] = field(default_factory=dict)

    def add(self, title: str, text: str) -> str:
        """Add a passage; returns its id, the same for the same title and text."""
        text = " ".join(text.split())
        existing = self.rows.get((title, text))
        if existing is None:
            existing = self.rows[title, text] = {"id": f"p{len(self.rows) + 1:06}", "title": title, "text": text}
        return str(existing["id"])

    def add_article(self, title: str, text: str) -> list[tuple[str, str]]:
        """Split an article into passages and add them; returns ids with their texts."""
        text_only = html.unescape(_TAG.sub(" ", text))
        parts: list[str] = semchunk.chunk(
            text_only, MAX_WORDS, token_counter=lambda words: len(words.split()), memoize=False
        )
        return [(self.add(title, part), " ".join(part.split())) for part in parts if part.strip()]


@dataclass(frozen=True, slots=True)
class PreparedDataset:
    """Rows of passages for ``hopline add`` and of questions for ``hopline evaluate``."""

    passages: tuple[Row, ...]
    questions: tuple[Row, ...]


def read_dataset(path: Path, name: str, *, articles: Path | None = None, split: bool = False) -> PreparedDataset:
    """Read the passages and questions of a published file; ``articles`` is IIRC's file of linked articles.

    With ``split``, a passage of more than 200 tokens becomes several when it is added, all with its id.

    Raises:
        UnknownName: no such data set.
        UsageError: the file cannot be read, or an item has an unexpected format; names which.
    """
    if name not in CONVERTERS:
        raise UnknownName("data set", name, CONVERTERS)
    corpus = Corpus()
    linked_articles = _load_json(articles) if articles is not None else {}
    questions = []
    for number, item in enumerate(_to_list(_load_json(path)), 1):
        try:
            questions += list(CONVERTERS[name](item, corpus, linked_articles))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise UsageError(
                f"{path}: item {number} does not have the format of {name} ({type(error).__name__}: {error})"
            ) from error
    if not questions:
        raise UsageError(f"{path} has no question of {name}")
    passages = [row | {"split": True} if split else row for row in corpus.rows.values()]
    return PreparedDataset(tuple(passages), tuple(questions))


def _load_json(path: Path) -> Any:
    """Load a JSON value, or the rows of a JSON lines file."""
    lines = list(read_lines(path))
    try:
        return json.loads("".join(lines))
    except json.JSONDecodeError:
        pass
    try:
        return [json.loads(line) for line in lines if line.strip()]
    except json.JSONDecodeError as error:
        raise UsageError(f"{path} is neither JSON nor JSON lines: {error}") from error


def _to_list(loaded: Any) -> Iterable[Any]:
    return loaded if isinstance(loaded, list) else [loaded]


def _convert_hotpotqa(item: Mapping[str, Any], corpus: Corpus, _: Any) -> Iterator[Row]:
    """Convert a question of HotpotQA or 2WikiMultihopQA.

    2Wiki also has "evidences", the triples of its steps in order. Its supporting facts are in the same order: so they
    are in all 400 of 500 train questions whose triples have titles of paragraphs as subjects. HotpotQA gives no order.
    """
    context, facts = item["context"], item["supporting_facts"]
    pairs = json.loads(context) if isinstance(context, str) else context
    if isinstance(pairs, dict):  # columns, as on the Hugging Face Hub
        pairs = list(zip(pairs["title"], pairs["sentences"], strict=True))
        facts = list(zip(facts["title"], facts["sent_id"], strict=True))
    ids = {title: corpus.add(title, " ".join(sentence.strip() for sentence in sentences)) for title, sentences in pairs}
    gold = list(dict.fromkeys(ids[title] for title, _ in facts if title in ids))
    yield {
        "id": item.get("_id") or item["id"], "question": item["question"], "answer": item["answer"], "gold": gold,
        "documents": list(ids), **({"hops": gold} if item.get("evidences") else {}),
    }  # fmt: skip


def _convert_musique(item: Mapping[str, Any], corpus: Corpus, _: Any) -> Iterator[Row]:
    paragraphs = item["paragraphs"]
    ids = {paragraph["idx"]: corpus.add(paragraph["title"], paragraph["paragraph_text"]) for paragraph in paragraphs}
    gold = [ids[paragraph["idx"]] for paragraph in paragraphs if paragraph["is_supporting"]]
    steps = [
        {"question": step["question"], "answer": step["answer"], "gold": _list_support(step, ids)}
        for step in item["question_decomposition"]
    ]
    yield {
        "id": item["id"], "question": item["question"], "answer": item["answer"],
        "answer_aliases": item["answer_aliases"], "gold": list(dict.fromkeys(gold)),
        "answerable": item.get("answerable", True), "decomposition": steps,
        "documents": list(dict.fromkeys(paragraph["title"] for paragraph in paragraphs)),
    }  # fmt: skip


def _list_support(step: Mapping[str, Any], ids: Mapping[int, str]) -> list[str]:
    """List the id of the paragraph that answers a step of MuSiQue; nothing if the file does not name it."""
    index = step.get("paragraph_support_idx")
    return [] if index is None else [ids[index]]


def _convert_iirc(item: Mapping[str, Any], corpus: Corpus, linked_articles: Mapping[str, str]) -> Iterator[Row]:
    by_title = {item["title"].casefold(): corpus.add_article(item["title"], item["text"])}
    titles = [item["title"]]
    for link in item["links"]:
        title = link["target"]
        if title.casefold() not in by_title and title.casefold() in linked_articles:
            by_title[title.casefold()] = corpus.add_article(title, linked_articles[title.casefold()])
            titles.append(title)
    for question in item["questions"]:
        answer = question["answer"]
        gold = []
        for piece in question["context"]:
            title = item["title"] if piece["passage"] == "main" else piece["passage"]
            words = " ".join(html.unescape(_TAG.sub(" ", piece["text"])).split())
            gold += _find_passages(words, by_title.get(title.casefold(), ()))
        yield {
            "id": question["qid"], "question": question["question"], "answer": _parse_iirc_answer(answer),
            "gold": list(dict.fromkeys(gold)), "answerable": answer["type"] != "none", "documents": titles,
        }  # fmt: skip


def _find_passages(words: str, passages: Sequence[tuple[str, str]]) -> list[str]:
    """Return the passages of an article, (id, text), that have these words, or the ones that have a part of them.

    Words that the division into passages separated are searched for in the whole article; the first occurrence counts.
    """
    whole = [id for id, text in passages if words in text]
    first = " ".join(text for _, text in passages).find(words)
    if whole or first < 0:
        return whole or [id for id, text in passages if text in words]
    parts, start = [], 0
    for id, text in passages:
        if start < first + len(words) and first < start + len(text):
            parts.append(id)
        start += len(text) + 1
    return parts


def _parse_iirc_answer(answer: Mapping[str, Any]) -> list[str]:
    if answer["type"] == "span":
        return [" ".join(span["text"] for span in answer["answer_spans"])]
    if answer["type"] == "none":
        return []
    return [" ".join(str(answer[part]) for part in ("answer_value", "answer_unit") if answer.get(part))]


def _convert_quality(item: Mapping[str, Any], corpus: Corpus, _: Any) -> Iterator[Row]:
    corpus.add_article(item["title"], item["article"])
    for number, question in enumerate(item["questions"], 1):
        label = question.get("gold_label")
        options = question["options"]
        options_text = "; ".join(f"({chr(65 + n)}) {option}" for n, option in enumerate(options))
        yield {
            "id": question.get("question_unique_id") or f"{item['article_id']}-{number}",
            "question": f"{question['question']} {options_text}",
            "answer": [options[int(label) - 1]] if label else [],
            "options": options,
            "documents": [item["title"]],
        }  # fmt: skip


def _convert_financebench(item: Mapping[str, Any], _: Corpus, __: Any) -> Iterator[Row]:
    locations = [
        {
            "document": f"{citation.get('doc_name', item['doc_name'])}.pdf",
            "page": int(citation["evidence_page_num"]) + 1,
        }
        for citation in item["evidence"]
    ]
    yield {"id": item["financebench_id"], "question": item["question"], "answer": item["answer"], "evidence": locations}


CONVERTERS: Final[Mapping[str, Callable[[Mapping[str, Any], Corpus, Any], Iterator[Row]]]] = {
    "hotpotqa": _convert_hotpotqa,
    "2wiki": _convert_hotpotqa,
    "musique": _convert_musique,
    "iirc": _convert_iirc,
    "quality": _convert_quality,
    "financebench": _convert_financebench,
}


def write_dataset(dataset: PreparedDataset, folder: Path) -> tuple[Path | None, Path]:
    """Write ``corpus.jsonl.gz`` (if there are passages) and ``questions.jsonl.gz`` to a folder, created if missing."""
    folder.mkdir(parents=True, exist_ok=True)
    questions = _write_rows(folder / "questions.jsonl.gz", dataset.questions)
    return (_write_rows(folder / "corpus.jsonl.gz", dataset.passages) if dataset.passages else None), questions


def _write_rows(path: Path, rows: Iterable[Row]) -> Path:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return path
