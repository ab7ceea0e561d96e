"""The queues of Celery, and where each one's workers leave signs of life. Needs no Django."""

__all__ = ["ALIVE_SECONDS", "QUEUES", "sign_of_life"]

# Players wait for what is in `matchmaking`: it has workers of its own, so that no long rating run is ahead of it.
QUEUES = ("ratings", "matchmaking")
ALIVE_SECONDS = 45  # for which one counts as alive after its last sign


def sign_of_life(queue: str) -> str:
    """The key of the cache under which the queue's workers note that they ran one of beat's wake-ups."""
    return f"worker-alive:{queue}"
