"""Questions that name pages and tables of two documents."""

import pytest

EAST = [1, 0, 0, 0]


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("p1a", "Ferries ran.", EAST, "varrow-energy-plan.pdf", 1, 3)
    graph.passage("p1b", "Fares rose.", [0, 1, 0, 0], "varrow-energy-plan.pdf", 1, 3)
    graph.passage("p3", "Wind farms.", [0, 0, 1, 0], "varrow-energy-plan.pdf", 3, 3)
    graph.table("t2", "2", "Cost 7", [0, 0, 1, 0], "varrow-energy-plan.pdf", 2, 3)
    graph.table("t5", "5", "Cost 9", [0, 0, 1, 0], "varrow-energy-plan.pdf", 3, 3)
    graph.passage("q1", "Loans.", EAST, "lantern-lending-report.pdf", 1, 2)
    graph.table("u2", "2", "Loan 4", EAST, "lantern-lending-report.pdf", 2, 2)
    return graph


def rank_keys(graph, question, spec="kgp", k=10, **more):
    return graph.keys(graph.rank(spec, question, EAST, k, **more).ids)


@pytest.mark.parametrize("spec", ["kgp", "hopline"])
@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("What is on page 3 of the Varrow energy plan?", {"p3", "t5"}),
        ("What does Table 2 of the lending report show?", {"u2"}),
        ("What does Table 2 show?", {"t2", "u2"}),
        ("In the energy plan, what is on page 1?", {"p1a", "p1b"}),
        ("Compare page 1 of the lending report with Table 5 of the energy plan.", {"q1", "t5"}),
        ("the difference between Page 1 and Table 2 of the energy plan", {"p1a", "p1b", "t2"}),
        ("Summarise the last page of the lantern lending report", {"u2"}),
        ("What is in the second table of the energy plan?", {"t5"}),
        ("Describe pages 1-3 of the energy plan", {"p1a", "p1b", "p3", "t2", "t5"}),
    ],
)
def test_a_question_for_pages_and_tables_returns_only_these(graph, spec, question, keys):
    ranked = rank_keys(graph, question, spec)
    assert set(ranked) == keys
    assert len(ranked) == len(keys)


def test_references_alternate_so_that_each_is_represented_at_small_k(graph):
    ranked = rank_keys(graph, "Compare page 1 of the energy plan with Table 5 of the energy plan", k=2)
    assert set(ranked) == {"p1a", "t5"}


def test_the_path_starts_at_the_page(graph):
    ranking = graph.rank("kgp", "What does Table 5 show?", EAST)
    [step] = ranking.paths[graph.id("t5")]
    assert (step.source.kind, step.source.name, step.edge) == ("page", "varrow-energy-plan.pdf p. 3", "HAS_TABLE")


def test_a_question_for_a_fact_ranks_the_page_first(graph):
    ranking = graph.rank("hopline", "Which farms does page 3 of the energy plan name?", EAST, 4)
    assert set(graph.keys(ranking.ids)[:2]) == {"p3", "t5"}
    assert len(ranking.ids) == 4
    assert list(ranking.scores) == sorted(ranking.scores, reverse=True)


def test_a_reference_that_does_not_exist_is_ignored(graph):
    assert "p1a" in rank_keys(graph, "Which ferries are on page 99?", "hopline")


def test_a_model_can_parse_the_references(graph, make_chat):
    chat = make_chat({"structures": [{"kind": "table", "number": "5"}]})
    assert rank_keys(graph, "Show me the fifth of the tables", "kgp:structure=model", chat=chat) == ["t5"]
    assert rank_keys(graph, "What does Table 5 show?", "kgp:structure=model", chat=make_chat("")) == ["t5"]


@pytest.fixture
def manual(tiny):
    graph = tiny()
    for n, (key, *section) in enumerate(
        [
            ("berths", "I. Berths"),
            ("cranes", "II. Cranes"),
            ("booking", "II. Cranes", "2.1 Bookings"),
            ("fees", "III. Fees"),
        ]
    ):
        graph.passage(key, f"Text of the {key} in the port.", EAST, "manual.pdf", n + 1, 4, section)
    return graph


@pytest.mark.parametrize("spec", ["kgp", "hopline"])
@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("What is in chapter three?", {"fees"}),
        ("What is in section 2.1?", {"booking"}),
        ("What does Chapter 2 of the manual say?", {"cranes", "booking"}),
        ("What does chapter two say about the booking?", {"cranes", "booking"}),
        ("Compare page 1 with chapter III.", {"berths", "fees"}),
    ],
)
def test_a_question_for_a_section_returns_what_is_below_its_heading(manual, spec, question, keys):
    assert set(rank_keys(manual, question, spec)) == keys


def test_a_question_for_a_fact_ranks_the_section_first(manual):
    assert rank_keys(manual, "Who pays according to the third chapter?", "hopline")[0] == "fees"
    assert set(rank_keys(manual, "Who pays according to chapter 9?", "hopline")) == {
        "berths",
        "cranes",
        "booking",
        "fees",
    }
