import sys

import numpy as np
import pytest

from hopline_ingest.process_memory import release_memory, resident_mb


@pytest.mark.skipif(sys.platform != "linux", reason="other systems' allocators give back by themselves")
def test_freed_memory_is_returned_to_the_system() -> None:
    blocks = [np.ones(8000) for _ in range(2000)]  # 64 kB each: below the size that is mapped by itself
    remaining_blocks = blocks[::10]
    full = resident_mb()
    del blocks
    release_memory()
    assert resident_mb() < full - 70
    assert len(remaining_blocks) == 200
