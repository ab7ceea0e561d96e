"""Reading from the environment which web sites may call the API."""

from urllib.parse import urlsplit

from environs import Env, EnvValidationError

__all__ = ["read_origins"]


def read_origins(env: Env, name: str) -> frozenset[str]:
    """Read `https://play.example.org,http://localhost:5173`; none by default. EnvValidationError names a bad value."""
    texts = [text.strip() for text in env.str(name, "").split(",")]
    return frozenset(_origin(text, name) for text in texts if text)


def _origin(text: str, name: str) -> str:
    """The origin as browsers send it: small letters, nothing after the port, no port that goes without saying."""
    try:
        parts = urlsplit(text.lower())
        port = parts.port
    except ValueError:
        raise _wrong(text, name) from None
    usual = {"http": 80, "https": 443}
    plain = f"{parts.scheme}://{parts.netloc}"
    if parts.scheme not in usual or not parts.hostname or "@" in plain or plain != text.lower():
        raise _wrong(text, name)
    return plain.removesuffix(f":{port}") if port == usual[parts.scheme] else plain


def _wrong(text: str, name: str) -> EnvValidationError:
    words = (
        f"{name} has {text!r}: must be the origin of a web site such as https://play.example.org,"
        " without a path or a slash at the end"
    )
    return EnvValidationError(words, [words])
