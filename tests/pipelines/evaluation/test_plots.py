"""Plots are SVG that a parser takes, show every value, and escape every label."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from pipelines.evaluation import plots
from pipelines.evaluation.plots import Axis, Interval95

EVIL = '<script>alert("x")</script> & \x00\x1b'


def tags(svg: str, tag: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter(tag))


@pytest.mark.parametrize(
    "svg",
    [
        plots.bars(EVIL, {EVIL: 3, "b": 0}, EVIL),
        plots.intervals(EVIL, [Interval95(EVIL, -0.1, 0.1, 0.3, True)], EVIL),
        plots.columns(EVIL, [(EVIL, 0.5), ("b", -0.5), ("c", 0.0)], EVIL),
        plots.shares(EVIL, {EVIL: [1.0, 2.0], "b": [3.0]}, EVIL),
        plots.calibration(EVIL, [(0.5, 0.4, 10)]),
    ],
)
def test_whatever_a_label_holds_the_plot_is_whole_and_runs_nothing(svg: str) -> None:
    root = ElementTree.fromstring(svg)
    assert root.tag == "svg"
    assert root.get("role") == "img"
    assert not tags(svg, "script")
    assert "nan" not in svg


@pytest.mark.parametrize(
    "svg",
    [
        plots.bars("t", {}, "n"),
        plots.intervals("t", [], "n"),
        plots.intervals("t", [Interval95("alike", 0.0, 0.0, 0.0, False)], "n"),
        plots.columns("t", [], "n"),
        plots.shares("t", {"a": []}, "n"),
        plots.shares("t", {"a": [0.0]}, "n"),
        plots.calibration("t", []),
    ],
)
def test_nothing_and_alike_values_can_be_drawn_too(svg: str) -> None:
    assert ElementTree.fromstring(svg).tag == "svg"


def test_bars_are_as_high_as_their_counts() -> None:
    heights = [float(rect.get("height", 0)) for rect in tags(plots.bars("t", {"a": 2, "b": 4, "c": 0}, "n"), "rect")]
    assert heights[1] == pytest.approx(2 * heights[0])
    assert heights[2] == 0


def test_an_interval_runs_from_bound_to_bound_about_zero() -> None:
    svg = plots.intervals("t", [Interval95("a", -0.2, 0.0, 0.2, False)], "n")
    whisker = next(line for line in tags(svg, "line") if "whisker" in line.get("class", ""))
    (dot,) = tags(svg, "circle")
    left, right, middle = float(whisker.get("x1", 0)), float(whisker.get("x2", 0)), float(dot.get("cx", 0))
    assert left < middle < right
    assert middle - left == pytest.approx(right - middle, abs=0.1)


def test_columns_rise_for_the_second_and_fall_for_the_first() -> None:
    up, down = tags(plots.columns("t", [("w", 0.5), ("l", -0.5)], "n"), "rect")
    assert (up.get("class"), down.get("class")) == ("b", "a")
    assert float(up.get("y", 0)) + float(up.get("height", 0)) == pytest.approx(float(down.get("y", 0)), abs=0.1)


def test_very_many_columns_are_thinned_evenly() -> None:
    shown = tags(plots.columns("t", [(str(number), 1.0) for number in range(5000)], "n"), "rect")
    assert 200 <= len(shown) <= 250


@pytest.mark.parametrize(
    ("least", "most", "ticks"),
    [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]), (-0.03, 0.03, [-0.02, 0, 0.02]), (0, 7, [0, 2, 4, 6]), (0, 0, [0])],
)
def test_ticks_are_round_and_within(least: float, most: float, ticks: list[float]) -> None:
    assert Axis(least, most, 0, 100).ticks() == pytest.approx(ticks)
