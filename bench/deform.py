#!/usr/bin/python3
"""Plots collision of deforming and morphing meshes, from `fovea bench deform --json FILE`.

    bench/deform.py FOLDER FILE...

Writes to FOLDER what the files, together, have the scenes for:
  deform-policies.png   A1: time per step by update policy and peer, and step by step
  deform-sizes.png      A2: time per step against triangles
  deform-growth.png     B2: time of morph trees and of hybrid against triangles
"""
import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

MODES = (("all", "all pairs"), ("first", "first pair"))


def total(row):
    return row["update_ms"] + row["query_ms"]


def colour(method):
    peers = {"FCL": "tab:red", "Embree": "tab:orange", "van": "tab:purple", "skip": "tab:green",
             "morph": "tab:blue"}
    return peers.get(method.split(",")[0].split(" ")[0], "tab:blue")


def plot_policies(rows, picture):
    """Bars of update and query; beside them the steps of the quickest of each kind."""
    figure, axes = plt.subplots(1, 3, figsize=(17, 6), layout="constrained")
    for axis, (mode, title) in zip(axes, MODES):
        chosen = [row for row in rows if row["mode"] == mode]
        names = [row["method"] for row in chosen]
        places = np.arange(len(names))[::-1]
        update = [row["update_ms"] for row in chosen]
        axis.barh(places, [total(row) for row in chosen], color=[colour(n) for n in names])
        axis.barh(places, update, color="black", alpha=0.35, label="update")
        for place, row in zip(places, chosen):
            axis.text(total(row) * 1.08, place, f"{total(row):.3g}", va="center", fontsize=8)
        axis.set_yticks(places, names, fontsize=8)
        axis.set_xscale("log")
        axis.set_xlim(right=4 * max(total(row) for row in chosen))
        axis.set_xlabel("ms a step; dark: what is not done on demand")
        axis.set_title(f"A1, {title}")
    for row in rows:
        if row["mode"] != "all" or not row["method"].startswith(
                ("wide, hybrid", "van den Bergen, branching 2", "FCL, refit", "Embree, refit")):
            continue
        if row["method"].count(",") > 1:
            continue
        steps = np.array(row["update_ms_by_step"]) + np.array(row["query_ms_by_step"])
        axes[2].semilogy(np.arange(len(steps)) * 200 / len(steps), steps, label=row["method"],
                         color=colour(row["method"]))
    axes[2].set_xlabel("step (first touch at 60)")
    axes[2].set_ylabel("ms")
    axes[2].set_title("A1, all pairs, step by step")
    axes[2].legend(fontsize=8)
    axes[2].grid(alpha=0.3)
    figure.savefig(picture, dpi=100)


def plot_against_triangles(rows, scene, slopes, picture):
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    for axis, (mode, title) in zip(axes, MODES):
        methods = dict.fromkeys(row["method"] for row in rows if row["mode"] == mode)
        for method in methods:
            chosen = sorted((row for row in rows if row["mode"] == mode and row["method"] == method),
                            key=lambda row: row["triangles"])
            x = np.array([row["triangles"] for row in chosen])
            y = np.array([total(row) for row in chosen])
            label = method
            if slopes:
                label += f", ^{np.polyfit(np.log(x), np.log(y), 1)[0]:.2f}"
            axis.loglog(x, y, "o-", label=label,
                        color="tab:green" if slopes and method.startswith("wide") else colour(method))
            if slopes and method.startswith("wide"):
                world = np.array([row["world_vertices_ms"] for row in chosen])
                axis.loglog(x, y + world, "--", color="tab:green",
                            label="wide, hybrid, with the blending of its vertices")
        axis.set_title(f"{scene}, {title}")
        axis.set_xlabel("triangles a body")
        axis.set_ylabel("ms a step")
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8)
    figure.savefig(picture, dpi=100)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    rows = []
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8") as file:
            rows += json.load(file)
    # A2 is A1 at several sizes, with fewer methods.
    policies = [row for row in rows if row["scene"] == "A1" and row["run"] == "a1"]
    sizes = [row for row in rows if row["run"] == "a2"]
    morphs = [row for row in rows if row["run"] == "b2"]
    if policies:
        plot_policies(policies, folder / "deform-policies.png")
    if sizes:
        plot_against_triangles(sizes, "A2", False, folder / "deform-sizes.png")
    if morphs:
        plot_against_triangles(morphs, "B2, 12 bodies", True, folder / "deform-growth.png")


main()
