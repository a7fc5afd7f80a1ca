"""The Documents page without a browser: upload, progress, list, retry, delete."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from nordvik import HOSTILE, unreachable, use_model
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from hopline.bibliography import convert_to_metadata
from hopline.documents.progress import DocumentProgress, Progress
from hopline.documents.uploads import clean_name, make_unique
from hopline.records import BibliographicEntry, Box
from hopline.testing import FakeHopline, make_document
from hopline_ui.session.questions import SessionQuestion
from hopline_ui.uploads import add_files

BUSY = Progress(
    documents=5, documents_done=1, documents_failed=1, pages=80, pages_done=42, passages=210, extracted=180, embedded=90,
    reading=("big_report.pdf: page 12 of 80",),
)  # fmt: skip


def list_retries(hop: FakeHopline):
    return hop.state.calls_of("documents.retry")


def keys(page):
    return [str(button.key) for button in page.button]


def test_the_page_says_what_happened_to_a_worker_with_other_settings(open_page, hop):
    hop.state.worker_notice = "the worker was restarted with new settings: HOPLINE_MODEL is m (was not set)"
    page = open_page("documents").button(key="retry").click().run()
    [toast] = page.toast
    assert toast.value.replace("\\", "") == (
        "The worker was restarted with new settings: HOPLINE_MODEL is m (was not set)."
    )


def test_every_document_is_listed_with_its_sizes_and_warnings(open_page, page_text):
    page = open_page("documents")
    text = page_text(page)
    assert "permit-file.pdf" in text
    assert "2 pages · 9 passages · 7 entities" in text
    assert '<p class="reason" dir="auto">It is protected by a password.</p>' in text
    assert "page 1: letters could not be recognised" in text
    assert '<p dir="auto">Permit &lt;office&gt;</p>' in text
    assert page.subheader[0].value == "5 documents"


def test_names_are_shown_verbatim_and_never_as_markup(open_page, page_text):
    page = open_page("documents")
    assert (
        "&lt;script&gt;window.hacked = 1&lt;/script&gt; $x$ :material/bug_report: **bold** 🦊 تقرير.txt"
        in page_text(page)
    )
    for block in page.get("html"):
        assert "<script" not in block.body
    for block in page.markdown:
        assert "<script" not in block.value or "\\<script" in block.value


def test_uploaded_files_are_added_under_their_own_names_and_the_uploader_is_emptied(open_page, hop):
    page = open_page("documents")
    page.file_uploader(key="drop 0").set_value(
        [("a report.pdf", b"%PDF-1.7 one", "application/pdf"), ("b.md", b"# two", "text/markdown")]
    )
    page = page.run()
    page = page.button(key="read").click().run()
    assert hop.state.added == [("nordvik", "a report.pdf", b"%PDF-1.7 one"), ("nordvik", "b.md", b"# two")]
    assert not page.exception
    assert page.file_uploader(key="drop 1").value == []


def test_the_password_of_a_protected_pdf_is_asked_for_and_removed_from_the_file(open_page, hop, page_text):
    data = io.BytesIO()
    canvas = Canvas(data, encrypt=StandardEncryption("open sesame", strength=128))
    canvas.drawString(50, 700, "The harbour of Halm")
    canvas.save()
    page = open_page("documents")
    page.file_uploader(key="drop 0").set_value([("locked.pdf", data.getvalue(), "application/pdf")])
    page = page.run()
    assert "locked\\.pdf\\:" in page_text(page)
    page = page.text_input(key="password locked.pdf").input("wrong").run().button(key="read").click().run()
    assert "the password of locked\\.pdf is wrong" in page.error[0].value
    assert hop.state.added == []
    page = page.text_input(key="password locked.pdf").input("open sesame").run().button(key="read").click().run()
    [(_, name, added)] = hop.state.added
    assert name == "locked.pdf"
    assert b"/Encrypt" not in added


def test_two_uploads_with_one_name_are_both_added(open_page, hop):
    page = open_page("documents")
    page.file_uploader(key="drop 0").set_value([("a.txt", b"one", "text/plain"), ("a.txt", b"two", "text/plain")])
    page.run().button(key="read").click().run()
    assert [(name, data) for _, name, data in hop.state.added] == [("a.txt", b"one"), ("a (2).txt", b"two")]


def test_an_upload_that_replaces_a_document_is_said(open_page, hop):
    hop.state.documents["nordvik"] = [make_document("nordvik", "a.txt")]
    page = open_page("documents")
    page.file_uploader(key="drop 0").set_value([("a.txt", b"one", "text/plain"), ("b.txt", b"two", "text/plain")])
    page = page.run().button(key="read").click().run()
    assert [toast.value for toast in page.toast] == [
        "1 document added · 1 replaced by a changed file: a\\.txt. You can close this tab; processing continues."
    ]
    assert [call["uploaded"] for call in hop.state.calls_of("documents.add")] == [True]


def test_a_typed_name_creates_a_collection_with_the_first_files(open_page, hop, page_text):
    page = open_page("documents")
    page.session_state["state"].collection = "plans"  # AppTest cannot type into the box; the browser test does
    page = page.run()
    assert "“plans” has no documents yet" in page_text(page)
    page.file_uploader(key="drop 0").set_value([("a.txt", b"one", "text/plain")])
    page = page.run().button(key="read").click().run()
    assert hop.state.added == [("plans", "a.txt", b"one")]
    assert page.selectbox(key="collection box").value == "plans"


def test_progress_counts_documents_pages_and_passages(open_page, hop, page_text):
    hop.state.progress = BUSY
    page = open_page("documents")
    [bar] = page.get("progress")
    assert bar.proto.text == (
        "**Processing** · 2 of 5 documents · 1 failed · 42 pages read · Finding entities 180 · Indexing 90"
    )
    assert 25 < bar.proto.value < 75


def test_each_document_shows_its_page_progress_and_then_its_passage_progress(open_page, hop, page_text):
    hop.state.progress = BUSY
    big = make_document("nordvik", "big_report.pdf", state="waiting", pages=80, passages=0)
    small = make_document("nordvik", "small.pdf", pages=2, passages=9)
    hop.state.documents["nordvik"] = [big, small]
    hop.state.document_progress = {big.id: DocumentProgress(80, 12), small.id: DocumentProgress(2, 2, 9, 9, 4, 31)}
    page = open_page("documents")
    assert "Page 12 of 80" in page_text(page)
    assert "Indexing 4/9" in page_text(page)
    assert 'style="width:8%"' in page_text(page)
    assert [badge.proto.body for badge in page.markdown].count(":blue-badge[:material/hourglass_top: processing]") == 2
    hop.state.progress, hop.state.document_progress = Progress(done=True), {}
    hop.state.documents["nordvik"] = [small]
    page = page.run()
    assert "Indexing 4/9" not in page_text(page)
    assert "2 pages · 9 passages · 7 entities" in page_text(page)


def test_the_progress_bar_disappears_when_processing_is_done(open_page, hop):
    hop.state.progress = BUSY
    page = open_page("documents")
    hop.state.progress = replace(BUSY, done=True)
    assert not page.run().get("progress")


def test_questions_can_be_asked_during_processing(open_page, hop):
    hop.state.progress = BUSY
    page = open_page("ask")
    assert len(page.get("progress")) == 1
    assert page.button(key="ask")


def test_failed_documents_can_be_retried(open_page, hop):
    page = open_page("documents")
    assert page.button(key="retry").label == "Retry 1 failed document"
    page = page.button(key="retry").click().run()
    assert [(call["collection"], call["document"]) for call in list_retries(hop)] == [("nordvik", None)]
    assert "retry" not in keys(page)


def test_one_failed_document_can_be_retried_alone(open_page, hop, page_text):
    [locked] = [document for document in hop.documents.list("nordvik") if document.state == "failed"]
    open_page("documents").button(key=f"retry {locked.id}").click().run()
    assert [(call["collection"], call["document"]) for call in list_retries(hop)] == [("nordvik", locked.id)]


def test_passages_with_a_warning_can_be_retried_with_as_many_calls(open_page, hop, page_text):
    use_model(hop)
    [permit] = [document for document in hop.documents.list("nordvik") if document.name == "permit-file.pdf"]
    hop.state.document_progress = {
        permit.id: DocumentProgress(2, 2, 9, 9, 9, 7, 3, "read without the model: the cap is reached")
    }
    page = open_page("documents")
    assert "3 passages: read without the model: the cap is reached" in page_text(page)
    page.button(key=f"retry {permit.id}").click().run()
    [call] = list_retries(hop)
    assert (call["collection"], call["document"], call["max_calls"]) == ("nordvik", permit.id, 3)


def test_with_a_model_the_number_of_calls_can_be_limited(open_page, hop, page_text):
    use_model(hop)
    page = open_page("documents")
    page.file_uploader(key="drop 0").set_value([("a.txt", b"one", "text/plain")])
    page = page.run()
    assert "60 model calls, 42,000 tokens" in page_text(page).replace("\\", "")
    page.number_input(key="max calls").set_value(20)
    page.run().button(key="read").click().run()
    assert [call["max_calls"] for call in hop.state.calls_of("documents.add")] == [20]


def test_a_renamed_collection_stays_selected(open_page, hop, page_text):
    page = open_page("documents")
    page.text_input(key="new name nordvik").set_value("plans 2030")
    page = page.button(key="rename collection").click().run()
    assert [collection.name for collection in hop.collections()] == ["plans 2030"]
    assert page.selectbox(key="collection box").value == "plans 2030"
    assert not page.exception


def test_files_of_a_folder_keep_their_paths_and_hidden_ones_are_skipped(hop):
    class File(io.BytesIO):
        name = ""

    files = []
    for name in ("plans/a.md", "plans/2030/a.md", "plans/.git/b.md", "plans/../c.md"):
        files.append(File(b"text"))
        files[-1].name = name
    add_files(hop, files, "nordvik")
    assert sorted(name for _, name, _ in hop.state.added) == ["2030/a.md", "a.md"]


def test_a_document_is_deleted_after_confirmation(open_page, hop, page_text):
    [wanted] = [document for document in hop.documents.list("nordvik") if document.name == "permit-file.pdf"]
    page = open_page("documents")
    page = page.button(key=f"remove {wanted.id}").click().run()
    assert "permit-file.pdf" not in page_text(page)
    assert [document.name for document in hop.documents.list("nordvik")].count("permit-file.pdf") == 0


def test_a_collection_is_deleted_with_its_documents(open_page, hop):
    page = open_page("documents").button(key="remove collection").click().run()
    assert hop.collections() == []
    assert not page.exception


def test_a_thousand_documents_are_paginated_and_filtered_by_name(open_page, hop, page_text):
    hop.state.documents["nordvik"] = [make_document("nordvik", f"report {number:04}.pdf") for number in range(1000)]
    page = open_page("documents")
    assert page.subheader[0].value == "1,000 documents"
    assert page_text(page).count('<div class="document">') == 25
    page = page.text_input(key="find document").set_value("REPORT 0777").run()
    assert page_text(page).count('<div class="document">') == 1
    assert "report 0777.pdf" in page_text(page)


def test_no_collections_are_not_an_error(open_page, hop: FakeHopline, page_text):
    hop.state.documents.clear()
    page = open_page("documents")
    assert "has no documents yet. Upload documents above." in page_text(page)


def test_retry_is_offered_only_for_documents_whose_files_are_not_at_fault(open_page, hop):
    locked = make_document("nordvik", "locked.pdf", state="failed", reason="the PDF is password-protected; save it")
    slow = make_document("nordvik", "slow.pdf", state="failed", reason="the page was not parsed within 300 seconds")
    hop.state.documents["nordvik"] = [locked]
    assert not {"retry", f"retry {locked.id}"} & set(keys(open_page("documents")))
    hop.state.documents["nordvik"] = [locked, slow]
    page = open_page("documents")
    assert f"retry {locked.id}" not in keys(page)
    assert f"retry {slow.id}" in keys(page)
    assert page.button(key="retry").label == "Retry 1 failed document"
    page.button(key="retry").click().run()
    assert [call["document"] for call in list_retries(hop)] == [slow.id]


def test_a_worker_that_ended_is_named_below_the_progress(open_page, hop, page_text):
    hop.state.progress = replace(BUSY, worker="the worker ended before its work was done; it was started again")
    for name in ("documents", "ask"):
        assert "The worker ended before its work was done" in page_text(open_page(name)).replace("\\", "")
    hop.state.progress = BUSY
    assert ":material/sync_problem:" not in page_text(open_page("documents"))


def test_an_unreachable_database_shows_a_message(open_page, hop, page_text):
    hop.state.error = unreachable()
    assert "**Database not reachable, retrying.**" in page_text(open_page("documents"))


@pytest.mark.parametrize(
    ("name", "expected"),
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
def test_uploaded_names_lose_folders_and_invalid_characters(name, expected):
    assert clean_name(name) == expected


def test_a_long_name_keeps_its_suffix_and_fits_a_file_system():
    name = clean_name("é" * 400 + ".pdf")
    assert name.endswith("é.pdf")
    assert len(name.encode()) <= 120


def test_names_that_differ_only_in_case_are_made_unique():
    used_names: set[str] = set()
    assert [make_unique(name, used_names) for name in ("A.pdf", "a.pdf", "a", "a", HOSTILE)] == [
        "A.pdf", "a (2).pdf", "a", "a (2)", HOSTILE,
    ]  # fmt: skip


def test_the_estimate_is_shown_before_files_are_added(open_page, hop, page_text):
    page = open_page("documents")
    page.file_uploader(key="drop 0").set_value([("a.txt", b"one", "text/plain")])
    page = page.run()
    assert "1 document · about 14 pages, 60 passages, 12 s" in page_text(page).replace("\\", "")
    assert hop.state.added == [], "nothing is added before the button is pressed"


def test_renaming_a_collection_clears_its_cache(open_page, hop):
    page = open_page("documents")
    page.session_state["state"].canvases = {"nordvik": "a picture", "other": "another"}
    page.session_state["state"].answers = {
        SessionQuestion("Who?", "nordvik", "bm25", ()): "Ada",
        SessionQuestion("Who?", "other", "bm25", ()): "Bo",
    }
    page.text_input(key="new name nordvik").set_value("plans 2030")
    page = page.button(key="rename collection").click().run()
    assert list(page.session_state["state"].canvases) == ["other"]
    assert [question.collection for question in page.session_state["state"].answers] == ["other"]


def test_the_card_of_a_document_has_each_value_with_its_page(open_page, hop, page_text):
    box = Box(1, 72.0, 80.0, 200.0, 92.0)
    entries = (
        BibliographicEntry("title", "Salt of the Sound", "Salt of the Sound", 1, (box,)),
        BibliographicEntry("authors", "Ada <b>Byron</b>", "Ada Byron", 1, (box,)),
        BibliographicEntry("authors", "Grace Hopper", "Grace Hopper", 1, (box,)),
        BibliographicEntry("date", "2023-11-24", "24 November 2023", 2, (box,)),
        BibliographicEntry("abstract", "We measured the salt.", "We measured the salt.", 1, (box,)),
        BibliographicEntry("doi", "10.1000/salt"),
        BibliographicEntry("language", "en"),
        BibliographicEntry("field", "4711", "4711", 1, (box,), label="Invoice <i>number"),
    )
    metadata = convert_to_metadata(entries) | {"owner": "Vale"}
    documents = hop.state.documents_of("nordvik")
    documents[0] = replace(documents[0], bibliography=entries, metadata=metadata)
    text = page_text(open_page("documents"))
    card = text[text.index('<p class="card"') :]
    assert card.index("Ada &lt;b&gt;Byron&lt;/b&gt;, Grace Hopper <span") < card.index("2023-11-24 ")
    assert "(p. 1)" in card
    assert "DOI 10.1000/salt" in card
    assert "(file properties)" in card
    assert "We measured the salt." in card
    assert '<th scope="row" dir="auto">Invoice &lt;i&gt;number</th><td dir="auto">4711 <span' in card
    assert "owner: Vale" in text
    assert "invoice_i_number: " not in text  # the card has it
    assert "authors: " not in text  # the card has it
    assert len(hop.documents.list("nordvik", text="hopper")) == 1
