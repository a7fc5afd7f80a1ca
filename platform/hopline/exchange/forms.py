"""The forms in which a collection is exported, and the conversion of an exported folder to each."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Final, Literal, get_args

from hopline.errors import UsageError

ExportForm = Literal["jsonl", "graphml", "csv", "turtle", "parquet"]
JSONL: Final = "jsonl"
_CONVERTERS: Final = {
    "graphml": "hopline.exchange.graphml",
    "csv": "hopline.exchange.neo4j_csv",
    "turtle": "hopline.exchange.turtle",
    "parquet": "hopline.exchange.parquet",
}


def check_form(form: str) -> None:
    """Check that a form exists and that the package that it needs is installed.

    Raises:
        UsageError: it does not; says which exist, or what to install.
    """
    if form not in (known := get_args(ExportForm)):
        raise UsageError(f"no form called {form!r}; available: {', '.join(known)}")
    if form == "parquet":
        try:
            import_module("pyarrow.parquet")
        except ImportError as error:
            raise UsageError("the form parquet needs PyArrow: pip install 'hopline[export]'") from error


def convert_folder(form: str, source: Path, target: Path) -> None:
    """Write an exported folder of JSONL files in another form into the folder ``target``, which exists."""
    import_module(_CONVERTERS[form]).convert(source, target)
