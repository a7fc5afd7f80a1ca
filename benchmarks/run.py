"""Run the experiments of experiments.toml, store their output, and compare their scores with the bounds.

    python benchmarks/run.py [NAME …]

Outputs are written to benchmarks/results/, one file per experiment. Exits with status 1 if a score misses its bound.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[1] / "shared"


def build_command(experiment: dict[str, str]) -> list[str] | None:
    """The command, or None if its data is not available."""
    data = Path(os.environ.get("HOPLINE_DATA", SHARED / "data"))
    pdfs = Path(os.environ.get("HOPLINE_PDFS", SHARED / "pdfs"))
    text = experiment["command"]
    folders = [folder for name, folder in (("{data}", data), ("{pdfs}", pdfs)) if name in text]
    if any(not folder.is_dir() for folder in folders):
        return None
    return [sys.executable, *shlex.split(text.format(data=data, pdfs=pdfs))]


def check_bound(experiment: dict[str, float], value: float) -> tuple[bool, str]:
    """(whether the value is within the bound, the bound as text)."""
    if "at_least" in experiment:
        return value >= experiment["at_least"], f">= {experiment['at_least']}"
    return value <= experiment["at_most"], f"<= {experiment['at_most']}"


def run_experiment(experiment: dict) -> str:
    command = build_command(experiment)
    if command is None:
        return "skipped: its data is not available"
    process = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, check=False)
    slug = re.sub(r"\W+", "-", experiment["name"])
    (HERE / "results").mkdir(exist_ok=True)
    (HERE / "results" / f"{slug}.txt").write_text(process.stdout, encoding="utf-8")
    match = re.search(experiment["figure"], process.stdout)
    if process.returncode or match is None:
        return f"failed ({process.returncode}): {process.stderr.strip()[-300:]}"
    within, text = check_bound(experiment, float(match.group(1)))
    return f"{'passed' if within else 'missed'}: {match.group(1)} ({text})"


def main() -> int:
    experiments = tomllib.loads((HERE / "experiments.toml").read_text(encoding="utf-8"))["experiment"]
    selected = [experiment for experiment in experiments if not sys.argv[1:] or experiment["name"] in sys.argv[1:]]
    failed = False
    for experiment in selected:
        result = run_experiment(experiment)
        failed |= result.startswith(("failed", "missed"))
        print(f"{experiment['name']:32} {result}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
