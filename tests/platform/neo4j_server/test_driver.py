import subprocess
import sys

import pytest

SCRIPT = """
import sys
{imports}
assert "neo4j" in sys.modules and "pandas" not in sys.modules
import pandas
print(pandas.DataFrame({"a": [1]}).a[0])
"""


@pytest.mark.parametrize(
    "imports",
    [
        "from hopline.neo4j_server.driver_import import import_driver; import_driver()",
        "from hopline.store.driver_errors import translate_errors\nwith translate_errors(None): pass",
    ],
    ids=["import_driver", "translate_errors"],
)
def test_the_driver_is_imported_without_pandas_which_can_be_imported_later(imports):
    script = SCRIPT.replace("{imports}", imports)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "1"
