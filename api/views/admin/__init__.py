"""Setting up games, ladders, tracks, queues and keys: for deployments, with a key that has the scope `admin`."""

from api.views.admin import games, keys, ladders, queues, tracks

__all__ = ["games", "keys", "ladders", "queues", "tracks"]
