"""Files with one name: those of different folders are kept, a changed file replaces its old version and says so."""

import pytest

from hopline.documents import document_names

NORTH = "The north depot stores 40 barges."
SOUTH = "The south depot stores 75 barges."


@pytest.fixture
def write(tmp_path):
    """Writes a file below the folder of the test and returns its path."""

    def write_file(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write_file


def list_names(hop, collection):
    return [document.name for document in hop.documents.list(collection)]


def list_changes(batch):
    return {file.name: file.change for file in batch.files}


def test_files_of_one_name_from_two_folders_are_both_answered_from(hop, write):
    hop.add(write("one/readme.md", NORTH), "depots").wait(timeout=240)
    batch = hop.add(write("two/readme.md", SOUTH), "depots").wait(timeout=240)
    assert list_names(hop, "depots") == ["readme (2).md", "readme.md"]
    assert list_changes(batch) == {"readme (2).md": "new"}
    assert batch.replaced == ()
    for depot, barges in (("north", "40"), ("south", "75")):
        answer = hop.ask(f"How many barges does the {depot} depot store?", collection="depots")
        assert barges in answer.text, depot


def test_the_folder_of_each_document_of_one_name_is_listed(hop, write):
    paths = {write("one/a.txt", NORTH), write("two/a.txt", SOUTH)}
    for path in paths:
        hop.add(path, "listed folders")
    assert {document.path for document in hop.documents.list("listed folders")} == {str(path) for path in paths}


def test_a_changed_file_replaces_its_old_version_and_the_result_says_so(hop, write):
    north, south = write("one/a.txt", NORTH), write("two/a.txt", SOUTH)
    hop.add([north, south], "changed files")
    ids = {document.name: document.id for document in hop.documents.list("changed files")}
    south.write_text("The south depot stores 80 barges.")
    batch = hop.add([south], "changed files")
    assert list_changes(batch) == {"a (2).txt": "replaced"}
    assert batch.replaced == ("a (2).txt",)
    again = hop.add([south, north], "changed files")
    assert list_changes(again) == {"a.txt": "unchanged", "a (2).txt": "unchanged"}
    assert {document.name: document.id for document in hop.documents.list("changed files")} == ids


def test_the_same_content_under_the_same_name_is_one_document_whatever_the_folder(hop, write):
    hop.add(write("old/a.txt", NORTH), "moved")
    batch = hop.add(write("new/a.txt", NORTH), "moved")
    assert (list_names(hop, "moved"), list_changes(batch)) == (["a.txt"], {"a.txt": "unchanged"})
    write("new/a.txt", SOUTH)
    assert hop.add(write("new/a.txt", SOUTH), "moved").replaced == ("a.txt",)


def test_an_upload_replaces_the_document_of_its_name(hop, write):
    hop.documents.add(write("temporary 1/a.txt", NORTH), "uploads", uploaded=True)
    again = hop.documents.add(write("temporary 2/a.txt", NORTH), "uploads", uploaded=True)
    assert list_changes(again) == {"a.txt": "unchanged"}
    changed = hop.documents.add(write("temporary 3/a.txt", SOUTH), "uploads", uploaded=True)
    assert changed.replaced == ("a.txt",)
    assert [(document.name, document.path) for document in hop.documents.list("uploads")] == [("a.txt", "")]


def test_a_document_without_a_known_path_is_replaced_by_a_file_of_its_name(hop, store, write):
    """Documents of earlier versions of Hopline have no path; their ids stay the same."""
    hop.add([write("one/a.txt", NORTH), write("two/a.txt", SOUTH)], "older")
    before = hop.documents.list("older")
    with store.driver.session() as session:
        session.run(
            "MATCH (d:Document) WHERE d.id IN $ids REMOVE d.path", ids=[document.id for document in before]
        ).consume()
    hop.add([write("one/a.txt", NORTH), write("two/a.txt", "changed")], "older")
    assert [document.id for document in hop.documents.list("older")] == [document.id for document in before]


def test_rows_of_two_jsonl_files_of_one_name_are_both_kept(hop, write):
    row = '{{"id": "1", "title": "{}", "text": "{}"}}\n'
    hop.add(write("one/rows.jsonl", row.format("North", NORTH)), "row files").wait(timeout=240)
    batch = hop.add(write("two/rows.jsonl", row.format("South", SOUTH)), "row files").wait(timeout=240)
    assert list_changes(batch) == {"rows (2).jsonl": "new"}
    assert list_names(hop, "row files") == ["North", "South"]


def test_a_folder_that_is_added_again_reports_the_files_that_are_gone(hop, write, tmp_path):
    for name in ("reports/a.txt", "reports/2024/b.txt", "reports/c.txt", "reports 2/d.txt"):
        write(name, name)
    write("reports/rows.jsonl", '{"title": "Row", "text": "A row."}')
    assert hop.add([tmp_path / "reports", tmp_path / "reports 2"], "gone").wait(timeout=240).missing == ()
    (tmp_path / "reports/2024/b.txt").unlink()
    (tmp_path / "reports/c.txt").rename(tmp_path / "reports/e.txt")
    (tmp_path / "reports/rows.jsonl").unlink()
    (tmp_path / "reports 2/d.txt").unlink()
    again = hop.add(tmp_path / "reports", "gone")
    assert [file.name for file in again.missing] == ["2024/b.txt", "c.txt", "rows.jsonl"]
    assert list_names(hop, "gone") == ["2024/b.txt", "Row", "a.txt", "c.txt", "d.txt", "e.txt"]
    removed = hop.documents.add(tmp_path / "reports", "gone", remove_missing=True)
    assert removed.missing == again.missing
    assert list_names(hop, "gone") == ["a.txt", "d.txt", "e.txt"]
    assert hop.add(tmp_path / "reports", "gone").missing == ()


def test_two_processes_that_add_files_of_one_name_at_once_keep_both(hop, write, monkeypatch):
    north, south = write("one/a.txt", NORTH), write("two/a.txt", SOUTH)
    assign = document_names.assign_names
    others = [north]

    def assign_while_another_adds(*arguments):
        assigned = assign(*arguments)
        if others:
            hop.add(others.pop(), "at once")
        return assigned

    monkeypatch.setattr("hopline.documents.addition.assign_names", assign_while_another_adds)
    hop.add(south, "at once")
    documents = hop.documents.list("at once")
    assert {document.path: document.name for document in documents} == {str(north): "a.txt", str(south): "a (2).txt"}
