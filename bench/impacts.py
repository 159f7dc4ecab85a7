#!/usr/bin/python3
"""Plots the ladder experiment: the errors of every rung, from `fovea bench impacts --json FILE`.

    bench/impacts.py FILE PICTURE
"""
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

ERRORS = (("gap_m", "gap when answered, m"), ("normal_degrees", "normal, degrees"),
          ("velocity", "velocity / approach"), ("spin", "spin x radius / approach"))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        rungs = json.load(file)
    names = [rung["nodes"] for rung in rungs]
    figure, plots = plt.subplots(1, 4, figsize=(15, 4), layout="constrained")
    for plot, (key, title) in zip(plots, ERRORS):
        low, median, high = np.percentile([rung[key] for rung in rungs], (25, 50, 75), axis=1)
        plot.fill_between(names, low, high, alpha=0.2, label="quartiles")
        plot.plot(names, median, marker="o", label="median")
        plot.set_title(title, fontsize=10)
        plot.set_ylim(bottom=0)
        plot.tick_params(axis="x", labelrotation=45)
        plot.grid(alpha=0.3)
    plots[0].legend()
    figure.suptitle(f"{len(rungs[0]['gap_m'])} impacts of two concave bodies, by the rung that answers them")
    figure.savefig(sys.argv[2], dpi=110)


main()
