import subprocess
import sys

SCRIPT = """
import sys
from hopline.neo4j_server.driver import import_driver
import_driver()
assert "neo4j" in sys.modules and "pandas" not in sys.modules
import pandas
print(pandas.DataFrame({"a": [1]}).a[0])
"""


def test_the_driver_comes_without_pandas_and_pandas_can_be_imported_afterwards():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "1"
