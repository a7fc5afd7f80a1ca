"""Generate the sample documents: ``python samples/make.py [FOLDER]``.

The samples are about the fictional Varrow Islands: a desalination plant, the company that operates it, the bank that
lends to it, a ferry line, a research station and a harbour. Modules:

    layout.py    blocks of text, tables, figures and scans, and how they are laid out as a PDF
    hyphens.py   hyphenation of long words
    drawings.py  the bar chart
    scan.py      generates kestrel-quay-record.jpg, the scanned page
    reports/     one module per document
      brackwater    3 pages: sections, a two-column page, two tables, a figure
      lantern       2 pages: founders and lenders, a table of loans
      ferries       2 pages: a two-column page, two tables
      heron_point   2 pages: abstract, two columns, a table of measurements
      energy_plan   2 pages: a figure, a table of projects
      kestrel_quay  2 pages: a letter, and a scanned page without a text layer

The PDFs and the questions about them (questions.json) are in ``platform/hopline/samples``, inside the
package, because the demo reads them. The output is deterministic; a test compares the script with the committed files.
"""

from __future__ import annotations

import sys
from pathlib import Path

from layout import write
from reports import brackwater, energy_plan, ferries, heron_point, kestrel_quay, lantern

TARGET = Path(__file__).resolve().parents[1] / "platform" / "hopline" / "samples"
REPORTS = [module.REPORT for module in (brackwater, lantern, ferries, heron_point, energy_plan, kestrel_quay)]


def make(folder: Path) -> list[Path]:
    """Write all samples into ``folder`` and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    return [write(report, folder) for report in REPORTS]


if __name__ == "__main__":
    for path in make(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET):
        print(f"{path.stat().st_size:>8,} bytes  {path.name}")
