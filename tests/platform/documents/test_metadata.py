"""Metadata of documents that the real worker has processed: where they come from, and what a filter finds by them."""

import json

import pytest
from reportlab.pdfgen.canvas import Canvas

from hopline.errors import UnknownName, UsageError

PORTS = ("Alder", "Brack", "Cove", "Drift", "Ebb", "Fern")
COLLECTION = "ports with metadata"
CHANGED = "changed metadata"


@pytest.fixture(scope="module")
def ports(hop, tmp_path_factory):
    """The folder of a collection of six reports that mention the same engineer; each has its year, two have a tag."""
    folder = tmp_path_factory.mktemp("ports")
    for number, port in enumerate(PORTS):
        table = f"| port | depth |\n|---|---|\n| {port} | {number + 3} m |\n"
        text = f"# Harbour of {port}\n\nIngrid Vale drew the harbour of {port} in Orre.\n\nTable {number + 1}: Depths\n\n{table}"
        (folder / f"{port}.md").write_text(text, encoding="utf-8")
        side = {"year": 2020 + number} | ({"tag": ["risk", "loans"]} if number < 2 else {})
        (folder / f"{port}.md.metadata.json").write_text(json.dumps(side), encoding="utf-8")
    batch = hop.add(folder, COLLECTION, metadata={"owner": "Vale"}).wait(timeout=240)
    assert (batch.failures, batch.skipped, len(batch.ids)) == ((), (), 6)
    return folder


def list_names(hop, filter):
    return [document.name for document in hop.documents.list(COLLECTION, filter=filter)]


def test_documents_have_the_metadata_of_their_side_file_and_of_the_call(hop, ports):
    first, *_, last = hop.documents.list(COLLECTION)
    assert first.metadata == {"owner": "Vale", "tag": ("risk", "loans"), "year": 2020}
    assert hop.documents.get(last.id).metadata == {"owner": "Vale", "year": 2025}


def test_a_filter_selects_documents_by_metadata_and_fixed_fields(hop, ports):
    assert list_names(hop, "year >= 2024") == ["Ebb.md", "Fern.md"]
    assert list_names(hop, "tag = loans and not document = Alder.md") == ["Brack.md"]
    assert list_names(hop, "type = md and pages = 1 and title contains 'of cove'") == ["Cove.md"]
    assert list_names(hop, "") == [f"{port}.md" for port in PORTS]
    assert list_names(hop, "year > 2030") == []
    counts = hop.documents.count(COLLECTION, filter="exists(tag)", text="a")
    assert (counts.total, counts.ready) == (2, 2)
    assert hop.documents.count(COLLECTION, filter="year > 2030").total == 0


def test_an_unknown_key_is_reported_with_the_known_ones(hop, ports):
    with pytest.raises(UnknownName, match=r"'yaer'; did you mean 'year'\? there are: document, owner, .* year"):
        hop.ask("Who drew it?", collection=COLLECTION, filter="owner = x or yaer = 2020")
    with pytest.raises(UsageError, match="character 7: expected a value"):
        hop.retrieve("Who drew it?", collection=COLLECTION, filter="year =")


def test_facets_count_the_documents_of_a_filter(hop, ports):
    owner, tag, year = hop.documents.facets(COLLECTION)
    assert (owner.key, owner.documents, [(item.value, item.documents) for item in owner.values]) == (
        "owner",
        6,
        [("Vale", 6)],
    )
    assert [(item.value, item.documents) for item in tag.values] == [("loans", 2), ("risk", 2)]
    assert (year.kind, year.minimum, year.maximum, year.distinct) == ("number", 2020, 2025, 6)
    filtered = hop.documents.facets(COLLECTION, filter="year > 2023", limit=1)
    assert [(facet.key, facet.distinct, len(facet.values)) for facet in filtered] == [("owner", 1, 1), ("year", 2, 1)]


QUESTIONS = (
    "Who drew the harbour of Cove?",
    "What does page 1 of Brack.md say?",
    "What is the depth of the port in Table 1?",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_strategy_uses_evidence_outside_of_the_filter(hop, ports, question):
    [inside] = hop.documents.list(COLLECTION, filter="year = 2024")
    strategies = [name for name in hop.strategies(usable=True) if name not in UNTRAINED]
    assert {"hopline", "gnn_ret", "hipporag", "dense", "bm25"} <= set(strategies)
    for strategy in strategies:
        answer = hop.ask(question, collection=COLLECTION, filter="year = 2024", strategy=strategy)
        evidence = {item.id: item.document_id for item in answer.evidence}
        assert set(evidence.values()) <= {inside.id}, strategy
        assert evidence or strategy not in {"hopline", "dense"}, strategy
        nodes = {
            node
            for path in (*answer.retrieval.paths, *answer.additional_paths)
            for step in path.steps
            for node in (step.source, step.target)
            if node.kind in {"passage", "table"}
        }
        known = {
            item.id
            for item in hop.retrieve(
                "Ebb", collection=COLLECTION, documents=[inside.id], strategy="dense", k=99
            ).evidence
        }
        assert {node.id for node in nodes} <= known, strategy


UNTRAINED = {"graph_hop"}  # its network is not trained on the machine of a test


def test_documents_and_a_filter_are_intersected(hop, ports):
    def search(documents, filter):
        retrieval = hop.retrieve("harbour", collection=COLLECTION, documents=documents, filter=filter, strategy="bm25")
        return {item.document for item in retrieval.evidence}, retrieval.not_searched

    assert search(["Cove.md", "Ebb.md"], "year > 2022") == ({"Ebb.md"}, "")
    assert search(["Cove.md"], "year > 2022") == (set(), "none of the chosen documents matches the filter year > 2022")


def test_nothing_is_searched_if_no_document_matches(hop, ports):
    answer = hop.ask("Who drew the harbour of Cove?", collection=COLLECTION, filter="year > 2030", strategy="direct")
    assert (answer.status, answer.evidence, answer.retrieval.trace.steps) == ("not_found", (), ())
    assert answer.notice == f"No document of the collection '{COLLECTION}' matches the filter year > 2030."
    [many] = hop.retrieve_many(["harbour"], collection=COLLECTION, filter="year > 2030")
    compared = hop.compare("harbour", strategies=["bm25"], collection=COLLECTION, filter="year > 2030")
    for retrieval in (many, compared["bm25"]):
        assert retrieval.evidence == ()
        assert "matches the filter" in type(retrieval).from_dict(retrieval.to_dict()).not_searched


def test_metadata_are_set_and_removed_without_parsing_again(hop, ports):
    document = hop.documents.list(COLLECTION, text="drift")[0]
    changed = hop.documents.set_metadata("Drift.md", {"year": None, "note": "x"}, collection=COLLECTION)
    assert changed.metadata == {"note": "x", "owner": "Vale"}
    assert (list_names(hop, "note = x"), list_names(hop, "year = 2023")) == (["Drift.md"], [])
    assert hop.documents.progress(COLLECTION).done
    added = hop.add(ports / "Drift.md", COLLECTION, metadata={"year": 1999, "note": None})
    assert ([file.change for file in added.files], added.progress().done) == (["unchanged"], True)
    assert hop.documents.get(document.id).metadata == {"owner": "Vale", "year": 1999}
    assert list_names(hop, "year = 1999") == ["Drift.md"]
    hop.documents.set_metadata(document.id, {"year": 2023}, collection=COLLECTION)
    assert hop.documents.get(document.id) == document
    with pytest.raises(UnknownName):
        hop.documents.set_metadata("nothing.md", {"year": 1}, collection=COLLECTION)
    with pytest.raises(UsageError, match="at most 100 keys"):
        hop.documents.set_metadata("Drift.md", {f"k{n}": n for n in range(99)}, collection=COLLECTION)
    with pytest.raises(UsageError, match="limit must be at least 1"):
        hop.documents.facets(COLLECTION, limit=0)


def draw_pdf(path, text):
    canvas = Canvas(str(path))
    canvas.setAuthor("A. Wong")
    canvas.setKeywords("risk, loans")
    canvas.setSubject("Fees")
    canvas.drawString(72, 700, text)
    canvas.save()
    return path


def test_the_properties_of_a_pdf_are_metadata_unless_the_user_gave_the_key(hop, tmp_path):
    file = draw_pdf(tmp_path / "fees.pdf", "The mooring fee of Alder is 12 crowns.")
    assert hop.add(file, CHANGED, metadata={"subject": "Mooring", "year": 2024}).wait(timeout=240).failures == ()
    [document] = hop.documents.list(CHANGED)
    metadata = dict(document.metadata)
    assert len(metadata.pop("created")) == len("2024-03-01")
    assert metadata == {
        "author": "A. Wong",
        "keywords": ("risk", "loans"),
        "pdf_title": "untitled",
        "subject": "Mooring",
        "year": 2024,
    }
    draw_pdf(file, "The mooring fee of Alder is 13 crowns.")
    assert hop.add(file, CHANGED).wait(timeout=240).files[0].change == "replaced"
    [changed] = hop.documents.list(CHANGED)
    assert (changed.sha256 != document.sha256, changed.metadata["subject"], changed.metadata["year"]) == (
        True,
        "Mooring",
        2024,
    )


def draw_paper(path):
    """Draw a page with a title, authors, a date, an abstract and a DOI."""
    canvas = Canvas(str(path))
    canvas.setAuthor("A. Typist")
    canvas.setFont("Helvetica-Bold", 20)
    canvas.drawString(72, 740, "Salt of the Outer Sound")
    canvas.setFont("Helvetica", 11)
    abstract = "We measured the salt of the sound at four points in every month of the year, and it did not rise."
    rows = ("Ada Byron, Grace Hopper", "University of Tarn", "Published online: 24 November 2023", "Abstract", abstract)
    for row, text in enumerate((*rows, "https://doi.org/10.1000/salt.2023")):
        canvas.drawString(72, 700 - 30 * row, text)
    canvas.save()
    return path


def test_what_the_pages_state_is_between_the_properties_and_the_metadata_of_the_user(hop, tmp_path):
    name = "stated metadata"
    file = draw_paper(tmp_path / "salt.pdf")
    assert hop.add(file, name, metadata={"organisation": "Orre"}).wait(timeout=240).failures == ()
    [document] = hop.documents.list(name)
    assert [(entry.key, entry.value, entry.page) for entry in document.bibliography if entry.key == "authors"] == [
        ("authors", "Ada Byron", 1),
        ("authors", "Grace Hopper", 1),
    ]
    stated = {"authors": ("Ada Byron", "Grace Hopper"), "date": "2023-11-24", "doi": "10.1000/salt.2023"}
    assert stated.items() <= document.metadata.items()
    assert (document.metadata["author"], document.metadata["organisation"]) == ("A. Typist", "Orre")
    assert hop.documents.get(document.id).bibliography == document.bibliography
    for filter in ("authors contains hopper", "date >= 2023-11 and date < 2024", "doi = 10.1000/salt.2023"):
        assert hop.documents.count(name, filter=filter).total == 1, filter
    changed = hop.documents.set_metadata("salt.pdf", {"date": "2020-01-01", "doi": None}, collection=name)
    assert (changed.metadata["date"], "doi" in changed.metadata) == ("2020-01-01", False)
    assert hop.documents.count(name, filter="date >= 2023").total == 0


def test_metadata_of_rows_are_united_for_each_document(hop, tmp_path):
    file = tmp_path / "rows.jsonl"

    def add_rows(*rows):
        file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
        return hop.add(file, "rows with metadata", metadata={"source": "rows"}).wait(timeout=240)

    first = {"title": "Alder", "text": "Alder is a port.", "metadata": {"year": 2020, "tag": "risk"}}
    second = {"title": "Alder", "text": "It is small.", "metadata": {"year": 2021, "tag": "risk"}}
    other = {"title": "Brack", "text": "Brack is a port."}
    batch = add_rows(first, second, other, {"title": "Cove", "text": "Cove.", "metadata": [1]})
    assert "line 4 has invalid metadata must be a mapping" in str(batch.failures)
    alder, brack = hop.documents.list("rows with metadata")
    assert alder.metadata == {"source": "rows", "tag": "risk", "year": (2020, 2021)}
    assert brack.metadata == {"source": "rows"}
    assert [item.name for item in hop.documents.list("rows with metadata", filter="type = jsonl and year = 2021")] == [
        "Alder"
    ]
    add_rows(first, {**second, "metadata": {"year": 2022}}, other)
    assert hop.documents.get(alder.id).metadata == {"source": "rows", "tag": "risk", "year": (2020, 2022)}


def test_exported_metadata_are_imported_and_exported_again(hop, ports, tmp_path):
    hop.export(COLLECTION, tmp_path / "first")
    hop.import_collection(tmp_path / "first", "ports again")
    hop.rename_collection("ports again", "ports imported")
    copies = hop.documents.list("ports imported", filter="year >= 2024")
    assert [(copy.name, copy.metadata) for copy in copies] == [
        ("Ebb.md", {"owner": "Vale", "year": 2024}), ("Fern.md", {"owner": "Vale", "year": 2025}),
    ]  # fmt: skip
    lines = [json.loads(line) for line in (tmp_path / "first" / "documents.jsonl").read_text("utf-8").splitlines()]
    assert [json.loads(line["metadata_side"])["year"] for line in sorted(lines, key=lambda line: line["name"])] == [
        *range(2020, 2026)
    ]
