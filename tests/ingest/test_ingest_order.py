"""The same documents give the same graph, in whatever order and by whatever changes they came."""

import json

import pytest
from canonical import canonical_graph, differences

TEXTS = {
    "halm.md": "# Halm\n\nThe harbour of Halm was built by Ingrid Vale in 1931. Halm Ferries (HF) owns the quay.\n\n"
    "# Fleet\n\nHF runs the Tern. The Tern sails from Halm to Orre every day.\n",
    "orre.md": "# Orre\n\nSlate is quarried on the island of Orre. Ingrid Vale studied in Orre before she went to Halm.\n",
    "vale.txt": "Ingrid Vale\n\nIngrid Vale was an engineer from Bergen. She founded Vale and Sons in Bergen in 1920.\n",
    "sons.txt": "Vale and Sons\n\nVale and Sons is a firm in Bergen. It built the Orre Lighthouse for Halm Ferries.\n",
    "light.txt": "Orre Lighthouse\n\nThe Orre Lighthouse was built in 1927. Its lamp is seen from Halm and from Bergen.\n",
}
ROWS = [
    {"id": str(n), "title": f"Ship {n}", "text": f"Ship {n} of Halm Ferries was built in {1900 + n} by Vale and Sons."}
    for n in range(24)
]


def write(folder, names):
    for name in names:
        (folder / name).write_text(TEXTS[name], encoding="utf-8")
    return [folder / name for name in names]


@pytest.fixture(scope="module")
def fresh(hop, store, tmp_path_factory):
    """The graph of all documents, added at once."""
    folder = tmp_path_factory.mktemp("fresh")
    (folder / "ships.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    hop.add([*write(folder, TEXTS), folder / "ships.jsonl"], collection="fresh").wait(timeout=240)
    return canonical_graph(store, "fresh")


def test_one_by_one_and_backwards_gives_the_graph_of_all_at_once(hop, store, tmp_path, fresh):
    (tmp_path / "ships.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    hop.add(tmp_path / "ships.jsonl", collection="backwards").wait(timeout=240)
    for name in reversed(TEXTS):
        hop.add(write(tmp_path, [name]), collection="backwards").wait(timeout=240)
    assert differences(fresh, canonical_graph(store, "backwards")) == {}


def test_changed_and_removed_documents_leave_no_trace(hop, store, tmp_path, fresh):
    files = write(tmp_path, TEXTS)
    (tmp_path / "ships.jsonl").write_text(
        "\n".join(json.dumps(row) for row in [*ROWS[:4], ROWS[5] | {"text": "Gone."}])
    )
    (tmp_path / "halm.md").write_text("# Halm\n\nHalm Fishing (HF) is a company. HF owns Orre Lighthouse.\n")
    (tmp_path / "extra.txt").write_text(
        "Bergen Ferries\n\nThe firm of Vale. Bergen Ferries sails to Orre and to Halm.\n"
    )
    hop.add([*files, tmp_path / "extra.txt", tmp_path / "ships.jsonl"], collection="changed all").wait(timeout=240)
    hop.documents.remove("extra.txt", collection="changed all")
    hop.documents.remove("orre.md", collection="changed all")
    (tmp_path / "ships.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    hop.add([*write(tmp_path, TEXTS), tmp_path / "ships.jsonl"], collection="changed all").wait(timeout=240)
    assert differences(fresh, canonical_graph(store, "changed all")) == {}
