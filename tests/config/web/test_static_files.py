"""Static files of one release after the other: what is handed out is never touched, and does not pile up."""

import gzip
from pathlib import Path

import pytest
from django.core.files import File
from django.core.files.storage import FileSystemStorage

from config.web.static_files import StaticFiles


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "source" / "css").mkdir(parents=True)
    (tmp_path / "source" / "same.js").write_text("same();\n" * 100)
    return tmp_path / "source"


def collect(source: Path, css: str) -> dict[str, Path]:
    """Collect as `collectstatic` does, with these words in the style sheet; gives each file as it is named now."""
    (source / "css" / "site.css").write_text(f"/* {css} */\n" * 100)
    root = source.parent / "static"
    storage = StaticFiles(location=root, base_url="/static/")
    paths = {}
    for path in (path for path in source.rglob("*") if path.is_file()):
        name = path.relative_to(source).as_posix()
        paths[name] = (FileSystemStorage(source), name)
        with path.open("rb") as content:
            storage.save(name, File(content))
    for _name, _hashed, processed in storage.post_process(paths):
        assert not isinstance(processed, Exception)
    assert (root / "staticfiles.json").is_file()
    return {name: root / hashed for name, hashed in storage.hashed_files.items()}


def state(path: Path) -> tuple[int, int, bytes]:
    """Which file it is, when it was written, and what it says; whoever has it open reads the same."""
    facts = path.stat()
    return facts.st_ino, facts.st_mtime_ns, path.read_bytes()


def compressed(path: Path) -> Path:
    return path.with_name(f"{path.name}.gz")


def test_those_of_the_release_before_stay_as_they_are_and_older_ones_go(source: Path) -> None:
    first = collect(source, "first")
    kept = [*first.values(), *map(compressed, first.values())]
    before = [state(path) for path in kept]

    second = collect(source, "second")
    assert second["css/site.css"] != first["css/site.css"]
    assert second["same.js"] == first["same.js"]
    assert [state(path) for path in kept] == before
    assert gzip.decompress(compressed(second["css/site.css"]).read_bytes()).startswith(b"/* second")

    third = collect(source, "third")
    assert not first["css/site.css"].exists()
    assert not compressed(first["css/site.css"]).exists()
    assert second["css/site.css"].exists()
    root = source.parent / "static"
    named = {root / "staticfiles.json", *second.values(), *third.values()}
    named |= {compressed(path) for path in (*second.values(), *third.values())}
    assert {path for path in root.rglob("*") if path.is_file()} == named


def test_what_was_left_half_written_is_written_again(source: Path) -> None:
    made = collect(source, "first")["css/site.css"]
    whole = made.read_bytes()
    made.write_bytes(whole[:10])
    compressed(made).write_bytes(compressed(made).read_bytes()[:10])
    made.with_name(f"{made.name}.part").touch()
    assert collect(source, "first")["css/site.css"] == made
    assert made.read_bytes() == whole
    assert gzip.decompress(compressed(made).read_bytes()) == whole
    assert not made.with_name(f"{made.name}.part").exists()
