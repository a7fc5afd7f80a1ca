"""Adding, changing and removing the same names from threads and processes, while worker and database are killed."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress

import psutil
import pytest
from canonical import canonical_graph, differences

from hopline import Hopline
from hopline.errors import HoplineError
from hopline.store.graph import Store

SHIPS = ["Tern", "Skua", "Heron", "Gannet"]
VERSIONS = {
    f"{ship.lower()}.txt": [
        f"{ship}\n\nThe {ship} was built by Vale and Sons in {1900 + n}. {text} She sails from Halm to Orre.\n"
        for text in ("Halm Ferries (HF) owns her. HF bought her in Bergen.", "Ingrid Vale drew her plans in Bergen.")
    ]
    for n, ship in enumerate(SHIPS)
}
ROWS = [
    [
        {"id": f"{n}", "title": f"Quay {n % 5}", "text": f"Quay {n} of Halm was built by Vale and Sons."}
        for n in range(12)
    ],
    [{"id": f"{n}", "title": f"Quay {n % 7}", "text": f"Quay {n} of Halm lies beside the Tern."} for n in range(9)],
]
PROCESS = """
import random, sys, time
from contextlib import suppress
from pathlib import Path
from hopline import Hopline
from hopline.errors import HoplineError
home, folder, seconds = sys.argv[1], Path(sys.argv[2]), float(sys.argv[3])
choose, end = random.Random(7), time.monotonic() + seconds
with Hopline.open(home=home) as hop:
    while time.monotonic() < end:
        with suppress(HoplineError):
            file = choose.choice(sorted(folder.iterdir()))
            if choose.random() < 0.7:
                hop.documents.add(file, collection="raced", uploaded=True)
            else:
                hop.documents.remove(file.name, collection="raced")
        time.sleep(choose.uniform(0, 0.3))
"""


def write(folder, version):
    folder.mkdir()
    for name, texts in VERSIONS.items():
        (folder / name).write_text(texts[version])
    (folder / "quays.jsonl").write_text("\n".join(map(json.dumps, ROWS[version])))
    return folder


def change(hop, folders, seed, end):
    choose = random.Random(seed)
    while time.monotonic() < end:
        with suppress(HoplineError):
            file = choose.choice(sorted(choose.choice(folders).iterdir()))
            match choose.random():
                case chance if chance < 0.7:
                    hop.documents.add(file, collection="raced", uploaded=True)
                case chance if chance < 0.95:
                    hop.documents.remove(file.name, collection="raced")
                case _:
                    hop.documents.remove(collection="raced")
        time.sleep(choose.uniform(0, 0.2))


def kill(pid):
    with suppress(ProcessLookupError, psutil.NoSuchProcess):
        os.kill(pid, signal.SIGKILL)


def kill_worker(hop):
    with suppress(HoplineError):
        holder = next(iter(hop._connections.store.read("ingest/lease_holder")["holder"]), "")
        if holder:
            kill(int(holder.rpartition(":")[2]))


@pytest.fixture
def own_home(tmp_path):
    yield tmp_path / "home"
    Hopline.stop(tmp_path / "home")


@pytest.mark.private
@pytest.mark.soak
@pytest.mark.timeout(900)
def test_concurrent_changes_give_the_graph_of_a_fresh_ingest(own_home, tmp_path, soak):
    seconds = 90.0 if soak else 8.0
    old, new = write(tmp_path / "old", 0), write(tmp_path / "new", 1)
    settings = {"worker_idle_seconds": 30.0, "workers": 1}
    with Hopline.open(home=own_home, **settings) as hop:  # type: ignore[arg-type]
        end = time.monotonic() + seconds
        actors = [threading.Thread(target=change, args=(hop, [old, new], seed, end)) for seed in (1, 2)]
        child = subprocess.Popen([sys.executable, "-c", PROCESS, own_home, old, str(seconds)])
        for actor in actors:
            actor.start()
        for part in range(3):
            time.sleep(seconds / 4)
            kill_worker(hop)
            if part == 1:
                kill(hop.status().engine["pid"])
        for actor in actors:
            actor.join()
        assert child.wait(120) == 0
        for name in ("raced", "fresh"):
            batch = hop.documents.add(sorted(new.iterdir()), collection=name, uploaded=True).wait(timeout=300)
            assert batch.failures == ()
        with closing(Store.open(hop.settings, embedder="minilm", dimension=384)) as store:
            assert differences(canonical_graph(store, "fresh"), canonical_graph(store, "raced")) == {}
