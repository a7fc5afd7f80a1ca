"""Check the question sets on real documents: ``python benchmarks/check_questions.py [FOLDER OF PDFS ...]``.

    questions/documents-dev.jsonl   for developing the answers
    questions/documents-test.jsonl  held out, for evaluation only

An answerable row names every place that its answer needs, with the sentence or table row found there. A near miss has
the right topic and documents, and asks for a fact that they do not state: ``absence`` is the kind of absence
(attribute, year, neighbour, other company, premise), ``note`` what the documents state instead, ``absent`` lists
groups of terms that never occur together in them. Of a document that is in none of the folders, only the format of the
rows is checked; README.md says where they are from. Prints the distribution of the rows at the end, and exits with
status 1 if there is a problem.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pypdfium2

HERE = Path(__file__).resolve().parent
SETS = {"documents-dev.jsonl": 24, "documents-test.jsonl": 60}  # minimum number of answerable rows and of near misses
SHARED = HERE.parents[1] / "shared"
FOLDERS = (SHARED / "pdfs", SHARED / "data" / "financebench" / "pdfs")
KINDS = {"who", "when", "where", "how many", "how much", "what", "which", "why", "yes-no"}
ABSENCES = {"attribute", "year", "neighbour", "other company", "premise"}
ABSTRACTIVE_KINDS = {"yes-no", "why"}  # the answer is not copied from the quote
MAX_DISTANCE = 200  # characters within which the terms of one group must not all occur
BOOK, BOOK_WORDS = "dv06_freeculture_352pages.pdf", 15  # CC BY-NC: short quotes only

Row = dict[str, Any]
Pages = Callable[[str], Sequence[str]]  # name of a document -> text of each page


def read_rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def open_pages(folders: Iterable[Path]) -> Pages:
    """A function that finds a document by name and reads its text layer; the texts are cached.

    It returns no pages for a document that is in none of the folders.
    """
    paths = {path.name: path for folder in folders for path in folder.glob("*.pdf")}

    @cache
    def pages(name: str) -> Sequence[str]:
        if name not in paths:
            return ()
        document = pypdfium2.PdfDocument(paths[name])
        texts = [page.get_textpage().get_text_range() for page in document]
        document.close()
        return texts

    return pages


def strip_layout(text: str) -> str:
    """The text without white space and hyphens, in NFKC form, for the comparison of quotes."""
    return re.sub(r"[\s\-\u00ad\u2010\u2011\ufffe\x02]+", "", unicodedata.normalize("NFKC", text))


def join_lines(text: str) -> str:
    """The text on one line, hyphenated words joined, case-folded, for the search of absent terms."""
    return " ".join(re.sub(r"[\ufffe\x02]\s*", "", unicodedata.normalize("NFKC", text)).casefold().split())


def find_format_problems(row: Row) -> Iterator[str]:
    if row["kind"] not in KINDS or row["source"] not in {"prose", "table"}:
        yield f"kind {row['kind']!r}, source {row['source']!r}"
    if not row["documents"]:
        yield "names no document"
    yield from find_answer_problems(row) if row["answerable"] else find_near_miss_problems(row)


def find_answer_problems(row: Row) -> Iterator[str]:
    quotes = strip_layout(" ".join(item["quote"] for item in row["evidence"])).casefold()
    answers = [row["answer"], *row["answer_aliases"]]
    if row["kind"] not in ABSTRACTIVE_KINDS and not any(
        strip_layout(answer).casefold() in quotes for answer in answers
    ):
        yield f"no form of the answer {row['answer']!r} is in its quotes"
    if row["places"] != len(row["evidence"]) or not row["answer"]:
        yield "needs an answer and a quote for every place"
    if {item["document"] for item in row["evidence"]} != set(row["documents"]):
        yield "documents are not those of the evidence"
    for item in row["evidence"]:
        if item["document"] == BOOK and len(item["quote"].split()) > BOOK_WORDS:
            yield f"more than {BOOK_WORDS} words of the book: {item['quote']!r}"


def find_near_miss_problems(row: Row) -> Iterator[str]:
    if row["answer"] or row["answer_aliases"] or row["evidence"]:
        yield "a near miss has no answer and no evidence"
    if row["absence"] not in ABSENCES or not row["note"] or not row["absent"]:
        yield "a near miss needs the kind of absence, a note and the absent terms"


def find_page_problems(row: Row, pages: Pages) -> Iterator[str]:
    """Quotes that are not on their page, and absent terms that occur together; unavailable documents are skipped."""
    for item in row["evidence"]:
        texts = pages(item["document"])
        page = texts[item["page"] - 1] if 1 <= item["page"] <= len(texts) else ""
        if texts and strip_layout(item["quote"]) not in strip_layout(page):
            yield f"not on page {item['page']} of {item['document']}: {item['quote']!r}"
    for name in row["documents"]:
        for number, text in enumerate(pages(name), 1):
            for group in row.get("absent", ()):
                if occur_together(join_lines(text), group):
                    yield f"{group} occur together on page {number} of {name}"


def occur_together(text: str, terms: Sequence[str]) -> bool:
    """Whether all terms occur at the start of a word within `MAX_DISTANCE` characters."""
    positions = [
        [match.start() for match in re.finditer(rf"(?<!\w){re.escape(term.casefold())}", text)] for term in terms
    ]
    return any(max(spots) - min(spots) <= MAX_DISTANCE for spots in product(*positions))


def find_set_problems(sets: dict[str, list[Row]]) -> Iterator[str]:
    """Wrong counts, duplicates, and quotes that occur in several sets."""
    for name, rows in sets.items():
        count = Counter(row["answerable"] for row in rows)
        if min(count[True], count[False]) < SETS[name]:
            yield f"{name}: {count[True]} answerable, {count[False]} near misses; wanted {SETS[name]} of each"
        if sum(row["places"] > 1 for row in rows) < len(rows) * 0.2:
            yield f"{name}: fewer than a fifth need two places"
    everything = [row for rows in sets.values() for row in rows]
    for what in ("id", "question"):
        twice = [key for key, times in Counter(row[what] for row in everything).items() if times > 1]
        if twice:
            yield f"the same {what} twice: {twice}"
    quotes = [
        {(e["document"], strip_layout(e["quote"])) for row in rows for e in row["evidence"]} for rows in sets.values()
    ]
    if len(quotes) > 1 and set.intersection(*quotes):
        yield f"quotes in every set: {sorted(set.intersection(*quotes))}"


def find_problems(sets: dict[str, list[Row]], pages: Pages | None = None) -> list[str]:
    """All problems, each with the id of its row; empty if there are none."""
    problems = list(find_set_problems(sets))
    for row in (row for rows in sets.values() for row in rows):
        problems += [f"{row['id']}: {text}" for text in find_format_problems(row)]
        if pages is not None:
            problems += [f"{row['id']}: {text}" for text in find_page_problems(row, pages)]
    return problems


def format_distribution(rows: Sequence[Row]) -> str:
    """Number of rows of each kind, source, number of places and document: answerable + near misses."""
    lines = []
    for what in ("kind", "source", "places", "documents"):
        counts: Counter[tuple[str, bool]] = Counter()
        for row in rows:
            for value in row[what] if isinstance(row[what], list) else [row[what]]:
                counts[str(value), row["answerable"]] += 1
        parts = (f"{value} {counts[value, True]}+{counts[value, False]}" for value in sorted({v for v, _ in counts}))
        lines.append(f"  {what}: {', '.join(parts)}")
    return "\n".join(lines)


def main(folders: Sequence[Path]) -> int:
    sets = {name: read_rows(HERE / "questions" / name) for name in SETS if (HERE / "questions" / name).is_file()}
    has_pdfs = all(folder.is_dir() for folder in folders)
    problems = find_problems(sets, open_pages(folders) if has_pdfs else None)
    for name, rows in sets.items():
        print(f"{name}: {len(rows)} rows\n{format_distribution(rows)}")
    available = {path.name for folder in folders for path in folder.glob("*.pdf")}
    missing = sorted({name for rows in sets.values() for row in rows for name in row["documents"]} - available)
    print(*problems, f"not available, so their quotes were not checked: {', '.join(missing) or 'none'}", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main([Path(argument) for argument in sys.argv[1:]] or list(FOLDERS)))
