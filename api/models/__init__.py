"""The nouns of the API, one a file."""

from api.models.answers import StoredAnswer
from api.models.keys import ServerKey
from api.models.tokens import PlayerToken

__all__ = ["PlayerToken", "ServerKey", "StoredAnswer"]
