"""`python -m hopline_ingest [--stay]`: the worker. `… estimate`: pages and passages of files.

The paths of an estimate are a JSON list on stdin, since arguments are limited in length; the result is JSON on stdout.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from pathlib import Path
from threading import Event

from hopline.config import load_settings
from hopline.errors import HoplineError


def main(arguments: list[str]) -> int:
    """Run the worker or the estimate; return the exit status (3: the database or model is unavailable)."""
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # as `hopline.cli.main`
    if arguments[:1] == ["estimate"]:
        return _estimate(json.load(sys.stdin))
    from hopline.neo4j_server.connection import import_driver
    from hopline_ingest.shutdown import WorkStopped, handle_signals
    from hopline_ingest.worker import run_worker

    import_driver()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s", stream=sys.stderr)
    for quiet in ("neo4j", "httpx", "sentence_transformers"):
        logging.getLogger(quiet).setLevel(logging.ERROR)
    stop = Event()
    handle_signals(stop)
    try:
        while run_worker(load_settings(), stay="--stay" in arguments, stop=stop) and _has_new_documents(stop):
            pass
    except WorkStopped:
        logging.getLogger(__name__).info("stopped during start or shutdown")
    except HoplineError:
        logging.getLogger(__name__).exception("the worker stops because of an error")
        return 3
    return 0


def _has_new_documents(stop: Event) -> bool:
    """Whether documents were added between the last query and the release of the lease."""
    from hopline.embeddings.loader import get_embedder_name
    from hopline.store.graph import Store

    if stop.is_set():
        return False
    settings = load_settings()
    store = Store.open(settings, embedder=get_embedder_name(settings))
    try:
        return bool(store.read("documents/totals")["waiting"][0])
    finally:
        store.close()


def _estimate(paths: list[str]) -> int:
    from hopline_ingest.formats.estimate import estimate_file

    max_mb = load_settings().max_file_mb
    estimates: dict[str, dict[str, object]] = {}
    for path in paths:
        try:
            pages, passages = estimate_file(Path(path), max_mb=max_mb)
            estimates[path] = {"pages": pages, "passages": passages}
        except HoplineError as error:
            estimates[path] = {"error": str(error)}
    sys.stdout.write(json.dumps(estimates))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
