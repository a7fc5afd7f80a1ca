"""The Ask page without a browser: answer, sources, address, errors."""

from __future__ import annotations

import json
from concurrent.futures import wait as wait_for
from dataclasses import replace
from threading import Event

import pytest
from nordvik import FACTS, QUESTION, change_answers, communities, look_up_third_source, unreachable

from hopline.documents.progress import Progress
from hopline.errors import UsageError
from hopline.question_suggestions import SuggestedQuestion
from hopline.records import BibliographicEntry
from hopline.results import Citation, Sentence

NORDVIK = {"q": QUESTION, "collection": "nordvik", "strategy": "gnn_ret"}


def read_graph(page):
    [component] = page.get("bidi_component")
    return json.loads(component.proto.mixed.json or component.proto.json)


def press(page, key):
    return page.button(key=key).click().run()


def test_a_question_typed_and_sent_is_answered_with_numbered_citations(open_page, hop, page_text):
    page = open_page()
    page.text_input(key="question text").set_value(QUESTION)
    page = page.button(key="ask").click().run()
    assert "which operates the Skagen Wind Farm." in page_text(page)
    assert [button.label for button in page.button if str(button.key).startswith("cite")] == ["1", "2", "3"]
    assert "2 of 3 statements supported by quotes in the source" in page_text(page)
    assert '<p class="short" dir="auto">EIB loan 2021-044</p>' in page_text(page)
    assert hop.state.calls_of("ask")[-1]["collection"] == "nordvik"


def test_a_question_from_a_link_is_filled_in_and_waits_for_a_click(open_page, hop, page_text):
    page = open_page(ask=False, **NORDVIK | {"strategy": "gear:steps=100000"})
    assert page.text_input(key="question text").value == QUESTION
    assert "This question comes from a link. Select Ask to answer it." in page_text(page)
    page.selectbox(key="strategy box").set_value("bm25").run()
    page.run()
    assert hop.state.calls_of("ask") == []
    page = press(page, "ask")
    assert [call["strategy"] for call in hop.state.calls_of("ask")] == ["bm25"]
    assert "comes from a link" not in page_text(page)


def test_the_address_of_an_answered_question_is_answered_without_a_click(open_page, hop, page_text):
    page = open_page(**NORDVIK)
    page.query_params["q"] = "Who insures MV Petrel?"
    assert "comes from a link" in page_text(page.run())
    page.query_params["q"] = QUESTION
    assert "which operates the Skagen Wind Farm." in page_text(page.run())
    assert len(hop.state.calls_of("ask")) == 1


def test_the_address_holds_the_question_and_brings_it_back(open_page, hop):
    page = open_page(**NORDVIK, source="3")
    assert page.text_input(key="question text").value == QUESTION
    assert page.query_params["q"] == QUESTION or page.query_params["q"] == [QUESTION]
    assert read_graph(page)["title"] == "Evidence path, Source [3]"
    assert [call["question"] for call in hop.state.calls_of("ask")] == [QUESTION]


def test_an_address_may_name_a_collection_only(open_page, hop):
    hop.state.documents["plans"] = hop.state.documents["nordvik"]
    page = open_page(collection="plans")
    assert page.selectbox(key="collection box").value == "plans"
    assert hop.state.calls_of("ask") == []


def test_the_same_question_is_not_asked_twice_by_a_click(open_page, hop):
    page = open_page(**NORDVIK)
    press(page, "cite 0 2")
    assert len(hop.state.calls_of("ask")) == 1


def test_a_citation_shows_its_source_and_its_path(open_page, page_text):
    page = press(open_page(**NORDVIK), "cite 1 3")
    assert "loan\\-agreement\\.pdf" in page.subheader[1].value
    assert [node["name"] for node in read_graph(page)["nodes"] if node["kind"] == "entity"] == [
        "Halcyon Turbines",
        "Skagen Wind Farm",
    ]
    assert f"<mark>{FACTS['loan-agreement.pdf']}</mark>" in page_text(page)


def test_next_and_previous_go_through_the_citations_and_stop_at_the_ends(open_page):
    page = open_page(**NORDVIK)
    assert page.button(key="Previous source").disabled
    page = press(press(page, "Next source"), "Next source")
    assert "loan\\-agreement\\.pdf" in page.subheader[1].value
    assert page.button(key="Next source").disabled


def test_every_evidence_can_be_shown_not_only_what_is_cited(open_page, page_text):
    page = press(open_page(**NORDVIK), "show evidence 4")
    assert page.subheader[1].value.startswith("Evidence 4")
    assert "&lt;script&gt;window.hacked = 1&lt;/script&gt;" in page_text(page)


def test_additional_evidence_is_listed_separately_and_shown_with_its_path(open_page, hop, page_text):
    change_answers(hop, look_up_third_source)
    page = open_page(**NORDVIK)
    assert "Additional evidence for the answer, not retrieved by the strategy:" in [
        caption.value for caption in page.caption
    ]
    scores = page_text(page).count('class="score"')
    assert scores == 3, "additional evidence has no score"
    page = press(page, "show evidence 4")
    assert "loan\\-agreement\\.pdf" in page.subheader[1].value
    assert [node["name"] for node in read_graph(page)["nodes"] if node["kind"] == "entity"] == [
        "Halcyon Turbines",
        "Skagen Wind Farm",
    ]


def test_a_model_error_is_shown_above_the_answer(open_page, hop, page_text):
    change_answers(hop, lambda answer: replace(answer, model_error="model *tiny* answered HTTP 401"))
    page = open_page(**NORDVIK)
    [notice] = page.warning
    assert "The language model could not be used" in notice.value
    assert "\\*tiny\\* answered HTTP 401" in notice.value
    assert "The answer is extracted from the passages" in notice.value
    assert "which operates the Skagen Wind Farm." in page_text(page)


def test_a_short_answer_that_is_no_quote_and_unanswered_parts_are_marked(open_page, hop, page_text):
    notice = "No answer was found to: When?"
    change_answers(
        hop,
        lambda answer: replace(
            answer,
            short="no",
            short_quoted=False,
            notice=notice,
            nearest=(replace(answer.sentences[1], text="A bank."),),
        ),
    )
    text = page_text(open_page(**NORDVIK))
    assert '<p class="short" dir="auto">no <span class=\'hint\'>concluded, not quoted</span></p>' in text
    assert "No answer was found to" in text
    assert "Possible answers, not sure. Check them in the source:" in text
    assert "A bank." in text


def test_a_model_error_of_the_retrieval_is_shown_above_the_answer(open_page, hop, page_text):
    error = "after 1 reply: HTTP 401"
    change_answers(hop, lambda answer: replace(answer, retrieval=replace(answer.retrieval, model_error=error)))
    [notice] = open_page(**NORDVIK).warning
    assert "failed after 1 reply\\: HTTP 401" in notice.value


def test_the_model_that_wrote_an_answer_is_named(open_page, hop, page_text):
    change_answers(hop, lambda answer: replace(answer, written_by="tiny"))
    page = open_page(**NORDVIK)
    assert "written by tiny" in page_text(page)
    assert not page.warning


def test_selecting_another_strategy_asks_the_question_again(open_page, hop):
    page = open_page(**NORDVIK)
    page.selectbox(key="strategy box").set_value("bm25").run()
    assert [call["strategy"] for call in hop.state.calls_of("ask")] == ["gnn_ret", "bm25"]
    assert hop.state.calls_of("ask")[1]["question"] == QUESTION


def test_the_search_can_be_narrowed_to_documents(open_page, hop):
    page = open_page(**NORDVIK)
    wanted = next(document.id for document in hop.documents.list("nordvik") if document.name == "permit-file.pdf")
    page = page.multiselect(key="documents box").set_value([wanted]).run()
    assert hop.state.calls_of("ask")[-1]["documents"] == (wanted,)
    assert not page.exception


def test_the_search_can_be_narrowed_by_a_filter(open_page, hop, page_text):
    documents = hop.state.documents["nordvik"]
    documents[:] = [replace(document, metadata={"year": 2020 + n}) for n, document in enumerate(documents)]
    page = open_page(**NORDVIK)
    page = page.text_input(key="filter box").set_value("year = 2021").run()
    assert hop.state.calls_of("ask")[-1]["filter"] == "year = 2021"
    assert "1 document matches the filter." in page_text(page)
    assert page.query_params["filter"] in ("year = 2021", ["year = 2021"])
    count = len(hop.state.calls_of("ask"))
    page = press(page.text_input(key="filter box").set_value("year =").run(), "ask")
    assert "The filter cannot be read at character 7" in page_text(page)
    assert len(hop.state.calls_of("ask")) == count
    assert not page.exception


def test_many_documents_are_searched_by_name_instead_of_listed(open_page, hop, monkeypatch):
    monkeypatch.setattr("hopline_ui.search_scope.MAX_LISTED", 3)
    page = open_page(**NORDVIK)
    assert page.multiselect(key="documents box").options == []
    page = page.text_input(key="documents text").set_value("LOAN").run()
    assert page.multiselect(key="documents box").options == ["loan-agreement.pdf"]
    [wanted] = [document.id for document in hop.state.documents["nordvik"] if document.name == "loan-agreement.pdf"]
    page = page.multiselect(key="documents box").set_value([wanted]).run()
    assert hop.state.calls_of("ask")[-1]["documents"] == (wanted,)
    page = page.text_input(key="documents text").set_value("").run()
    assert page.multiselect(key="documents box").value == [wanted], "the selection stays"


def test_only_processed_documents_can_be_selected(open_page):
    page = open_page()
    assert "locked.pdf" not in page.multiselect(key="documents box").options
    assert "permit-file.pdf" in page.multiselect(key="documents box").options


def test_a_possible_answer_is_shown_as_not_sure_with_its_words_marked(open_page, page_text):
    text = page_text(open_page(q="Which is the flagship?", collection="nordvik", strategy="gnn_ret"))
    assert "Possible answer" in text
    assert "not sure" in text
    assert "<mark>" in text
    assert "Other passages near the question" in text
    assert "Not found" not in text


def test_an_abstention_names_what_was_missing_and_shows_the_nearest_evidence(open_page, page_text):
    page = open_page(q="Who insures MV Petrel?", collection="nordvik", strategy="gnn_ret")
    text = page_text(page)
    assert "Not found in the documents." in text
    assert "<b>insurer</b>, <b>2019 &lt;b&gt;</b>" in text
    assert "Closest passages" in text
    assert "supported by" not in text
    assert page.subheader[1].value.startswith("Evidence 1")


def test_an_abstention_during_processing_is_asked_again_afterwards(open_page, hop):
    hop.state.progress = Progress(documents=4, documents_done=1)
    page = open_page(q="Who insures MV Petrel?", collection="nordvik", strategy="gnn_ret").run()
    assert len(hop.state.calls_of("ask")) == 1, "nothing is asked again during processing"
    hop.state.progress = Progress(done=True)
    page.run().run()
    assert len(hop.state.calls_of("ask")) == 2


def test_an_empty_question_is_not_sent(open_page, hop, page_text):
    page = open_page()
    page.text_input(key="question text").set_value("   ")
    page = page.button(key="ask").click().run()
    assert hop.state.calls_of("ask") == []
    assert "Enter a question." in page_text(page)


def test_the_trace_lists_every_request_with_its_milliseconds(open_page, page_text):
    page = open_page(**NORDVIK)
    text = page_text(page)
    for name, ms, rows in (("question", "11.2 ms", "1 row"), ("hybrid", "14.8 ms", "30 rows")):
        assert f'<td class="what">{name}</td>' in text
        assert f"<td>{ms}</td><td>{rows}</td>" in text
    assert "3 requests in 0.05 s" in text


def test_the_python_code_of_a_question_compiles(open_page):
    [code] = open_page(**NORDVIK).code
    compile(code.value, "as code", "exec")
    assert "strategy='gnn_ret'" in code.value


def test_the_path_is_also_shown_as_text(open_page, page_text):
    page = press(open_page(**NORDVIK), "cite 0 2")
    assert (
        "<li dir='auto'>passage “permit-file.pdf p. 1” — mentions → entity “Halcyon Turbines”</li>"
        "<li dir='auto'>entity “Halcyon Turbines” — mentioned in → passage “annual-report-2023.pdf p. 1”</li>"
    ) in page_text(page)


def test_the_context_of_a_path_has_a_role_of_its_own(open_page):
    page = open_page(**NORDVIK)
    page = page.toggle(key="context").set_value(True).run()
    context = [node["name"] for node in read_graph(page)["nodes"] if node.get("role") == "context"]
    assert context == ["Halcyon Turbines", "North Sea"]


def test_an_unknown_collection_in_the_address_shows_a_message(open_page, hop):
    page = open_page(ask=False, q="Where?", collection="nowhere", strategy="gnn_ret")
    assert [toast.value for toast in page.toast] == ["The collection “nowhere” no longer exists."]
    assert not page.exception
    assert hop.state.calls_of("ask") == []


def test_an_unreachable_database_shows_a_message_and_recovers(open_page, hop, page_text):
    hop.state.error = unreachable()
    page = open_page(**NORDVIK)
    assert "**Database not reachable, retrying.**" in page_text(page)
    assert "Retrying automatically" in page_text(page)
    hop.state.error = None
    assert "Skagen Wind Farm" in page_text(press(page.run(), "ask"))


def test_an_unexpected_error_shows_a_message_and_is_logged(open_page, hop, page_text, caplog):
    hop.state.error = RuntimeError("secret detail")
    page = open_page(**NORDVIK)
    assert "An unexpected error occurred while showing this page." in page_text(page)
    assert "secret detail" not in page_text(page)
    assert not page.exception
    assert "secret detail" in caplog.text


@pytest.mark.parametrize(
    "question", ["x" * 10_000, "<img src=x onerror=alert(1)>", "ما هو المقرض؟ 🦊", "$a$ :smile: **b**"]
)
def test_any_question_can_be_asked(open_page, page_text, question):
    page = open_page(q=question, collection="nordvik", strategy="gnn_ret")
    assert not page.exception
    assert "<img" not in page_text(page).replace("'<img src=x onerror=alert(1)>'", "")
    assert "Not found in the documents." in page_text(page)


def test_strategies_are_labelled_in_plain_words_under_advanced(open_page, page_text):
    page = open_page()
    box = page.selectbox(key="strategy box")
    assert box.options == ["Meaning, with neighbours in the graph", "Words: passages with the words of the question"]
    assert "hub\\=10 — Nearest evidence draws its neighbours" in page_text(page)
    page = box.set_value("bm25").run()
    assert "bm25 — Evidence that shares" in page_text(page)
    assert [item.proto.popover.label for item in page.get("popover") if "Advanced" in item.proto.popover.label] == [
        "Advanced · bm25"
    ]


def test_the_overview_shows_documents_and_answered_questions_and_asks_one_by_a_click(open_page, hop, page_text):
    hop.state.suggested_questions = [SuggestedQuestion(QUESTION, "table"), SuggestedQuestion("Who?", "statement")]
    author = BibliographicEntry("authors", "S. <b>Adeyemi", "S. Adeyemi", 1)
    documents = hop.state.documents["nordvik"]
    documents[0] = replace(documents[0], title="Permit", tables=3, bibliography=(author,))
    page = open_page()
    text = page_text(page)
    assert ">Permit</p>" in text
    assert "S. &lt;b&gt;Adeyemi" in text
    assert "3 tables" in text
    assert "<script>window" not in text
    assert [button.label for button in page.button if str(button.key).startswith("suggestion")] == [
        QUESTION.replace("?", "\\?"),
        "Who\\?",
    ]
    page = press(page, "suggestion 0")
    assert hop.state.calls_of("ask")[0]["question"] == QUESTION
    assert "which operates the Skagen Wind Farm." in page_text(page)
    page = press(page, "back to overview")
    assert ">Permit</p>" in page_text(page)
    assert [button.label for button in page.button if str(button.key).startswith("last ")] == [
        QUESTION.replace("?", "\\?")
    ]
    assert len(hop.state.calls_of("suggest_questions")) == 1


def test_the_overview_waits_for_no_question_and_shows_no_error_of_the_search(open_page, hop, page_text, monkeypatch):
    started = Event()

    def wait(*_args, **_options):
        started.wait(30)
        raise UsageError("no questions")

    monkeypatch.setattr(hop, "suggest_questions", wait)
    page = open_page()
    assert "Finding questions …" in page_text(page)
    started.set()
    for search in page.session_state["state"].overviews.values():
        wait_for([search.questions], timeout=30)
    page = page.run()
    assert "Finding questions" not in page_text(page)
    assert "Try asking" not in page_text(page)
    assert not page.error


def test_a_topic_opens_its_community_in_explore(open_page, hop):
    hop.state.communities = communities()
    page = open_page()
    page.button(key="topic c1").click().run()
    assert hop.state.calls_of("graph.get_community")[0]["id"] == "c1"


def test_no_questions_are_searched_for_while_documents_are_processed(open_page, hop):
    hop.state.progress = Progress(documents=4, documents_done=1)
    open_page()
    assert hop.state.calls_of("suggest_questions") == []


def test_a_question_that_was_not_answered_can_be_asked_elsewhere_and_with_another_strategy(open_page, hop):
    hop.state.documents["plans"] = hop.state.documents["nordvik"]
    hop.state.documents["empty"] = []
    document = hop.state.documents["nordvik"][0].id
    page = open_page(q="Who insures MV Petrel?", collection="nordvik", strategy="gnn_ret", document=document)
    labels = [button.label for button in page.button if str(button.key).startswith("attempt")]
    assert labels == ["In all documents", "Words\\: passages with the words of the question", "In “plans”"]
    page = press(page, "attempt 2")
    call = hop.state.calls_of("ask")[-1]
    assert (call["collection"], call["strategy"], call["documents"]) == ("plans", "gnn_ret", ())
    page = press(page, "attempt 0")
    assert hop.state.calls_of("ask")[-1]["strategy"] == "bm25"
    assert not page.exception


def test_an_answer_offers_no_other_attempts(open_page):
    assert not [button for button in open_page(**NORDVIK).button if str(button.key).startswith("attempt")]


def test_an_abstention_opens_the_nearest_passage(open_page, hop):
    def cite_last(answer):
        last = answer.retrieval.evidence[0]
        first = replace(last, id="other", document="other.pdf")
        nearest = Sentence(last.text, (Citation(last, last.text, 0, len(last.text)),))
        retrieval = replace(answer.retrieval, evidence=(first, last))
        return replace(answer, retrieval=retrieval, nearest=(nearest,), confidence=None)

    change_answers(hop, cite_last)
    page = open_page(q="Who insures MV Petrel?", collection="nordvik", strategy="gnn_ret")
    assert page.subheader[1].value.startswith("Evidence 2")


def test_the_answers_to_parts_of_a_question_are_on_lines_of_their_own(open_page, hop, page_text):
    change_answers(hop, lambda answer: replace(answer, short="40; 1990; <i>x", sentences=answer.sentences))
    text = page_text(open_page(**NORDVIK))
    assert '<p class="short" dir="auto">40<br>1990<br>&lt;i&gt;x</p>' in text
    assert text.count('<br><span class="sentence') == 2


def test_the_numbers_of_the_evidence_paths_name_their_sources_on_hover(open_page):
    page = open_page(**NORDVIK)
    buttons = {button.label: button for button in page.button if str(button.key).startswith("path of")}
    assert list(buttons) == ["[1]", "[2]", "[3]"]
    assert "loan\\-agreement\\.pdf" in buttons["[3]"].help
    page = press(page, "path of 3")
    assert "loan\\-agreement\\.pdf" in page.subheader[1].value
