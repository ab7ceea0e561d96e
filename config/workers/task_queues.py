"""The queues of Celery, and where each one's workers leave signs of life. Needs no Django."""

__all__ = ["ALIVE_SECONDS", "BEAT", "QUEUES", "WORKERS", "sign_of_life"]

# Players wait for what is in `matchmaking`: it has workers of its own, so that no long rating run is ahead of it.
QUEUES = ("ratings", "matchmaking")
# Of each queue, how many workers `bin/run` starts and how many tasks each does at once. When one that pairs players is
# killed, its neighbour is there: to start a process takes long on a busy machine.
WORKERS = {"ratings": (1, 2), "matchmaking": (2, 1)}
BEAT = "beat"  # the name under which the timer leaves signs of life
ALIVE_SECONDS = 45  # for which one counts as alive after its last sign


def sign_of_life(name: str) -> str:
    """The key of the cache under which somebody notes that work goes on.

    For a queue, its workers: that they ran one of beat's wake-ups. For a worker's own name, that it did any work. For
    `BEAT`, that it sent some.
    """
    return f"worker-alive:{name}"
