"""Checks the question sets on real documents: ``python benchmarks/check_questions.py [FOLDER OF PDFS ...]``.

    questions/documents-dev.jsonl   for building the answers
    questions/documents-test.jsonl  held out: only for measuring

An answerable row names every place that its answer needs, with the sentence or table row that stands
there. A near miss has the right topic and documents, and a fact that they do not state: ``absence`` says
in which way (attribute, year, neighbour, other company, premise), ``note`` what the documents say
instead, ``absent`` lists groups of terms that never stand together in them. Without the PDFs nothing
but the shape is checked. Ends with the mix, and with status 1 when something is wrong.
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
SETS = {"documents-dev.jsonl": 24, "documents-test.jsonl": 60}  # at least so many of each sort
SHARED = HERE.parents[1] / "shared"
FOLDERS = (SHARED / "pdfs", SHARED / "data" / "financebench" / "pdfs")
KINDS = {"who", "when", "where", "how many", "how much", "what", "which", "why", "yes-no"}
ABSENCES = {"attribute", "year", "neighbour", "other company", "premise"}
SAID_OTHERWISE = {"yes-no", "why"}  # the answer is not copied from the quote
TOGETHER = 200  # characters within which the terms of one group must not all stand
BOOK, BOOK_WORDS = "dv06_freeculture_352pages.pdf", 15  # CC BY-NC: short quotes only

Row = dict[str, Any]
Pages = Callable[[str], Sequence[str]]  # name of a document -> text of each page


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def pages_of(folders: Iterable[Path]) -> Pages:
    """Looks a document up by name and reads its text layer, once."""
    found = {path.name: path for folder in folders for path in folder.glob("*.pdf")}

    @cache
    def pages(name: str) -> Sequence[str]:
        document = pypdfium2.PdfDocument(found[name])
        texts = [page.get_textpage().get_text_range() for page in document]
        document.close()
        return texts

    return pages


def bare(text: str) -> str:
    """The text without white space, hyphens and forms of one letter, as quotes are compared."""
    return re.sub(r"[\s\-\u00ad\u2010\u2011\ufffe\x02]+", "", unicodedata.normalize("NFKC", text))


def running(text: str) -> str:
    """The text on one line, broken words joined, without case, as absent terms are looked for."""
    return " ".join(re.sub(r"[\ufffe\x02]\s*", "", unicodedata.normalize("NFKC", text)).casefold().split())


def shape_problems(row: Row) -> Iterator[str]:
    if row["kind"] not in KINDS or row["source"] not in {"prose", "table"}:
        yield f"kind {row['kind']!r}, source {row['source']!r}"
    if not row["documents"]:
        yield "names no document"
    yield from answer_problems(row) if row["answerable"] else near_miss_problems(row)


def answer_problems(row: Row) -> Iterator[str]:
    quotes = bare(" ".join(item["quote"] for item in row["evidence"])).casefold()
    answers = [row["answer"], *row["answer_aliases"]]
    if row["kind"] not in SAID_OTHERWISE and not any(bare(answer).casefold() in quotes for answer in answers):
        yield f"no form of the answer {row['answer']!r} stands in its quotes"
    if row["places"] != len(row["evidence"]) or not row["answer"]:
        yield "needs an answer and a quote for every place"
    if {item["document"] for item in row["evidence"]} != set(row["documents"]):
        yield "documents are not those of the evidence"
    for item in row["evidence"]:
        if item["document"] == BOOK and len(item["quote"].split()) > BOOK_WORDS:
            yield f"more than {BOOK_WORDS} words of the book: {item['quote']!r}"


def near_miss_problems(row: Row) -> Iterator[str]:
    if row["answer"] or row["answer_aliases"] or row["evidence"]:
        yield "a near miss has no answer and no evidence"
    if row["absence"] not in ABSENCES or not row["note"] or not row["absent"]:
        yield "a near miss says what is absent"


def page_problems(row: Row, pages: Pages) -> Iterator[str]:
    """Quotes that are not on their page, and absent terms that do stand together."""
    for item in row["evidence"]:
        texts = pages(item["document"])
        if not 1 <= item["page"] <= len(texts) or bare(item["quote"]) not in bare(texts[item["page"] - 1]):
            yield f"not on page {item['page']} of {item['document']}: {item['quote']!r}"
    for name in row["documents"]:
        for number, text in enumerate(pages(name), 1):
            for group in row.get("absent", ()):
                if stand_together(running(text), group):
                    yield f"{group} stand together on page {number} of {name}"


def stand_together(text: str, terms: Sequence[str]) -> bool:
    """Whether all terms begin a word somewhere within `TOGETHER` characters."""
    places = [[match.start() for match in re.finditer(rf"(?<!\w){re.escape(term.casefold())}", text)] for term in terms]
    return any(max(spots) - min(spots) <= TOGETHER for spots in product(*places))


def set_problems(sets: dict[str, list[Row]]) -> Iterator[str]:
    """Counts, and what the sets have in common."""
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
    quotes = [{(e["document"], bare(e["quote"])) for row in rows for e in row["evidence"]} for rows in sets.values()]
    if len(quotes) > 1 and set.intersection(*quotes):
        yield f"quotes in every set: {sorted(set.intersection(*quotes))}"


def problems(sets: dict[str, list[Row]], pages: Pages | None = None) -> list[str]:
    """Everything that is wrong, each with the id of its row; empty when all is well."""
    found = list(set_problems(sets))
    for row in (row for rows in sets.values() for row in rows):
        found += [f"{row['id']}: {text}" for text in shape_problems(row)]
        if pages is not None:
            found += [f"{row['id']}: {text}" for text in page_problems(row, pages)]
    return found


def mix(rows: Sequence[Row]) -> str:
    """How many rows there are of each kind, source, number of places and document: answerable + near misses."""
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
    sets = {name: read(HERE / "questions" / name) for name in SETS if (HERE / "questions" / name).is_file()}
    there = all(folder.is_dir() for folder in folders)
    found = problems(sets, pages_of(folders) if there else None)
    for name, rows in sets.items():
        print(f"{name}: {len(rows)} rows\n{mix(rows)}")
    print(*found, "" if there else "the PDFs are not there: quotes not looked up", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main([Path(argument) for argument in sys.argv[1:]] or list(FOLDERS)))
