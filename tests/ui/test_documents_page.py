"""Documents, without a browser: adding, progress, the list, trying again, removing."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from canned import HOSTILE, Canned, a_document, unreachable

from hopline.client import Progress, Reading
from hopline_ui.session.questions import Asked
from hopline_ui.uploads import add_files, free_name, safe_name

BUSY = Progress(
    documents=5, documents_done=1, documents_failed=1, pages=80, pages_done=42, passages=210, extracted=180, embedded=90,
    reading=("big_report.pdf: page 12 of 80",),
)  # fmt: skip


def keys(page):
    return [str(button.key) for button in page.button]


def test_every_document_is_listed_with_what_was_read_and_what_was_bad(open_page, told):
    page = open_page("documents")
    text = told(page)
    assert "permit-file.pdf" in text
    assert "2 pages · 9 passages · 7 entities" in text
    assert '<p class="reason" dir="auto">It is protected by a password.</p>' in text
    assert "page 1: letters could not be told" in text
    assert page.subheader[0].value == "5 documents"


def test_names_are_shown_as_they_are_and_never_read_as_markup(open_page, told):
    page = open_page("documents")
    assert "&lt;script&gt;window.hacked = 1&lt;/script&gt; $x$ :material/bug_report: **bold** 🦊 تقرير.txt" in told(
        page
    )
    for block in page.get("html"):
        assert "<script" not in block.body
    for block in page.markdown:
        assert "<script" not in block.value or "\\<script" in block.value


def test_dropped_files_are_added_under_their_own_names_and_the_box_empties(open_page, hop):
    page = open_page("documents")
    page.file_uploader(key="drop 0").set_value(
        [("a report.pdf", b"%PDF-1.7 one", "application/pdf"), ("b.md", b"# two", "text/markdown")]
    )
    page = page.run()
    page = page.button(key="read").click().run()
    assert hop.added == [("nordvik", "a report.pdf", b"%PDF-1.7 one"), ("nordvik", "b.md", b"# two")]
    assert not page.exception
    assert page.file_uploader(key="drop 1").value == []


def test_two_dropped_files_of_one_name_are_both_kept(open_page, hop):
    page = open_page("documents")
    page.file_uploader(key="drop 0").set_value([("a.txt", b"one", "text/plain"), ("a.txt", b"two", "text/plain")])
    page.run().button(key="read").click().run()
    assert [(name, data) for _, name, data in hop.added] == [("a.txt", b"one"), ("a (2).txt", b"two")]


def test_a_typed_name_makes_a_collection_with_the_first_files(open_page, hop, told):
    page = open_page("documents")
    page.session_state["collection"] = "plans"  # AppTest cannot type into the box; the browser's test does
    page = page.run()
    assert "“plans” is empty" in told(page)
    page.file_uploader(key="drop 0").set_value([("a.txt", b"one", "text/plain")])
    page = page.run().button(key="read").click().run()
    assert hop.added == [("plans", "a.txt", b"one")]
    assert page.selectbox(key="collection box").value == "plans"


def test_progress_tells_documents_pages_passages_and_what_is_open(open_page, hop, told):
    hop.now = BUSY
    page = open_page("documents")
    [bar] = page.get("progress")
    assert bar.proto.text == (
        "**Reading** · 2 of 5 documents · 1 failed · 42 of 80 pages · 210 passages: 180 extracted, 90 embedded"
    )
    assert 25 < bar.proto.value < 75


def test_each_document_tells_its_own_page_and_then_its_passages(open_page, hop, told):
    hop.now = BUSY
    big = a_document("nordvik", "big_report.pdf", state="waiting", pages=80, passages=0)
    small = a_document("nordvik", "small.pdf", pages=2, passages=9)
    hop.kept["nordvik"] = [big, small]
    hop.far = {big.id: Reading(80, 12), small.id: Reading(2, 2, 9, 9, 4, 31)}
    page = open_page("documents")
    assert "page 12 of 80" in told(page)
    assert "4 of 9 passages embedded" in told(page)
    assert 'style="width:8%"' in told(page)
    assert [badge.proto.body for badge in page.markdown].count(":blue-badge[:material/hourglass_top: reading]") == 2
    hop.now, hop.far = Progress(done=True), {}
    hop.kept["nordvik"] = [small]
    page = page.run()
    assert "embedded" not in told(page).replace("90 embedded", "")
    assert "2 pages · 9 passages · 7 entities" in told(page)


def test_progress_goes_when_everything_is_read(open_page, hop):
    hop.now = BUSY
    page = open_page("documents")
    hop.now = replace(BUSY, done=True)
    assert not page.run().get("progress")


def test_questions_can_be_asked_while_the_reading_goes_on(open_page, hop):
    hop.now = BUSY
    page = open_page("ask")
    assert len(page.get("progress")) == 1
    assert page.button(key="ask")


def test_failed_documents_can_be_tried_again(open_page, hop):
    page = open_page("documents")
    assert page.button(key="retry").label == "Try 1 failed document again"
    page = page.button(key="retry").click().run()
    assert hop.retried == [("nordvik", None)]
    assert "retry" not in keys(page)


def test_one_failed_document_is_tried_again_alone(open_page, hop, told):
    [locked] = [one for one in hop.documents("nordvik") if one.state == "failed"]
    open_page("documents").button(key=f"retry {locked.id}").click().run()
    assert hop.retried == [("nordvik", locked.id)]


def test_passages_that_were_read_with_a_warning_can_be_tried_again_with_as_many_calls(open_page, hop, told):
    hop.extracts = True
    [permit] = [one for one in hop.documents("nordvik") if one.name == "permit-file.pdf"]
    hop.far = {permit.id: Reading(2, 2, 9, 9, 9, 7, 3, "read without the model: the cap is reached")}
    page = open_page("documents")
    assert "3 passages: read without the model: the cap is reached" in told(page)
    page.button(key=f"retry {permit.id}").click().run()
    assert (hop.retried, hop.caps) == ([("nordvik", permit.id)], [3])


def test_with_a_model_a_cap_is_offered_and_kept(open_page, hop, told):
    hop.extracts = True
    page = open_page("documents")
    page.file_uploader(key="drop 0").set_value([("a.txt", b"one", "text/plain")])
    page = page.run()
    assert "60 model calls, 42,000 tokens" in told(page).replace("\\", "")
    page.number_input(key="max calls").set_value(20)
    page.run().button(key="read").click().run()
    assert hop.caps == [20]


def test_a_collection_is_renamed_and_stays_chosen(open_page, hop, told):
    page = open_page("documents")
    page.text_input(key="new name nordvik").set_value("plans 2030")
    page = page.button(key="rename collection").click().run()
    assert [one.name for one in hop.collections()] == ["plans 2030"]
    assert page.selectbox(key="collection box").value == "plans 2030"
    assert not page.exception


def test_files_of_a_folder_keep_their_paths_and_hidden_ones_stay_out(hop):
    class File(io.BytesIO):
        name = ""

    files = []
    for name in ("plans/a.md", "plans/2030/a.md", "plans/.git/b.md", "plans/../c.md"):
        files.append(File(b"text"))
        files[-1].name = name
    add_files(hop, files, "nordvik")
    assert sorted(name for _, name, _ in hop.added) == ["2030/a.md", "a.md"]


def test_a_document_is_removed_after_a_second_click(open_page, hop, told):
    [wanted] = [one for one in hop.documents("nordvik") if one.name == "permit-file.pdf"]
    page = open_page("documents")
    page = page.button(key=f"remove {wanted.id}").click().run()
    assert "permit-file.pdf" not in told(page)
    assert [one.name for one in hop.documents("nordvik")].count("permit-file.pdf") == 0


def test_a_collection_is_removed_with_all_that_was_read(open_page, hop):
    page = open_page("documents").button(key="remove collection").click().run()
    assert hop.collections() == []
    assert not page.exception


def test_a_thousand_documents_are_shown_in_pages_and_found_by_name(open_page, hop, told):
    hop.kept["nordvik"] = [a_document("nordvik", f"report {number:04}.pdf") for number in range(1000)]
    page = open_page("documents")
    assert page.subheader[0].value == "1,000 documents"
    assert told(page).count('<div class="document">') == 25
    page = page.text_input(key="find document").set_value("REPORT 0777").run()
    assert told(page).count('<div class="document">') == 1
    assert "report 0777.pdf" in told(page)


def test_no_collection_at_all_is_no_error(open_page, hop: Canned, told):
    hop.kept.clear()
    page = open_page("documents")
    assert "is empty. Drop your documents above to begin." in told(page)


def test_a_graph_that_is_away_is_said_here_too(open_page, hop, told):
    hop.trouble = unreachable()
    assert "**The graph is away.**" in told(open_page("documents"))


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("report.pdf", "report.pdf"),
        ("C:\\fakepath\\report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("a\x00b?.pdf", "ab.pdf"),
        ("تقرير 🦊.pdf", "تقرير 🦊.pdf"),
        ("...", "document"),
        ("", "document"),
    ],
)
def test_uploaded_names_lose_their_folders_and_what_no_file_may_have(given, kept):
    assert safe_name(given) == kept


def test_a_long_name_keeps_its_suffix_and_fits_a_file_system():
    name = safe_name("é" * 400 + ".pdf")
    assert name.endswith("é.pdf")
    assert len(name.encode()) <= 120


def test_names_differing_in_case_only_are_told_apart():
    taken: set[str] = set()
    assert [free_name(name, taken) for name in ("A.pdf", "a.pdf", "a", "a", HOSTILE)] == [
        "A.pdf", "a (2).pdf", "a", "a (2)", HOSTILE,
    ]  # fmt: skip


def test_what_reading_would_take_is_said_before_it_begins_and_what_cannot_be_read(open_page, hop, told):
    page = open_page("documents")
    page.file_uploader(key="drop 0").set_value([("a.txt", b"one", "text/plain")])
    page = page.run()
    assert "1 document · about 14 pages, 60 passages, 12 s" in told(page).replace("\\", "")
    assert hop.added == [], "nothing is read before the button is pressed"


def test_a_document_is_opened_at_its_first_page(open_page, hop, told):
    page = open_page("documents")
    [permit] = [one for one in hop.kept["nordvik"] if one.name == "permit-file.pdf"]
    page = page.button(key=f"open {permit.id}").click().run()
    assert not page.exception
    assert "**permit\\-file\\.pdf**" in told(page)
    assert [button.proto.label for button in page.get("download_button")] == ["The file itself"]
    page = page.run()
    assert not page.get("download_button"), "it is opened once"


def test_what_was_kept_of_a_collection_goes_with_its_name(open_page, hop):
    page = open_page("documents")
    page.session_state["sketches"] = {"nordvik": "a picture", "other": "another"}
    page.session_state["answers"] = {
        Asked("Who?", "nordvik", "bm25", ()): "Ada",
        Asked("Who?", "other", "bm25", ()): "Bo",
    }
    page.text_input(key="new name nordvik").set_value("plans 2030")
    page = page.button(key="rename collection").click().run()
    assert list(page.session_state["sketches"]) == ["other"]
    assert [one.collection for one in page.session_state["answers"]] == ["other"]
