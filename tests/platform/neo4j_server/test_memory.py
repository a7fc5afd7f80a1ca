"""The memory of the private server for graphs and machines of different sizes."""

from pathlib import Path

import pytest

from hopline.config import load_settings
from hopline.neo4j_server.memory import ServerMemory, choose_memory, compute_memory, measure_graph


@pytest.mark.parametrize(
    ("graph", "machine", "memory"),
    [
        (0, 16_000, ServerMemory(512, 128)),
        (1_600, 16_000, ServerMemory(612, 1_920)),
        (20_000, 16_000, ServerMemory(1_762, 6_400)),
        (100_000, 16_000, ServerMemory(2_000, 6_400)),
        (100_000, 2_000, ServerMemory(512, 800)),
    ],
)
def test_a_larger_graph_has_more_memory_within_that_of_the_machine(
    graph: int, machine: int, memory: ServerMemory
) -> None:
    assert compute_memory(graph, machine) == memory


def test_the_size_of_a_graph_is_that_of_its_store_without_indexes(tmp_path: Path) -> None:
    assert measure_graph(tmp_path) == 0
    folder = tmp_path / "data" / "databases" / "neo4j"
    (folder / "schema").mkdir(parents=True)
    (folder / "neostore.propertystore.db").write_bytes(bytes(3 * 2**20))
    (folder / "schema" / "index").write_bytes(bytes(5 * 2**20))
    assert measure_graph(tmp_path) == 3


def test_settings_come_first(tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path, server_heap_mb=300)
    assert choose_memory(settings, tmp_path) == ServerMemory(300, 128)
