"""Draws the picture of Benchmarks/plot, from measurements as JSON, into a file with the given name."""

import json
import sys

import matplotlib

matplotlib.use("svg")
# Keep text as text, and give the same file for the same figures.
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "gallery", "font.size": 10})

from matplotlib import pyplot  # noqa: E402
from matplotlib.ticker import FuncFormatter  # noqa: E402

OURS, GUIDE = "#1f6f8b", "#999999"


def draw(measured, file):
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    sizes = measured["sizes"]
    growth = [size / sizes[0] for size in sizes]

    left.set_title(f"sync of {measured['new']} new images")
    left.set_xlabel("images in the library before")
    plot(left, sizes, measured["additions"], "in an empty library")
    left.axhline(1.2, color=GUIDE, linestyle="--")
    left.annotate("at most 1.2", (sizes[0], 1.24), color=GUIDE)
    left.set_ylim(0, max(2, *measured["additions"]) * 1.05)

    right.set_title("first sync of a document")
    right.set_xlabel("entries in the document")
    plot(right, sizes, measured["documents"], f"for {sizes[0]:,}")
    right.plot(sizes, growth, color=GUIDE, linestyle="--")
    right.annotate(
        "as many times the entries", (sizes[-2], growth[-2]), xytext=(-8, 4),
        textcoords="offset points", ha="right", color=GUIDE,
    )
    right.set_yscale("log")
    right.set_ylim(bottom=0.5)
    right.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))

    figure.savefig(file, metadata={"Date": None})


def plot(axes, sizes, times, base):
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.set_ylabel(f"time, in multiples of that {base}")
    axes.plot(sizes, times, color=OURS, marker="o")
    for size, time in zip(sizes, times):
        label = f"{time:,.0f}" if time > 10 else f"{time:.2f}"
        axes.annotate(label, (size, time), xytext=(0, -14), textcoords="offset points")
    axes.spines[["top", "right"]].set_visible(False)


draw(json.load(sys.stdin), sys.argv[1])
