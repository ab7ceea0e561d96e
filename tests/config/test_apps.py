"""What the start leaves behind."""

import gc


def test_the_garbage_collector_works_on_what_came_after_the_start() -> None:
    assert gc.isenabled()
    assert gc.get_freeze_count() > 100_000
