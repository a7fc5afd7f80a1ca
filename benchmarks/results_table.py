"""The results table and the plot of strategies, from the files in results/."""

from __future__ import annotations

import json
from math import floor, log2
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

SETS = {"hotpotqa": "HotpotQA", "2wiki": "2Wiki", "musique": "MuSiQue"}
# what a row leaves out of the method whose name it has; its strategy's docstring lists all departures
LEFT_OUT = {
    "gnn_ret": "training; structural edges on HotpotQA and 2Wiki [a]",
    "gnn_ret:base=hybrid,hub=10": "as `gnn_ret`; the base is ours",
    "naive_ge": "triples by a model [b]",
    "hipporag": "triples and names by a model [b]",
    "kgp": "the language model: guide `text`, the paper's ablation",
    "kgp:graph=keywords": "the language model: guide `text`",
    "kgp:graph=similar": "the language model: guide `text`",
    "kgp:guide=encoder": "the language model; training of the guide",
    "kgp:guide=mdr": "nothing: KGP-MDR [c]",
    "guided": "the language model; training of the guide",
    "mdr": "training: the collection's encoder",
    "mdr:trained=true": "nothing [c]",
    "graph_hop": "training, and with it backward search and reconstruction",
    "ras": "the model: planner by rules, no facts, no query graph; topics [d]",
}
BEGIN, END = "<!-- table -->", "<!-- end of table -->"  # write_table replaces what is between them in README.md


def write_table(folder: Path) -> None:
    """Write the table in a folder's README.md, and recall.svg, from its results/strategies-*.json."""
    results = {name: json.loads(file.read_text()) for name in SETS if (file := _results_file(folder, name)).exists()}
    times = json.loads((folder / "results" / "times.json").read_text())
    names = list(dict.fromkeys(strategy for result in results.values() for strategy in result["strategies"]))
    names.sort(key=lambda name: _mean(results, name, "R@5"))
    lines = ["", "| strategy | " + " | ".join(f"{SETS[name]} R@5 / all@5" for name in results) + " | time | left out |"]
    lines.append("|---|" + "---|" * (len(results) + 2))
    lines += [
        f"| `{name}` | "
        + " | ".join(_format_cell(result, name) for result in results.values())
        + f" | {times[name]['ratio']:.1f} | {LEFT_OUT.get(name, '–')} |"
        for name in names
    ]
    sizes = "; ".join(
        f"{SETS[name]}: {result['questions']} questions, {result['passages']:,} passages"
        for name, result in results.items()
    )
    dates = sorted({row["date"] for result in results.values() for row in result["strategies"].values()})
    lines += ["", f"{sizes}. Measured {' to '.join(dict.fromkeys((dates[0], dates[-1])))}.", ""]
    readme = folder / "README.md"
    before, rest = readme.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    readme.write_text("".join([before, BEGIN, "\n".join(lines), END, after]), encoding="utf-8")
    (folder / "recall.svg").write_text(
        _build_plot({name: (times[name]["ratio"], _mean(results, name, "R@5")) for name in names}), encoding="utf-8"
    )


def _results_file(folder: Path, name: str) -> Path:
    return folder / "results" / f"strategies-{name}.json"


def _select_rows(results: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [result["strategies"][name] for result in results.values() if name in result["strategies"]]


def _mean(results: dict[str, Any], name: str, metric: str) -> float:
    values = [row["scores"][metric]["mean"] for row in _select_rows(results, name)]
    return 100 * sum(values) / len(values)


def _format_cell(result: dict[str, Any], name: str) -> str:
    row = result["strategies"].get(name)
    if row is None:
        return "–"
    figures = f"{100 * row['scores']['R@5']['mean']:.1f} / {100 * row['scores']['all@5']['mean']:.1f}"
    against = row["against"].get("R@5")
    if against is None:
        return figures
    difference = f"{100 * against['mean']:+.1f}".replace("-", "−")
    return f"{figures} ({f'**{difference}**' if against['low'] > 0 or against['high'] < 0 else difference})"


def _build_plot(points: dict[str, tuple[float, float]]) -> str:
    """An SVG of recall against time, 760 × 460 points; the time axis is logarithmic with base 2."""
    width, height, left, top = 760, 460, 60, 20
    most = max(time for time, _ in points.values()) * 1.3
    least = 2.0 ** floor(log2(min(time for time, _ in points.values())))
    low, high = min(y for _, y in points.values()) - 3, max(y for _, y in points.values()) + 3

    def x(time: float) -> float:
        return left + (width - left - 150) * log2(time / least) / log2(most / least)

    def y(recall: float) -> float:
        return top + (height - top - 50) * (high - recall) / (high - low)

    bottom, middle = height - 50, (left + width) / 2
    parts = [f'<rect width="{width}" height="{height}" fill="white"/>']
    for tick in range(int(low // 5 + 1) * 5, int(high) + 1, 5):
        parts += [_line(left, y(tick), width - 20, y(tick)), _text(left - 8, y(tick) + 4, str(tick), "end")]
    for tick in (2.0**n for n in range(-6, 12) if least <= 2.0**n <= most):
        parts += [_line(x(tick), top, x(tick), bottom), _text(x(tick), height - 32, f"{tick:g}", "middle")]
    parts.append(_text(middle, height - 10, "time of one question, dense = 1", "middle"))
    parts.append(_text(left - 40, top - 6, "R@5, mean of the sets", "start"))
    for name, (time, recall) in points.items():
        colour = "#c2410c" if name == "hopline" else "#1d4ed8"
        parts.append(f'<circle cx="{x(time):.1f}" cy="{y(recall):.1f}" r="4" fill="{colour}"/>')
        parts.append(_text(x(time) + 7, y(recall) + 4, name, "start"))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif"'
    return "\n".join([f'{head} font-size="12">', *parts, "</svg>", ""])


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#e5e5e5"/>'


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'
