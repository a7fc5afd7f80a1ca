"""`python -m hopline_ingest [--stay]`: the worker. `… estimate PATH…`: what reading would take, as JSON."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from threading import Event

from hopline.config import load_settings
from hopline.errors import HoplineError


def main(arguments: list[str]) -> int:
    """Run the worker, or estimate; returns the exit status (3: no engine)."""
    if arguments[:1] == ["estimate"]:
        return _estimate(arguments[1:])
    from hopline_ingest.shutdown import WorkStopped, handle_signals
    from hopline_ingest.worker import work

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s", stream=sys.stderr)
    for quiet in ("neo4j", "httpx", "sentence_transformers"):
        logging.getLogger(quiet).setLevel(logging.ERROR)
    stop = Event()
    handle_signals(stop)
    try:
        while work(load_settings(), stay="--stay" in arguments, stop=stop) and _more_came(stop):
            pass
    except WorkStopped:
        logging.getLogger(__name__).info("stopped before it had begun or while it ended")
    except HoplineError:
        logging.getLogger(__name__).exception("the worker ends")
        return 3
    return 0


def _more_came(stop: Event) -> bool:
    """Whether documents came between the last look and the lease's return."""
    from hopline.embeddings.loader import load_embedder
    from hopline.store.graph import Store

    if stop.is_set():
        return False
    settings = load_settings()
    embedder = load_embedder(settings)
    store = Store.open(settings, embedder=embedder.name, dimension=embedder.dimension)
    try:
        return bool(store.columns("read/totals")["waiting"][0])
    finally:
        store.close()


def _estimate(paths: list[str]) -> int:
    from hopline_ingest.formats.estimate import estimate

    found: dict[str, dict[str, object]] = {}
    for path in paths:
        try:
            pages, passages = estimate(Path(path), max_mb=load_settings().max_file_mb)
            found[path] = {"pages": pages, "passages": passages}
        except HoplineError as error:
            found[path] = {"error": str(error)}
    sys.stdout.write(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
