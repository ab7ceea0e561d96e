"""The keys by which this site signs its pushes (VAPID, RFC 8292).

They follow from the site's secret key, which it makes and keeps itself: whoever moves or restores a site takes them
along with that, and there is no second secret to lose. With another secret key browsers must be switched on anew.
"""

import base64
from functools import lru_cache
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02

__all__ = ["authorization", "public_key"]

# Of the curve P-256: how many points there are. Of 64 random bytes the rest by it is as good as random.
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_VALID = 12 * 3600  # seconds; makers of browsers take a day at most


@lru_cache(2)
def _key(secret: str) -> ec.EllipticCurvePrivateKey:
    drawn = HKDF(hashes.SHA256(), 64, salt=None, info=b"evenmatch web push").derive(secret.encode())
    number = int.from_bytes(drawn, "big") % (_ORDER - 1) + 1
    return ec.derive_private_key(number, ec.SECP256R1())


def public_key() -> str:
    """What a browser is told when it subscribes: the public key, in base64 for addresses."""
    point = (
        _key(settings.SECRET_KEY)
        .public_key()
        .public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    )
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def authorization(endpoint: str, now: float) -> str:
    """The header that says who pushes, for one maker of browsers."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(now) + _VALID,
        "sub": _contact(),
    }
    signed: dict[str, str] = Vapid02(_key(settings.SECRET_KEY)).sign(claims)
    return signed["Authorization"]


def _contact() -> str:
    """Where the maker of a browser can ask: the site, or the address that its mails come from."""
    if settings.PUBLIC_URL.startswith("https://"):
        return str(settings.PUBLIC_URL)
    return f"mailto:{settings.DEFAULT_FROM_EMAIL.rpartition('<')[2].rstrip('>')}"
