"""Charts whose labels look like the cells of a table."""

import pytest

from hopline_ingest.formats.pdf.tables.grids import is_table


@pytest.mark.parametrize(
    "rows",
    [
        ("2001||30.5||49.0|", "2005||29.7||48.6|", "2010||28.7||46.3|", "|0%|25% 50%|75%|100%|125%"),
        ("400||Sales|", "300|||", "200|||2021", "100|2019||", "0|||", "|2017|2018|2019"),
        ("$1,500|||", "$1,000||Ash|", "$500|||", "$0|||Elm", "-$500|||", "|1|2|3 4 5"),
        ("Spruce|12|14|", "Ash||9|", "|1990|1995|2000 2005 2010"),
    ],
)
def test_the_labels_of_a_chart_are_no_table(make_cells, rows):
    assert not is_table(make_cells([row.split("|") for row in rows]), captioned=True)


@pytest.mark.parametrize(
    "rows",
    [
        ("Year|2001|2002|2003|2004|2005", "Ships|3|9|4|4|1", "Total|10|20|30|40|50"),
        ("Year|2001|2002|2003|2004|2005", "Ships|3|9|4|4|1", "|12|14|14|19|20"),
        ("Floor|Rooms|Beds", "4|12|24", "3|14|31", "2|10|12", "1|7|9", "0|1|2"),
        ("Load (kg)|Speed", "400|1.2", "300|1.6", "200|2.1", "100|2.8", "0|3.4"),
    ],
)
def test_a_table_with_numbers_in_equal_steps_is_no_chart(make_cells, rows):
    assert is_table(make_cells([row.split("|") for row in rows]), captioned=True)
