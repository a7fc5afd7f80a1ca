"""Source ids of rows: those given in a file, and distinct ones for rows without an id."""

import json

from hopline.evaluation.ranking_metrics import group_by_source, recall


def add_rows(hop, path, *rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(map(json.dumps, rows)))
    assert hop.add(path, collection="row ids").wait(timeout=240).failures == ()


def test_rows_without_ids_of_two_files_are_distinct_sources(hop, tmp_path):
    add_rows(hop, tmp_path / "a.jsonl", {"text": "The tern dives."}, {"id": "p2", "text": "The tern breeds."})
    add_rows(hop, tmp_path / "b.jsonl", {"text": "The tern sleeps."}, {"title": "Tern", "text": "The tern flies."})
    add_rows(hop, tmp_path / "other" / "a.jsonl", {"text": "The tern rests."})
    evidence = hop.retrieve("tern", collection="row ids", strategy="bm25").evidence
    sources = {item.text: item.source_id for item in evidence}
    assert sources == {
        "The tern dives.": "a.jsonl:1",
        "The tern breeds.": "p2",
        "The tern sleeps.": "b.jsonl:1",
        "The tern flies.": "b.jsonl:2",
        "The tern rests.": "a (2).jsonl:1",
    }
    names = {document.name for document in hop.documents.list("row ids")}
    assert names == {"row 1", "row p2", "Tern"}
    ranked = group_by_source(evidence)
    assert len(ranked) == 5
    for source in sources.values():
        assert recall(ranked, [source], 5) == 1.0
        assert sum(source in ids for ids in ranked) == 1


def test_the_passages_of_a_split_row_are_one_source_in_the_metrics(hop, tmp_path):
    long = " ".join(f"The auk of rock {n} dives for herring." for n in range(60))
    rows = {"id": "p1", "title": "Auk", "text": long, "split": True}, {"id": "p2", "title": "Gull", "text": "An auk?"}
    add_rows(hop, tmp_path / "auks.jsonl", *rows)
    evidence = hop.retrieve("auk", collection="row ids", documents=["Auk", "Gull"], strategy="bm25").evidence
    pieces = [item for item in evidence if item.source_id == "p1"]
    assert len(pieces) > 1
    assert {item.document for item in pieces} == {"Auk"}
    ranked = group_by_source(evidence)
    assert len(ranked) == 2
    assert recall(ranked, ["p1", "p2"], 2) == 1.0
    assert recall(ranked, [pieces[1].id], 2) == 1.0
