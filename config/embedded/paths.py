"""Where things lie in the data folder, and the addresses of the servers in it, as each library spells them."""

import hashlib
import os
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

PROJECT = Path(__file__).resolve().parents[2]
DATABASE = "evenmatch"
POSTGRES_PORT = 5432  # only names the socket file; nothing listens on the network
SOCKET_LIMIT = 107  # bytes of sun_path without its closing zero (unix(7))
SHORT = Path("/tmp")  # noqa: S108 - make_socket_dir() checks whose the folder in it is
SETTINGS_FILE = "EVENMATCH_SETTINGS"  # the variable that names a file of settings
FILE_GIVES = "EVENMATCH_SETTINGS_GIVE"  # names of the variables that it gave, once it was read
LONGEST_SOCKET = f".s.PGSQL.{POSTGRES_PORT}.lock"


class StartError(Exception):
    """A reason not to start that its reader can act on; told in one line, never with a traceback."""


def data_dir(environ: Mapping[str, str] | None = None) -> Path:
    """The data folder, absolute: EVENMATCH_DATA_DIR, else var/ beside manage.py."""
    given = (os.environ if environ is None else environ).get("EVENMATCH_DATA_DIR", "")
    return Path(given).expanduser().absolute() if given else PROJECT / "var"


def run_dir(data: Path) -> Path:
    """Folder of locks and pid files."""
    return data.absolute() / "run"


def socket_dir(data: Path) -> Path:
    """Folder of the two sockets: in the data folder, or a short one where that is too long.

    The same for all who use the data folder, whatever their TMPDIR and user.
    """
    inside = run_dir(data)
    if len(os.fsencode(inside / LONGEST_SOCKET)) <= SOCKET_LIMIT:
        return inside
    digest = hashlib.sha256(os.fsencode(data.absolute())).hexdigest()[:12]
    return SHORT / f"evenmatch-{digest}"


def make_socket_dir(data: Path) -> Path:
    """Make the folder of the sockets, for us alone; a StartError when a stranger made it."""
    folder = socket_dir(data)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    known = {0, os.geteuid(), data.stat().st_uid}
    if postgres_dir(data).exists():
        known.add(postgres_dir(data).stat().st_uid)
    if folder.is_symlink() or folder.stat().st_uid not in known:
        raise StartError(f"The folder {folder} belongs to somebody else. Remove it and try again.")
    folder.chmod(0o700)
    return folder


def log_dir(data: Path) -> Path:
    """Folder of the log files."""
    return data.absolute() / "log"


def postgres_dir(data: Path) -> Path:
    """Folder of the PostgreSQL cluster."""
    return data.absolute() / "postgresql"


def valkey_dir(data: Path) -> Path:
    """Folder of Valkey's snapshot."""
    return data.absolute() / "valkey"


def valkey_socket(data: Path) -> Path:
    """The socket Valkey listens on."""
    return socket_dir(data) / "valkey.sock"


def database_url(data: Path) -> str:
    """DATABASE_URL of the private PostgreSQL; the host is the socket folder, percent-encoded."""
    host = quote(str(socket_dir(data)), safe="")
    return f"postgresql://evenmatch@{host}:{POSTGRES_PORT}/{DATABASE}"


def redis_url(data: Path) -> str:
    """REDIS_URL of the private Valkey."""
    return f"unix://{quote(str(valkey_socket(data)))}?db=0"


def broker_url(redis_url: str) -> str:
    """A redis-py address as Celery spells it: unix://…?db= is redis+socket://…?virtual_host=."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    database = redis_database(redis_url)
    secret = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    return f"redis+socket://{secret}{parts.path}?virtual_host={database}"


def redis_database(redis_url: str) -> int:
    """The number of the database in a redis-py address: ?db= wins over the path, as there; 0 where none is given."""
    parts = urlsplit(redis_url)
    path = parts.path.strip("/") if parts.scheme != "unix" else ""
    given = parse_qs(parts.query).get("db", [path])[0]
    return int(given) if given.isdecimal() else 0


def public_url(data: Path) -> str:
    """The address under which `bin/run` last served this data folder; the default before its first start."""
    try:
        return address_file(data).read_text(encoding="utf-8").strip()
    except OSError:
        return "http://localhost:8000"


def address_file(data: Path) -> Path:
    """Where `bin/run` notes the address of the site, for commands that print links."""
    return run_dir(data) / "address"


def local_address_file(data: Path) -> Path:
    """Where `bin/run` notes, at each start, at which address of this machine it serves."""
    return run_dir(data) / "local-address"


def secret_key_file(data: Path) -> Path:
    """Where the secret key is kept."""
    return data.absolute() / "secret_key"


def secret_key(data: Path) -> str:
    """Django's secret key, kept in <data>/secret_key (mode 0600) and made when missing.

    Raises StartError where the file can be neither read nor made.
    """
    path = secret_key_file(data)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _write_once(path, secrets.token_urlsafe(64))
        return path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise StartError(
            f"Cannot keep the secret key in {path}: {error.strerror}. "
            "Choose a folder you may write to (EVENMATCH_DATA_DIR) or set EVENMATCH_SECRET_KEY."
        ) from error


def _write_once(path: Path, text: str) -> None:
    """Write a private file whole; whoever comes second keeps the first one's."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # mkstemp makes it 0600
    with os.fdopen(handle, "w", encoding="ascii") as stream:
        stream.write(text)
    try:
        os.link(name, path)
    except FileExistsError:
        pass
    finally:
        Path(name).unlink()
