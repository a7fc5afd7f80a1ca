import subprocess
import sys

SCRIPT = """
import sys
from hopline.neo4j_server.driver_import import import_driver
import_driver()
assert "neo4j" in sys.modules and "pandas" not in sys.modules
import pandas
print(pandas.DataFrame({"a": [1]}).a[0])
"""


def test_the_driver_is_imported_without_pandas_which_can_be_imported_later():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "1"
