from table_text import parse_grid

from hopline.tables.enumeration import enumerate_programs
from hopline.tables.question import analyse_table_question
from hopline.tables.ranking import rank_programs
from hopline.tables.typed_table import build_typed_table
from hopline.training.table_ranking import TableSample, train_table_ranking

TABLE_TEXT = "| Town | Ships | Mills |\n|---|---|---|\n| Vik | 4 | 9 |\n| Nes | 7 | 2 |\n| Eid | 5 | 3 |\n"
OTHER = "| Club | Wins | Goals |\n|---|---|---|\n| Red | 1 | 8 |\n| Blue | 6 | 5 |\n| Gray | 3 | 4 |\n"
TOWNS = parse_grid(TABLE_TEXT)
SAMPLES = [
    TableSample("which town has the most ships?", TOWNS, ("Nes",)),
    TableSample("which town has the most mills?", TOWNS, ("Vik",)),
    TableSample("which town has the fewest ships?", TOWNS, ("Vik",)),
    TableSample("which town has the fewest mills?", TOWNS, ("Nes",)),
    TableSample("how many ships has eid?", TOWNS, ("5",)),
    TableSample("how many mills has nes?", TOWNS, ("2",)),
    TableSample("which town has the most wins?", TOWNS, ()),
    TableSample("how many goals has red?", TOWNS, ()),
]


def rank(question: str, text: str, weights: dict[str, float]) -> tuple[tuple[str, ...], float]:
    table = build_typed_table(parse_grid(text))
    analysed = analyse_table_question(question, table)
    best = rank_programs(analysed, enumerate_programs(analysed, table), table, weights).programs[0]
    return best.program.values, best.probability


def test_what_was_learned_on_one_table_holds_for_another() -> None:
    weights = train_table_ranking(SAMPLES, epochs=30)
    assert rank("which club has the most goals?", OTHER, weights)[0] == ("Red",)
    assert rank("which club has the fewest goals?", OTHER, weights)[0] == ("Gray",)
    assert rank("how many wins has blue?", OTHER, weights)[0] == ("6",)


def test_a_table_without_the_words_of_the_question_gets_a_low_probability() -> None:
    weights = train_table_ranking(SAMPLES, epochs=30)
    answered = rank("which club has the most goals?", OTHER, weights)[1]
    assert answered > 0.5 > rank("which club has the most ships?", OTHER, weights)[1]


def test_training_is_repeatable() -> None:
    assert train_table_ranking(SAMPLES, epochs=2, seed=3) == train_table_ranking(SAMPLES, epochs=2, seed=3)
