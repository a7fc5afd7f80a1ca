import pytest

from hopline.errors import UnknownName, UsageError
from hopline.strategies import list_strategy_names, load_strategy

EAST = [1, 0, 0, 0]


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("a", "ships and harbours", [0, 1, 0, 0])
    graph.passage("b", "a quarry of slate", [1, 0, 0, 0])
    graph.passage("c", "ships ships ships", [0.6, 0.8, 0, 0])
    return graph


def test_bm25_ranks_by_words_and_dense_by_vectors(graph):
    assert graph.keys(graph.rank("bm25", "ship", EAST).ids) == ["c", "a"]
    assert graph.keys(graph.rank("dense", "ship", EAST).ids) == ["b", "c", "a"]


def test_hybrid_joins_both_by_reciprocal_ranks(graph):
    ranking = graph.rank("hybrid", "ship", EAST)
    assert graph.keys(ranking.ids) == ["c", "a", "b"]
    assert ranking.scores == pytest.approx((1 / 61 + 1 / 62, 1 / 62 + 1 / 63, 1 / 61))


def test_hybrid_by_sum_adds_weighted_scaled_scores(graph):
    ranking = graph.rank("hybrid:fuse=sum,dense=0.75", "quarry", EAST)
    assert graph.keys(ranking.ids) == ["b", "c", "a"]
    assert ranking.scores == pytest.approx((1.0, 0.45, 0.0), abs=1e-5)


def test_every_module_of_the_package_is_a_strategy():
    assert {"bm25", "dense", "hybrid", "gnn_ret", "naive_ge"} <= set(list_strategy_names())
    assert all(load_strategy(name).summary for name in list_strategy_names())


def test_without_a_model_strategies_that_need_one_are_omitted(hop):
    usable = hop.strategies(usable=True)
    assert {"hopline", "bm25", "kgp"} <= set(usable)
    assert not {"gear", "ircot", "direct", "gold"} & set(usable)
    assert set(hop.strategies()) == set(list_strategy_names())


def test_an_unknown_strategy_or_option_lists_the_existing_ones():
    with pytest.raises(UnknownName, match=r"no strategy called 'pprr'; there are: bm25"):
        load_strategy("pprr")
    with pytest.raises(UnknownName, match=r"no option of gnn_ret called 'depth'; there are: alpha"):
        load_strategy("gnn_ret:depth=3")


def test_values_of_options_are_checked():
    assert load_strategy("gnn_ret:nodes=10,alpha=0.3,base=hybrid").options == {
        "nodes": 10,
        "alpha": 0.3,
        "base": "hybrid",
    }
    with pytest.raises(UsageError, match=r"gnn_ret:base must be one of dense, hybrid \(got 'bm25'\)"):
        load_strategy("gnn_ret:base=bm25")
    with pytest.raises(UsageError, match=r"gnn_ret:nodes must be a whole number from 1 to 100 \(got 'many'\)"):
        load_strategy("gnn_ret:nodes=many")
