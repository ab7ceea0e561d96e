"""Sealed backups: only the key file opens them, and whatever was done to one is found."""

from pathlib import Path

import pytest

from config.backup import encryption
from config.backup.encryption import is_sealed, make_key_file, public_key_of, seal, unseal
from config.backup.manifest import BadBackupError
from config.settings.environment import check_settings

PIECE = 1000


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a small file has several."""
    monkeypatch.setattr(encryption, "_PIECE", PIECE)


@pytest.mark.parametrize("size", [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE])
def test_what_was_sealed_is_opened_by_its_key_alone(tmp_path: Path, size: int) -> None:
    public = make_key_file(tmp_path / "key")
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    assert public == public_key_of(tmp_path / "key")
    check_settings({"EVENMATCH_BACKUP_KEY": public})
    with pytest.raises(FileExistsError):
        make_key_file(tmp_path / "key")
    plain, sealed = tmp_path / "plain", tmp_path / "sealed"
    content = bytes(number % 251 for number in range(size))
    plain.write_bytes(content)
    seal(plain, sealed, public)
    assert is_sealed(sealed)
    assert not is_sealed(plain)
    assert size < 100 or content[:100] not in sealed.read_bytes()
    unseal(sealed, tmp_path / "opened", tmp_path / "key")
    assert (tmp_path / "opened").read_bytes() == content
    make_key_file(tmp_path / "another")
    with pytest.raises(BadBackupError, match="the key is another one"):
        unseal(sealed, tmp_path / "never", tmp_path / "another")
    with pytest.raises(BadBackupError, match="is no key file"):
        unseal(sealed, tmp_path / "never", plain)


def test_what_was_done_to_one_is_found(tmp_path: Path) -> None:
    public = make_key_file(tmp_path / "key")
    plain, sealed = tmp_path / "plain", tmp_path / "sealed"
    plain.write_bytes(bytes(3 * PIECE))
    seal(plain, sealed, public)
    whole, sealed_piece = sealed.read_bytes(), PIECE + 16
    head = len(whole) - 3 * sealed_piece
    one, two, three = (
        whole[head + at * sealed_piece : head + (at + 1) * sealed_piece] for at in range(3)
    )
    changed = bytearray(whole)
    changed[-1] ^= 1
    for number, bad in enumerate(
        [
            bytes(changed),
            whole[:head] + one + two,  # without the last
            whole[:head] + two + one + three,
            whole[:head] + one + three,
            whole + three,
            whole[:head],
            whole[: head - 1],
        ]
    ):
        sealed.write_bytes(bad)
        with pytest.raises(BadBackupError, match=r"cannot be opened|cut short"):
            unseal(sealed, tmp_path / f"never-{number}", tmp_path / "key")
