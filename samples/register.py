"""Generate sample data for training: ``python samples/register.py [FOLDER]``.

A register of the fictional Varrow Islands: villages, people, shipyards, ferries and lighthouses, each a short passage.
The files are in ``samples/training``, in formats that `hopline` reads:

    passages.jsonl   passages to add
    questions.jsonl  questions whose answer needs two of the passages (reranker, gnn, rgnn, mdr, graph_llm)
    graphs.jsonl     questions with facts, and the gold graph over some of them (graph_hop)
    texts.jsonl      passages with topic labels (topics)

The output is deterministic; a test compares this script with the committed files.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random

TARGET = Path(__file__).resolve().parent / "training"
PER_KIND = 44  # passages of each kind
FACTS = 10  # per graph
GRAPHS = 100

ISLANDS = ["Great Varrow", "Little Varrow", "Sorrel Island", "Hallan", "the Outer Skerries"]
FIRST = ["Maud", "Ansel", "Idris", "Petra", "Corin", "Hetty", "Joss", "Linnet", "Osric", "Tamsin", "Bram", "Yara"]
LAST = ["Kerrow", "Pell", "Dunmore", "Vance", "Holloway", "Strake", "Marrick", "Quill", "Tolland", "Ferris", "Ashdown"]
START = ["Aber", "Brack", "Corm", "Dun", "Elder", "Fenn", "Gull", "Hest", "Inver", "Kell", "Lorn"]
END = ["wick", "haven", "mouth", "sand"]
GOODS = [
    "smoked herring",
    "blue slate",
    "bell founding",
    "sea salt",
    "rope walks",
    "oyster beds",
    "peat",
    "wool",
    "cider",
]
JOBS = ["engineer", "shipwright", "surveyor", "mathematician", "harbour master", "botanist"]
SCHOOLS = ["Port Ansel", "Halcyon College", "the Naval School", "Brackwater"]
BIRDS = ["Tern", "Gannet", "Curlew", "Plover", "Avocet", "Dunlin", "Petrel", "Fulmar", "Merlin", "Osprey", "Puffin"]
SHADES = ["Grey", "Northern", "Silver", "Second"]
ROCKS = ["Anvil", "Candle", "Widow", "Hound", "Cradle", "Mitre", "Saddle", "Thimble", "Kettle", "Gallows", "Lantern"]
POINTS = ["Head", "Ledge", "Point", "Rock"]


@dataclass(frozen=True)
class Row:
    """A passage with its labels and the facts that questions can ask for, by attribute."""

    id: str
    name: str
    text: str
    labels: tuple[str, ...]
    facts: dict[str, str]


def generate_passages() -> dict[str, list[Row]]:
    """Generate all passages, by kind."""
    random = Random(1887)
    villages = [f"{start}{end}" for start in START for end in END]
    people = random.sample([f"{first} {last}" for first in FIRST for last in LAST], PER_KIND)
    ferries = random.sample([f"{shade} {bird}" for shade in SHADES for bird in BIRDS], PER_KIND)
    lights = random.sample([f"{rock} {point} Light" for rock in ROCKS for point in POINTS], PER_KIND)
    yards = [f"{name.split()[1]} and {random.choice(['Daughters', 'Sons', 'Partners'])} of {town}"
             for name, town in zip(people, villages, strict=True)]  # fmt: skip
    passages: dict[str, list[Row]] = {"village": [], "person": [], "yard": [], "ferry": [], "light": []}

    def add_passage(kind: str, name: str, text: str, labels: tuple[str, ...], **facts: str) -> None:
        passages[kind].append(Row(f"{kind}-{len(passages[kind]) + 1}", name, text, labels, facts))

    for name in villages:
        island, goods = random.choice(ISLANDS), random.choice(GOODS)
        inhabitants = random.randrange(80, 2400)
        text = random.choice([
            f"{name} is a village on {island} with {inhabitants} inhabitants. It is known for its {goods}.",
            f"On {island} lies {name}, home to {inhabitants} people and known for {goods}.",
        ])  # fmt: skip
        add_passage("village", name, text, ("places",), island=island, goods=goods)
    for name in people:
        born, job, town = random.randrange(1820, 1960), random.choice(JOBS), random.choice(villages)
        school = random.choice(SCHOOLS)
        text = random.choice([
            f"{name} was born in {town} in {born}, studied at {school} and became a {job}.",
            f"The {job} {name} (born {born} in {town}) learned the trade at {school}.",
        ])  # fmt: skip
        add_passage("person", name, text, ("people", job), town=town, school=school, job=job)
    for name, town in zip(yards, villages, strict=True):
        founder, year = random.choice(people), random.randrange(1850, 1990)
        text = random.choice([
            f"{name} is a shipyard that {founder} founded in {year}. Its slipway was rebuilt twice.",
            f"The shipyard {name} goes back to {year}, when {founder} bought the slipway.",
        ])  # fmt: skip
        add_passage("yard", name, text, ("trade",), founder=founder, town=town)
    for name in ferries:
        yard, year = random.choice(yards), random.randrange(1900, 2024)
        one, other = random.sample(villages, 2)
        text = random.choice([
            f"The ferry {name} has sailed from {one} to {other} since {year}. She was built by {yard}.",
            f"{name} is a ferry between {one} and {other}; {yard} built her in {year}.",
        ])  # fmt: skip
        add_passage("ferry", name, text, ("travel by sea",), yard=yard)
    for name in lights:
        who, metres, near = random.choice(people), random.randrange(9, 60), random.choice(villages)
        text = random.choice([
            f"{name} stands {metres} metres above the tide near {near}. {who} designed it.",
            f"The lighthouse {name}, near {near}, was designed by {who} and is {metres} metres high.",
        ])  # fmt: skip
        add_passage("light", name, text, ("travel by sea", "lights"), designer=who, near=near)
    return passages


@dataclass(frozen=True)
class SampleQuestion:
    """A question, its answer, and its gold passages in order; the first ``roots`` of them have no predecessor."""

    question: str
    answer: str
    gold: tuple[Row, ...]
    roots: int = 1


def generate_questions(passages: dict[str, list[Row]]) -> list[SampleQuestion]:
    """All questions over two passages, and one over two ferries (four passages) for each pair of adjacent ferries."""
    by_name = {row.name: row for rows in passages.values() for row in rows}
    questions: list[SampleQuestion] = []
    for row in passages["ferry"]:
        yard = by_name[row.facts["yard"]]
        questions.append(
            SampleQuestion(f"Who founded the shipyard that built the {row.name}?", yard.facts["founder"], (row, yard))
        )
    for row in passages["light"]:
        who, near = by_name[row.facts["designer"]], by_name[row.facts["near"]]
        questions.append(SampleQuestion(f"Where was the designer of {row.name} born?", who.facts["town"], (row, who)))
        questions.append(SampleQuestion(f"On which island does {row.name} stand?", near.facts["island"], (row, near)))
    for row in passages["yard"]:
        who = by_name[row.facts["founder"]]
        questions.append(SampleQuestion(f"Where did the founder of {row.name} study?", who.facts["school"], (row, who)))
    for row in passages["person"]:
        town = by_name[row.facts["town"]]
        questions.append(
            SampleQuestion(f"What is the birthplace of {row.name} known for?", town.facts["goods"], (row, town))
        )
    for one, other in zip(passages["ferry"][::2], passages["ferry"][1::2], strict=True):
        yards = [by_name[row.facts["yard"]] for row in (one, other)]
        same = "yes" if len({yard.facts["founder"] for yard in yards}) == 1 else "no"
        question = f"Did one person found the shipyards that built the {one.name} and the {other.name}?"
        questions.append(
            SampleQuestion(question, same, (one, other, *{yard.id: yard for yard in yards}.values()), roots=2)
        )
    Random(1888).shuffle(questions)
    return questions


def build_graph(question: SampleQuestion, others: list[Row], random: Random) -> dict[str, object]:
    """The row of a question's graph: one chain, or two chains that start at the question."""
    facts = [
        *question.gold,
        *random.sample([row for row in others if row not in question.gold], FACTS - len(question.gold)),
    ]
    random.shuffle(facts)
    ids = {row.id: str(n) for n, row in enumerate(facts)}
    first, later = question.gold[: question.roots], question.gold[question.roots :]
    edges = [["", ids[row.id]] for row in first]
    edges += [[ids[row.id], ids[next_.id]] for row in first for next_ in later if next_.name in row.text]
    return {"question": question.question, "facts": {ids[row.id]: row.text for row in facts}, "edges": edges}


def make(folder: Path) -> list[Path]:
    """Write the four files into ``folder`` and return their paths."""
    passages = generate_passages()
    rows = [row for some in passages.values() for row in some]
    questions, random = generate_questions(passages), Random(1889)
    files = {
        "passages": [{"id": row.id, "title": row.name, "text": row.text} for row in rows],
        "questions": [
            {"id": f"q{n}", "question": one.question, "answer": one.answer, "gold": [row.id for row in one.gold]}
            for n, one in enumerate(questions, 1)
        ],
        "graphs": [{"id": f"g{n}", **build_graph(one, rows, random)} for n, one in enumerate(questions[:GRAPHS], 1)],
        "texts": [{"text": row.text, "labels": list(row.labels)} for row in rows],
    }
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, lines in files.items():
        path = folder / f"{name}.jsonl"
        path.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), encoding="utf-8")
        paths.append(path)
    return paths


if __name__ == "__main__":
    for path in make(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET):
        print(f"{path.stat().st_size:>8,} bytes  {path.name}")
