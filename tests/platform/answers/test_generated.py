import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hopline.answers.drafts import DraftWriter
from hopline.answers.prompts import WITH_EVIDENCE, estimate_tokens
from hopline.answers.verification import SentenceVerifier
from hopline.errors import ModelUnavailable
from hopline.flow.requests import Reply
from hopline.flow.run import Budget
from hopline.flow.services import Prompt
from hopline.questions.analysis import analyse_question
from hopline.results import Answer, AnswerDraft, Evidence, Retrieval

Write = Callable[..., tuple[Answer, list[Prompt]]]
Make = Callable[..., Evidence]
QUESTION = "Who founded Varrow Water?"
UNANSWERED = "What does Varrow Water ship to the moons of Jupiter?"
NAMES = [("Maud Kerrigan", "PERSON"), ("Varrow Water", "ORG")]


@pytest.fixture
def evidence(passage: Make) -> tuple[Evidence, ...]:
    return (
        passage("p1", "Varrow Water was founded by Maud Kerrigan in 1987.", "It runs two plants."),
        passage("p2", "The plant at Brackwater made 918,400 cubic metres in 2023.", document="review.pdf"),
    )


def reply(*sentences: tuple[str, list[tuple[int, str]]], is_found: bool = True, short: str = "") -> Reply:
    items = [
        {"text": text, "citations": [{"evidence": number, "quote": quote} for number, quote in citations]}
        for text, citations in sentences
    ]
    return Reply(data={"found": is_found, "sentences": items, "short": short})


def test_a_sentence_has_its_exact_quote_and_evidence_path(write: Write, evidence: tuple[Evidence, ...]) -> None:
    good = reply(("Maud Kerrigan founded it.", [(1, "founded by  maud kerrigan")]), short="Maud Kerrigan")
    answer, _ = write(QUESTION, good, *evidence)
    [citation] = answer.sentences[0].citations
    assert citation.quote == "founded by Maud Kerrigan" == citation.evidence.text[citation.start : citation.end]
    assert citation.path is not None
    assert citation.path.evidence == "p1"
    assert (answer.text, answer.short, answer.abstained) == ("Maud Kerrigan founded it.", "Maud Kerrigan", False)
    assert answer.sentences[0].state == "quoted"


def test_a_quote_with_a_wrong_number_is_assigned_to_its_evidence(write: Write, evidence: tuple[Evidence, ...]) -> None:
    for number in (2, 0, 77, -1):
        answer, _ = write(QUESTION, reply(("Maud Kerrigan.", [(number, "founded by Maud Kerrigan")])), *evidence)
        assert answer.sentences[0].citations[0].evidence.id == "p1"


def test_the_answer_of_a_model_is_shown_as_it_was_written(write: Write, evidence: tuple[Evidence, ...]) -> None:
    mixed = reply(
        ("Maud Kerrigan founded it.", [(1, "founded by Maud Kerrigan"), (1, "founded by her alone")]),
        ("She was born in **Port Ansel**.", [(1, "born in Port Ansel")]),
        ("- It was founded in 1978.", [(1, "founded by Maud Kerrigan")]),
        short="Kerrigan, Maud",
    )
    answer, _ = write(QUESTION, mixed, *evidence)
    assert (answer.status, answer.short, answer.written_by) == ("answered", "Kerrigan, Maud", "canned")
    assert [sentence.state for sentence in answer.sentences] == ["quoted", "unsupported", "unsupported"]
    assert [len(sentence.citations) for sentence in answer.sentences] == [1, 0, 1]
    assert answer.text == ("Maud Kerrigan founded it. She was born in **Port Ansel**.\n\n- It was founded in 1978.")


def test_strictly_a_sentence_without_a_verbatim_quote_is_dropped(write: Write, evidence: tuple[Evidence, ...]) -> None:
    mixed = reply(
        ("Maud Kerrigan founded it.", [(1, "founded by Maud Kerrigan"), (1, "founded by her alone")]),
        ("She was born in Port Ansel.", [(1, "born in Port Ansel")]),
        ("It is founded by her.", [(1, "Varrow Water is founded by Maud Kerrigan")]),
    )
    answer, _ = write(QUESTION, mixed, *evidence, verification="strict")
    assert [len(sentence.citations) for sentence in answer.sentences] == [1]


def test_without_a_supported_sentence_the_answer_is_a_possible_one(
    write: Write, evidence: tuple[Evidence, ...]
) -> None:
    unverified = reply(("Jo Ek did.", [(1, "founded by Jo Ek")]), ("In 1990.", []), short="Jo Ek")
    answer, _ = write(QUESTION, unverified, *evidence, names=NAMES)
    assert (answer.status, answer.short, answer.written_by, answer.model_error) == ("possible", "Jo Ek", "canned", "")
    assert [sentence.text for sentence in answer.claims] == ["Jo Ek did.", "In 1990."]
    assert {sentence.state for sentence in answer.claims} == {"unsupported"}
    assert Answer.from_dict(answer.to_dict()).claims == answer.claims


def test_strictly_without_a_verified_sentence_the_answer_is_extractive(
    write: Write, evidence: tuple[Evidence, ...]
) -> None:
    unverified = reply(("Jo Ek did.", [(1, "founded by Jo Ek")]), short="Jo Ek")
    answer, _ = write("Who founded Halcyon?", unverified, *evidence, verification="strict")
    assert answer.abstained
    assert not answer.sentences
    assert "Halcyon" in answer.missing
    answer, _ = write(QUESTION, unverified, *evidence, names=NAMES, verification="strict")
    assert (answer.short, answer.written_by) == ("Maud Kerrigan", "reader")
    assert answer.model_error == "none of its quotes is in the evidence"


def test_a_short_answer_without_sentences_is_shown_as_unsupported(write: Write, evidence: tuple[Evidence, ...]) -> None:
    answer, _ = write(QUESTION, reply(short="Maud Kerrigan"), *evidence)
    assert (answer.status, answer.short) == ("possible", "Maud Kerrigan")
    assert [sentence.text for sentence in answer.claims] == ["Maud Kerrigan"]


def test_an_answer_with_computed_figures_is_supported(write: Write, passage: Make) -> None:
    plants = passage("p1", "Brackwater made 918,400 cubic metres in 2023.", "It made 812,000 in 2022.")
    text = "Production rose by 106,400 cubic metres, or 13.1 %."
    rise = reply((text, [(1, "made 918,400 cubic metres"), (1, "It made 812,000 in 2022")]), short="106,400")
    answer, _ = write("By how much did production rise?", rise, plants)
    assert (answer.status, answer.short, answer.short_quoted) == ("answered", "106,400", False)
    [sentence] = answer.sentences
    assert sentence.state == "computed"
    assert sentence.computation == ("918,400 − 812,000 = 106,400; (918,400 − 812,000) ÷ 812,000 × 100 = 13.1")
    answer, _ = write("By how much did production rise?", rise, plants, verification="strict")
    assert answer.status == "possible"


@pytest.mark.parametrize(("verification", "status"), [("mark", "answered"), ("strict", "possible")])
def test_a_word_of_the_question_that_no_evidence_has_costs_only_a_strict_answer(
    write: Write, passage: Make, verification: str, status: str
) -> None:
    tower = passage("p1", "The tower at 888 Seventh Avenue was opened by Ada Quill.")
    opened = reply(("Ada Quill opened it.", [(1, "opened by Ada Quill")]), short="Ada Quill")
    answer, _ = write("Who opened Gorham Tower at 7th Avenue?", opened, tower, verification=verification)
    assert (answer.status, answer.short, answer.written_by) == (status, "Ada Quill", "canned")


@pytest.mark.parametrize(
    ("short", "status"), [("1987", "answered"), ("36 years", "answered"), ("4", "possible"), ("Jo Ek", "answered")]
)
def test_a_short_answer_with_a_figure_that_nothing_cited_has_is_only_possible(
    write: Write, passage: Make, short: str, status: str
) -> None:
    plant = passage("p1", "The plant was opened in 1987 and closed in 2023.")
    written = reply(("It was closed.", [(1, "opened in 1987 and closed in 2023")]), short=short)
    answer, _ = write("How long was it open?", written, plant)
    assert (answer.status, answer.short) == (status, short)


def test_a_model_that_denies_an_answer_has_a_possible_one(write: Write, evidence: tuple[Evidence, ...]) -> None:
    denied = reply(("It was founded by Maud Kerrigan.", [(1, "founded by Maud Kerrigan")]), is_found=False)
    answer, _ = write("Who leads Varrow Water?", denied, *evidence)
    assert (answer.status, answer.written_by) == ("possible", "canned")
    assert [sentence.text for sentence in answer.claims] == ["It was founded by Maud Kerrigan."]


def test_a_model_that_abstains_in_words_leaves_the_answer_to_the_reader(
    write: Write, evidence: tuple[Evidence, ...]
) -> None:
    for abstention in (reply(short="not stated", is_found=False), reply(("Nothing is said.", []), is_found=False)):
        answer, _ = write(QUESTION, abstention, *evidence, names=NAMES)
        assert (answer.status, answer.short, answer.written_by) == ("possible", "Maud Kerrigan", "reader")
        assert answer.notice == "The language model found no answer. This one is from the reader."


@pytest.mark.parametrize(("question", "status"), [(UNANSWERED, "not_found"), ("How many?", "answered")])
def test_a_sentence_that_only_says_there_is_no_answer_is_an_abstention(
    write: Write, evidence: tuple[Evidence, ...], question: str, status: str
) -> None:
    answer, _ = write(question, reply(("None.", [(1, "It runs two plants.")]), short="None"), *evidence)
    assert answer.status == status


def test_strictly_a_short_answer_that_the_sentences_lack_is_only_possible(
    write: Write, evidence: tuple[Evidence, ...]
) -> None:
    other = reply(("It runs two plants.", [(1, "It runs two plants.")]), short="Maud Kerrigan")
    for verification, status in (("strict", "possible"), ("mark", "answered")):
        answer, _ = write(QUESTION, other, *evidence, verification=verification)
        assert (answer.status, answer.short) == (status, "Maud Kerrigan")


@pytest.mark.parametrize(
    ("quote", "state"), [("founded by Maud Kerrigan", "quoted"), ("is founded by Maud Kerrigan", None)]
)
def test_strict_drafts_show_only_sentences_that_the_answer_has(
    write: Write, evidence: tuple[Evidence, ...], quote: str, state: str | None
) -> None:
    drafts: list[AnswerDraft] = []
    written = reply(("She did.", [(1, quote)]), ("Jo Ek helped.", []), short="she")
    answer, _ = write(
        QUESTION,
        replace(written, text=json.dumps(written.data)),
        *evidence,
        on_draft=drafts.append,
        verification="strict",
    )
    assert [sentence.state for sentence in drafts[-1].sentences] == ([state] if state else [])
    assert drafts[-1].sentences == answer.sentences or state is None


def test_an_incomplete_reply_is_shown_as_such(write: Write, evidence: tuple[Evidence, ...]) -> None:
    cut = replace(reply(("Maud Kerrigan did.", [(1, "founded by Maud Kerrigan")])), truncated=True)
    answer, _ = write(QUESTION, cut, *evidence)
    assert answer.status == "answered"
    assert "not complete" in answer.notice


def test_the_answer_of_the_reader_is_possible_if_the_model_finds_nothing(
    write: Write, evidence: tuple[Evidence, ...]
) -> None:
    answer, _ = write(QUESTION, reply(is_found=False), *evidence)
    assert (answer.status, answer.short, answer.written_by) == ("possible", "Maud Kerrigan", "reader")
    assert answer.text == ""
    assert answer.notice == "The language model found no answer. This one is from the reader."


def test_the_answer_abstains_if_neither_the_model_nor_the_reader_finds_one(
    write: Write, evidence: tuple[Evidence, ...]
) -> None:
    answer, _ = write(UNANSWERED, reply(is_found=False), *evidence)
    assert (answer.status, answer.short, answer.text) == ("not_found", "", "")


def test_strictly_an_answer_about_a_name_that_no_evidence_has_is_only_possible(
    write: Write, evidence: tuple[Evidence, ...]
) -> None:
    written = reply(("Maud Kerrigan did.", [(1, "founded by Maud Kerrigan")]), short="Maud Kerrigan")
    answer, _ = write("Who founded Halcyon?", written, *evidence, verification="strict")
    assert (answer.status, answer.short, answer.missing) == ("possible", "Maud Kerrigan", ("Halcyon",))
    assert answer.nearest[0].text == "Maud Kerrigan did."


def test_an_answer_whose_figures_are_in_no_evidence_is_only_possible(
    write: Write, evidence: tuple[Evidence, ...]
) -> None:
    written = reply(("It was founded in 1978.", [(1, "founded by Maud Kerrigan")]), short="1978")
    answer, _ = write("When was Varrow Water founded?", written, *evidence)
    assert (answer.status, answer.short, answer.short_quoted) == ("possible", "1978", False)


@pytest.mark.parametrize(
    ("sentence", "status"),
    [("It runs plants.", "possible"), ("It runs two plants.", "answered"), ("None.", "answered")],
)
def test_strictly_an_answer_without_the_number_that_is_asked_for_is_only_possible(
    write: Write, evidence: tuple[Evidence, ...], sentence: str, status: str
) -> None:
    written = reply((sentence, [(1, "It runs two plants.")]))
    answer, _ = write("How many plants does Varrow Water run?", written, *evidence, verification="strict")
    assert answer.status == status


@pytest.mark.parametrize("verification", ["mark", "strict"])
def test_a_verdict_on_a_question_that_asks_for_none_is_no_short_answer(
    write: Write, evidence: tuple[Evidence, ...], verification: str
) -> None:
    verdict = reply(("Maud Kerrigan.", [(1, "Maud Kerrigan")]), short="Yes.")
    answer, _ = write(QUESTION, verdict, *evidence, verification=verification)
    assert (answer.text, answer.short) == ("Maud Kerrigan.", "")


@pytest.mark.parametrize(("short", "shown"), [("yes", ""), ("no", "no")])
@pytest.mark.parametrize("verification", ["mark", "strict"])
def test_a_verdict_that_its_sentence_denies_is_no_short_answer(
    write: Write, passage: Make, short: str, shown: str, verification: str
) -> None:
    cards = passage("p1", "Our gift cards do not expire.")
    verdict = reply(("They do not expire.", [(1, "do not expire")]), short=short)
    answer, _ = write("Do gift cards expire?", verdict, cards, verification=verification)
    assert (answer.text, answer.short) == ("They do not expire.", shown)


@pytest.mark.parametrize(
    "bad",
    [
        Reply(text='{"found": tru', error="no JSON object in the reply"),
        Reply(error="the model refused"),
        Reply(text="Maud Kerrigan"),
        ModelUnavailable("no answer after 4 tries"),
    ],
    ids=["broken", "refused", "no data", "unreachable"],
)
def test_after_a_failed_reply_the_answer_is_extractive(write: Write, evidence: tuple[Evidence, ...], bad: Any) -> None:
    answer, _ = write(QUESTION, bad, *evidence, names=NAMES)
    assert answer.sentences[0].citations[0].quote == "Varrow Water was founded by Maud Kerrigan in 1987."
    assert answer.short == "Maud Kerrigan"
    why = str(bad) if isinstance(bad, ModelUnavailable) else bad.error or "the model's reply holds no JSON object"
    assert (answer.written_by, answer.model_error) == ("reader", why)


LETTER = (
    "Harrow & Pell Surveyors\n14 Quay Street\nPort Ansel, 12 March 1987\nMrs. Odile Vale\nRe: Condition of the pier\n"
    "Dear Mrs. Vale,\nThe pier is sound.\nYours sincerely,\nTilda Moss\nSenior Surveyor"
)
LIVES = "Ada Thorne was born on 3 May 1901. Ben Rask was born on 9 June 1911."


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Who signed the letter to Mrs. Vale?", "Tilda Moss"),
        ("Who was born first, Ada Thorne or Ben Rask?", "Ada Thorne"),
        ("What was the change in output from 2022 to 2023?", "106,400"),
        ("What was the output in 2022?", "812,000"),
        ("Who founded Varrow Water?", "Maud Kerrigan"),
        ("Who founded Varrow Water and when was Ben Rask born?", "Maud Kerrigan; 9 June 1911"),
        ("What is this document about?", "Annual report"),
    ],
    ids=["letter", "comparison", "calculation", "cell", "span", "parts", "summary"],
)
def test_every_kind_of_extractive_answer_is_the_fallback(
    write: Write, answer: Callable[..., Answer], passage: Make, table: Make, question: str, short: str
) -> None:
    evidence: tuple[Evidence, ...] = (
        passage("p1", "Varrow Water was founded by Maud Kerrigan in 1987."),
        passage("p2", *LIVES.replace(". ", ".|").split("|")),
        passage("p3", LETTER, document="letter.pdf"),
        table("t1", "Table 1: Output of the plant", ("Year", "2022", "2023"), ("Output", "812,000", "918,400")),
    )
    if short == "Annual report":
        evidence = (passage("p1", "Varrow Water ran two large plants on the coast in 1987.", title=short),)
    extracted = answer(question, *evidence, hidden=evidence, names=NAMES)
    assert extracted.short == short
    failed, _ = write(question, ModelUnavailable("down"), *evidence, hidden=evidence, names=NAMES)
    assert (failed.sentences, failed.short, failed.status) == (extracted.sentences, short, extracted.status)
    assert (failed.written_by, failed.model_error) == (extracted.written_by, "down")


def test_after_an_exhausted_budget_the_answer_is_extractive(write: Write, evidence: tuple[Evidence, ...]) -> None:
    answer, prompts = write(QUESTION, reply(is_found=False), *evidence, budget=Budget(calls=0), names=NAMES)
    assert not prompts
    assert answer.short == "Maud Kerrigan"
    assert "the budget of 0 calls" in answer.model_error


def test_a_generated_answer_names_its_model_also_if_it_abstains(write: Write, evidence: tuple[Evidence, ...]) -> None:
    written = reply(("Maud Kerrigan.", [(1, "founded by Maud Kerrigan")]))
    for question, good in ((QUESTION, written), (UNANSWERED, reply(is_found=False))):
        answer, _ = write(question, good, *evidence)
        assert (answer.written_by, answer.model_error) == ("canned", "")


def test_strictly_a_verified_quote_counts_more_than_the_verdict_of_the_model(
    write: Write, evidence: tuple[Evidence, ...]
) -> None:
    denied = reply(("She did.", [(1, "founded by Maud Kerrigan")]), is_found=False)
    answer, _ = write(QUESTION, denied, *evidence, verification="strict")
    assert not answer.abstained
    assert list(WITH_EVIDENCE.schema["properties"]) == ["sentences", "short", "found"]


def test_an_abstention_of_the_model_has_the_nearest_sentences(write: Write, evidence: tuple[Evidence, ...]) -> None:
    answer, _ = write(UNANSWERED, reply(is_found=False), *evidence)
    assert answer.nearest[0].citations[0].quote == "It runs two plants."


def test_without_evidence_the_model_is_not_called(write: Write) -> None:
    answer, prompts = write(QUESTION, reply(is_found=False))
    assert answer.abstained
    assert not prompts


@pytest.mark.parametrize(
    ("short", "quoted"),
    [("Maud Kerrigan", True), ("2", False), ("1987", True), ("yes", False), ("Maud Kerrigan of Ansel", False)],
)
def test_a_short_answer_that_is_not_in_the_evidence_is_marked(
    write: Write, evidence: tuple[Evidence, ...], short: str, quoted: bool
) -> None:
    question = "Did Maud Kerrigan found Varrow Water?" if short == "yes" else QUESTION
    answer, _ = write(question, reply(("She did.", [(1, "Maud Kerrigan")]), short=f" {short} "), *evidence)
    assert (answer.short, answer.short_quoted) == (short, quoted)
    assert Answer.from_dict(answer.to_dict()).short_quoted == quoted


def test_one_prompt_has_the_evidence_best_first_with_the_answer_of_the_reader_marked(
    write: Write, evidence: tuple[Evidence, ...]
) -> None:
    _, [prompt] = write(QUESTION, reply(is_found=False), *reversed(evidence))
    assert prompt.schema == WITH_EVIDENCE.schema
    assert "[1] <document>\nreport.pdf\nVarrow Water was founded by **Maud Kerrigan** in 1987." in prompt.text
    assert "[2] <document>\nreview.pdf\n" in prompt.text
    assert prompt.text.endswith(f"Question: {QUESTION}")


def test_a_quote_with_the_mark_of_the_reader_is_found(write: Write, evidence: tuple[Evidence, ...]) -> None:
    answer, _ = write(QUESTION, reply(("She did.", [(1, "founded by **Maud Kerrigan** in")])), *evidence)
    assert answer.sentences[0].citations[0].quote == "founded by Maud Kerrigan in"


def test_the_prompt_retains_the_matching_rows_of_a_long_table(write: Write, table: Make) -> None:
    rows = [(f"Place {n}", str(1000 + n)) for n in range(900)]
    long = table("t1", "Table 1: Stores", ("State", "Stores"), *rows, ("California", "133"))
    _, [prompt] = write("How many stores are in California?", reply(is_found=False), long)
    assert "| California | 133 |" in prompt.text
    assert "Table 1: Stores\n| State | Stores |" in prompt.text
    assert "| Place 899 |" not in prompt.text


@pytest.mark.parametrize("context", [2048, 4096, 16_384])
def test_the_prompt_has_as_much_evidence_as_the_context_of_the_model_holds(
    write: Write, passage: Make, context: int
) -> None:
    texts = [f"Plant {n} of Varrow Water " + "was built on the coast and makes water. " * 20 for n in range(60)]
    passages = [passage(f"p{n}", text) for n, text in enumerate(texts)]
    _, [prompt] = write("What does Varrow Water do?", reply(is_found=False), *passages, context=context)
    used = estimate_tokens(f"{prompt.system}{prompt.text}") + prompt.max_tokens
    assert 0.7 * context < used <= context
    assert prompt.max_tokens == min(2000, context // 4)


def test_a_summary_is_written_from_the_central_passages_in_reading_order(write: Write, passage: Make) -> None:
    passages = [passage(f"p{n}", f"Part {n} of the report is about water.") for n in range(4)]
    written = reply(("It is about water.", [(1, "is about water")]))
    centrality = {"p3": 0.9, "p1": 0.5}
    answer, [prompt] = write(
        "Summarize this document", written, passages[0], hidden=passages, centrality=centrality, context=2048
    )
    positions = [prompt.text.index(f"Part {n} ") for n in range(4)]
    assert positions == sorted(positions)
    assert answer.status == "answered"
    assert answer.additional_evidence


def test_a_draft_has_verified_sentences_and_the_text_of_the_next_one(
    write: Write, evidence: tuple[Evidence, ...]
) -> None:
    drafts: list[AnswerDraft] = []
    written = reply(
        ("She did.", [(1, "founded by Maud Kerrigan")]), ("Jo Ek helped her.", [(1, "helped")]), short="she"
    )
    text = json.dumps(written.data)
    write(QUESTION, replace(written, text=text), *evidence, on_draft=drafts.append)
    assert drafts[0] == AnswerDraft((), "S")
    assert [len(draft.sentences) for draft in drafts] == sorted(len(draft.sentences) for draft in drafts)
    assert [sentence.state for sentence in drafts[-1].sentences] == ["quoted", "unsupported"]
    assert drafts[-1].text == ""
    assert any(draft.sentences and draft.text.startswith("Jo E") for draft in drafts)


@pytest.fixture
def draft_writer(evidence: tuple[Evidence, ...]) -> tuple[DraftWriter, list[AnswerDraft]]:
    """A writer of drafts, and the list to which it appends them."""
    drafts: list[AnswerDraft] = []
    verifier = SentenceVerifier(analyse_question(QUESTION), Retrieval(QUESTION, "hybrid", "c", evidence), evidence)
    return DraftWriter(verifier, drafts.append), drafts


def test_a_draft_needs_no_order_of_keys(draft_writer: tuple[DraftWriter, list[AnswerDraft]]) -> None:
    writer, drafts = draft_writer
    text = json.dumps({"short": "she", "found": True, "sentences": [{"text": "It runs two plants.", "citations": []}]})
    for end in range(len(text)):
        writer.write(text[:end])
    assert not any(draft.sentences for draft in drafts)
    assert drafts[-1].text == "It runs two plants."


def test_a_reply_that_is_requested_again_has_new_drafts(draft_writer: tuple[DraftWriter, list[AnswerDraft]]) -> None:
    writer, drafts = draft_writer
    sentence = '{"text": "%s", "citations": []}'
    writer.write('{"sentences": [' + sentence % "Old." + ", " + sentence % "Older")
    assert [sentence.text for sentence in drafts[-1].sentences] == ["Old."]
    writer.write("")
    assert drafts[-1] == AnswerDraft()
    writer.write('{"sentences": [' + sentence % "New\\u001b[2J" + ", " + sentence % "Newer")
    assert ([sentence.text for sentence in drafts[-1].sentences], drafts[-1].text) == (["New [2J"], "Newer")
