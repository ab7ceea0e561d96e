"""Charts of lines: well-formed, told in words, and true to their figures."""

from xml.etree import ElementTree as ET

import pytest

from matchmaking.preview.svg_chart import Axis, Series, draw_lines

SVG = "{http://www.w3.org/2000/svg}"


def draw(*lines: Series, x: Axis | None = None, y: Axis | None = None) -> ET.Element:
    text = draw_lines("Title & more", "A < B", x or Axis("seconds"), y or Axis("points"), lines)
    return ET.fromstring(text)  # noqa: S314 - our own


def points_of(root: ET.Element, number: int) -> list[tuple[float, float]]:
    path = root.findall(f"{SVG}polyline")[2 * number].get("points") or ""
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in path.split())]


def test_it_says_what_it_shows() -> None:
    root = draw(Series("one", [(0, 0), (10, 5)]))

    assert root.findtext(f"{SVG}title") == "Title & more"
    assert root.findtext(f"{SVG}desc") == "A < B"
    texts = [element.text for element in root.findall(f"{SVG}text")]
    assert {"seconds", "points", "one"} <= set(texts)


def test_points_are_where_the_axes_say() -> None:
    root = draw(Series("one", [(0, 0), (5, 10), (10, 20)]))

    (left, bottom), (middle, between), (right, top) = points_of(root, 0)
    assert left < middle < right
    assert bottom > between > top
    assert middle == pytest.approx((left + right) / 2, abs=0.1)
    assert between == pytest.approx((bottom + top) / 2, abs=0.1)


def test_a_logarithmic_axis_leaves_out_nothing_and_spaces_evenly() -> None:
    root = draw(
        Series("one", [(0, 1), (1, 1), (10, 1), (100, 1)]), x=Axis("seconds", is_logarithmic=True)
    )

    places = [x for x, _ in points_of(root, 0)]
    assert len(places) == 3
    assert places[1] - places[0] == pytest.approx(places[2] - places[1], abs=0.2)


def test_lines_differ_without_their_colours() -> None:
    root = draw(*(Series(str(number), [(0, 0), (1, number)]) for number in range(6)))

    dashes = [line.get("stroke-dasharray") for line in root.findall(f"{SVG}polyline")[::2]]
    assert len(set(dashes)) == 6


def test_few_points_are_marked_and_labelled() -> None:
    few = draw(Series("few", [(1, 1), (2, 2)], ["a", "b"]))
    many = draw(Series("many", [(number, number) for number in range(30)]))

    assert len(few.findall(f"{SVG}circle")) == 3  # one in the key
    assert {"a", "b"} <= {element.text for element in few.findall(f"{SVG}text")}
    assert not many.findall(f"{SVG}circle")


@pytest.mark.parametrize("points", [[], [(3.0, 0.0)], [(0.0, 7.0), (0.0, 7.0)]])
def test_little_can_be_drawn_too(points: list[tuple[float, float]]) -> None:
    for axis in (
        Axis("seconds"),
        Axis("seconds", is_logarithmic=True),
        Axis("s", begins_at_zero=False),
    ):
        draw(Series("one", points), x=axis, y=axis)
