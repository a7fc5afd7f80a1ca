"""Run the experiments of experiments.toml, keep what they print, and compare with their bounds.

    python benchmarks/run.py [NAME …]

Outputs go to benchmarks/results/, one file an experiment. Exits 1 where a figure misses its bound.
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


def command_of(experiment: dict[str, str]) -> list[str] | None:
    """The command, or None where its data is not there."""
    data = Path(os.environ.get("HOPLINE_DATA", SHARED / "data"))
    pdfs = Path(os.environ.get("HOPLINE_PDFS", SHARED / "pdfs"))
    text = experiment["command"]
    wanted = [folder for name, folder in (("{data}", data), ("{pdfs}", pdfs)) if name in text]
    if any(not folder.is_dir() for folder in wanted):
        return None
    return [sys.executable, *shlex.split(text.format(data=data, pdfs=pdfs))]


def bound(experiment: dict[str, float], value: float) -> tuple[bool, str]:
    if "at_least" in experiment:
        return value >= experiment["at_least"], f">= {experiment['at_least']}"
    return value <= experiment["at_most"], f"<= {experiment['at_most']}"


def run(experiment: dict) -> str:
    command = command_of(experiment)
    if command is None:
        return "left out: its data is not here"
    done = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, check=False)
    slug = re.sub(r"\W+", "-", experiment["name"])
    (HERE / "results").mkdir(exist_ok=True)
    (HERE / "results" / f"{slug}.txt").write_text(done.stdout, encoding="utf-8")
    found = re.search(experiment["figure"], done.stdout)
    if done.returncode or found is None:
        return f"failed ({done.returncode}): {done.stderr.strip()[-300:]}"
    good, words = bound(experiment, float(found.group(1)))
    return f"{'good' if good else 'missed'}: {found.group(1)} ({words})"


def main() -> int:
    experiments = tomllib.loads((HERE / "experiments.toml").read_text(encoding="utf-8"))["experiment"]
    chosen = [one for one in experiments if not sys.argv[1:] or one["name"] in sys.argv[1:]]
    failed = False
    for experiment in chosen:
        result = run(experiment)
        failed |= result.startswith(("failed", "missed"))
        print(f"{experiment['name']:32} {result}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
