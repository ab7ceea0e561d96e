"""A process answers with the templates that it has started with."""

from pathlib import Path

from django.template import Context, Engine

from config.web.templates import load_templates


def test_they_stay_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "part").mkdir()
    page, broken = tmp_path / "part" / "page.html", tmp_path / "broken.html"
    page.write_text("of this release")
    broken.write_text("{% load nothing_like_it %}")
    engine = Engine([str(tmp_path)])
    load_templates(engine)
    page.write_text("{% load of_the_next_release %}")
    assert engine.get_template("part/page.html").render(Context()) == "of this release"
    broken.write_text("mended")
    assert engine.get_template("broken.html").render(Context()) == "mended"
