#!/usr/bin/python3
"""The growth study: how the cost of a frame grows with the number of bodies (Stokes 6, E1 to E9).

    bench/growth.py PROGRAM FOLDER [--quick]

Runs the example scenes with each broad phase on one thread and writes to FOLDER
  growth.csv   every run: scene, method, bodies, times, counters
  growth.md    the findings E1 to E9 beside the source's
  growth-*.png plots
Times are CPU times of the step on one thread, since other programs may share the machine. Only ratios
within one study mean anything; the machine is named in the report.
"""
import argparse
import csv
import pathlib
import platform
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

REAL_TIME_MS = 1000 / 30  # the source's "real time": 30 frames a second
METHODS = ("brute", "plain-sweep", "sweep", "tree")
COLOURS = {"brute": "tab:red", "plain-sweep": "tab:orange", "sweep": "tab:blue", "tree": "tab:green"}
#        scene        generator arguments           what the source measured it for
SCENES = {
    "pools": [],
    "brownian": [],
    "brownian-box": ["--fixed-box"],
    "pyramid": [],
    "density": [],
}
SIZES = (125, 250, 500, 1000, 2000, 5000, 10000, 20000)


class Run:
    """One run of the program: the columns of its statistics as arrays."""

    def __init__(self, program, scene, method, bodies, frames):
        generator = "brownian" if scene == "brownian-box" else scene
        if scene == "pools":  # counted in breaks of 16 balls on one floor
            breaks = bodies // 16
            bodies = 16 * breaks + 1
        with tempfile.TemporaryDirectory() as folder:
            scene_file, stats = f"{folder}/scene", f"{folder}/stats.csv"
            count = breaks if scene == "pools" else bodies
            subprocess.run([program, "generate", generator, "-n", str(count), "--seed", "1",
                            "-o", scene_file, *SCENES[scene]], check=True)
            subprocess.run([program, "run", scene_file, "-n", str(frames), "--broad", method,
                            "--response", "impulse", "--quiet", "--stats", stats],
                           check=True)
            with open(stats, newline="") as file:
                rows = list(csv.DictReader(file))
        self.scene, self.method, self.bodies = scene, method, bodies
        self.column = {name: np.array([float(row[name]) for row in rows])
                       for name in rows[0] if name != "hash"}

    def mean(self, name, skip=1):
        return float(self.column[name][skip:].mean())


def frames_for(method, bodies, quick):
    """Long enough for the scene's events, short enough for the quadratic method."""
    if quick:
        return 30
    if method == "brute":
        return 400 if bodies <= 2000 else 60 if bodies <= 5000 else 20
    return 400 if bodies <= 10000 else 200


def limit(runs):
    """Largest number of bodies in real time, between the sizes run by a straight line in log-log."""
    under = [(r.bodies, r.mean("cpu_ms")) for r in runs]
    for (n0, t0), (n1, t1) in zip(under, under[1:]):
        if t0 <= REAL_TIME_MS < t1:
            share = np.log(REAL_TIME_MS / t0) / np.log(t1 / t0)
            return f"{int(n0 * (n1 / n0) ** share)}"
    return f"over {under[-1][0]}" if under[-1][1] <= REAL_TIME_MS else f"under {under[0][0]}"


def slope(runs, name="cpu_ms", low=1000):
    chosen = [r for r in runs if r.bodies >= low]
    x = np.log([r.bodies for r in chosen])
    y = np.log([max(r.mean(name), 1e-6) for r in chosen])
    return float(np.polyfit(x, y, 1)[0])


def smoothed(values, width=15):
    return np.convolve(values, np.ones(width) / width, mode="same")


def peak(values, low, high):
    return low + int(np.argmax(values[low:high]))


def plot_growth(study, folder):
    figure, axes = plt.subplots(1, len(SCENES), figsize=(4 * len(SCENES), 4), sharey=True)
    for axis, scene in zip(axes, SCENES):
        for method in METHODS:
            runs = study[scene, method]
            axis.loglog([r.bodies for r in runs], [r.mean("cpu_ms") for r in runs], "o-",
                        color=COLOURS[method], label=f"{method}, slope {slope(runs):.2f}")
        axis.axhline(REAL_TIME_MS, color="grey", linestyle=":", linewidth=1)
        axis.set_title(scene)
        axis.set_xlabel("bodies")
        axis.legend(fontsize=8)
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("mean frame, ms (first one left out)")
    figure.tight_layout()
    figure.savefig(folder / "growth-bodies.png", dpi=110)


def plot_trace(sweep, brute, folder):
    figure, (time_axis, hit_axis) = plt.subplots(2, 1, figsize=(8, 6), sharex=True)
    time_axis.semilogy(brute.column["cpu_ms"][1:], color=COLOURS["brute"], label="brute")
    time_axis.semilogy(sweep.column["cpu_ms"][1:], color=COLOURS["sweep"], label="sweep")
    time_axis.set_ylabel("frame, ms")
    time_axis.legend()
    hit_axis.plot(sweep.column["hits"], color="lightgrey", label="hits")
    hit_axis.plot(smoothed(sweep.column["hits"]), color="black", label="mean of 15 frames")
    hit_axis.set_ylabel("hits")
    hit_axis.set_xlabel(f"frame (pyramid, {sweep.bodies} spheres)")
    hit_axis.legend()
    for axis in (time_axis, hit_axis):
        axis.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(folder / "growth-trace.png", dpi=110)


def worst_to_naive(trace):
    """The peak of the sweep's smoothed cost, first frame left out, over the naive mean."""
    return smoothed(trace["sweep"].column["cpu_ms"][1:]).max() / trace["brute"].mean("cpu_ms")


def findings(study, trace, large_trace):
    """The rows of the report: id, what the source found, what we found.

    A naive box test took the source 0.2 us and takes us 5 ns, so where it paid 33 ms a frame for
    400 spheres, we pay as much for 4,000: that is the size at which peaks compare.
    """
    def limits(scene):
        return ", ".join(f"{m} {limit(study[scene, m])}" for m in METHODS)

    def fit(method):
        runs = study["pyramid", method]
        return np.polyfit([r.bodies for r in runs], [r.mean("cpu_ms") for r in runs], 2)[0]

    naive = trace["brute"].column["cpu_ms"][1:]
    swept = trace["sweep"].column["cpu_ms"][1:]
    hits = smoothed(trace["sweep"].column["hits"])
    plain = study["pyramid", "plain-sweep"]
    swaps_slope = np.polyfit(np.log([r.bodies for r in plain]),
                             np.log([r.column["swaps"][0] for r in plain]), 1)[0]

    def first_to_median(run):
        return run.column["cpu_ms"][0] / np.median(run.column["cpu_ms"][1:])

    presorted = study["pyramid", "sweep"][-1]
    some = study["pyramid", "brute"][2]
    few = study["pools", "sweep"][0]
    slopes = ", ".join(f"{m} {slope(study['pyramid', m]):.2f}" for m in METHODS)
    coefficients = ", ".join(f"{m} {fit(m):.1e}" for m in METHODS)
    return [
        ("E1", "pool breaks in real time up to 1850 bodies", limits("pools")),
        ("E2", "Brownian motion up to 1600", f"constant density: {limits('brownian')}; "
         f"constant box: {limits('brownian-box')}"),
        ("E3", "pyramid up to 1600", limits("pyramid")),
        ("E4", "no more than 75 frames a second, however few bodies",
         f"no plateau without a display: {1000 / few.mean('cpu_ms'):.0f} frames a second at "
         f"{few.bodies} bodies"),
        ("E5", "the sweep handles over 4 times as many bodies as the naive method (pyramid)",
         limits("pyramid")),
        ("E6", "naive: quadratic, over 33 ms beyond 400; sweep: quadratic with a tiny coefficient",
         f"log-log slopes from 1,000 bodies (pyramid): {slopes}; quadratic coefficients, ms per "
         f"body squared: {coefficients}"),
        ("E7", "naive: every frame costs the same",
         f"coefficient of variation {naive.std() / naive.mean():.2f} (sweep "
         f"{swept.std() / swept.mean():.2f}); box tests between {some.column['tests'].min():.0f} "
         f"and {some.column['tests'].max():.0f} a frame at {some.bodies} spheres"),
        ("E8", "the first frame is far dearer than the rest (insertion sort from nothing)",
         f"plain-sweep: swaps of the first frame grow with slope {swaps_slope:.2f}, and it costs "
         f"{first_to_median(plain[-1]):.0f} times the median frame at {plain[-1].bodies} spheres; "
         f"sweep, presorted: {first_to_median(presorted):.1f} times"),
        ("E9", "peaks near frames 150 and 300, an order of magnitude below naive",
         f"peaks of hits at frames {peak(hits, 50, 230)} and {peak(hits, 250, 400)}; the dearest "
         "15 frames of the sweep cost " + ", ".join(
             f"{worst_to_naive(t):.2f} of the naive mean with {t['sweep'].bodies} spheres "
             f"({t['brute'].mean('cpu_ms'):.1f} ms)" for t in (trace, large_trace))),
    ]


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo")
                  if line.startswith("model name")), platform.machine())
    return f"{model}, one thread, {platform.system()}"


def write_report(study, rows, folder):
    with open(folder / "growth.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["scene", "method", "bodies", "frames", "first_ms", "mean_ms", "p50_ms",
                         "p99_ms", "max_ms", "broad_ms", "narrow_ms", "response_ms", "pairs",
                         "tests", "hits", "swaps"])
        for runs in study.values():
            for r in runs:
                ms = r.column["cpu_ms"][1:]
                writer.writerow(
                    [r.scene, r.method, r.bodies, len(ms) + 1, f"{r.column['cpu_ms'][0]:.3f}"]
                    + [f"{v:.4f}" for v in (ms.mean(), *np.percentile(ms, (50, 99)), ms.max())]
                    + [f"{r.mean(c):.4f}" for c in ("broad_ms", "narrow_ms", "response_ms")]
                    + [f"{r.mean(c):.1f}" for c in ("pairs", "tests", "hits", "swaps")])
    lines = ["# Growth study", "",
             "Made by `make bench` (`bench/growth.py`); all runs in `growth.csv`.", "",
             f"Machine: {machine()}. Times are CPU times of the step. \"In real time\" means a mean frame "
             "of at most 33.3 ms. Means leave out the first frame.", "",
             "| | The source found | We find |", "|---|---|---|"]
    lines += [f"| {a} | {b} | {c} |" for a, b, c in rows]
    lines += ["", "## Equal density", "",
              "Mean milliseconds a frame (CPU), and of the broad phase alone (wall clock), in the scene `density`.", "",
              "| bodies | " + " | ".join(f"{m} frame | {m} broad" for m in METHODS) + " | swaps |",
              "|---" * (2 * len(METHODS) + 2) + "|"]
    for i, r in enumerate(study["density", "sweep"]):
        cells = [f"{study['density', m][i].mean(c):.3f}"
                 for m in METHODS for c in ("cpu_ms", "broad_ms")]
        lines.append(f"| {r.bodies} | " + " | ".join(cells) + f" | {r.mean('swaps'):.0f} |")
    lines += ["", "Growth exponents from 1,000 to 20,000 bodies: " + "; ".join(
        f"{m} frame {slope(study['density', m]):.2f}, broad phase "
        f"{slope(study['density', m], 'broad_ms'):.2f}" for m in METHODS) + ".",
        "", "![mean frame against bodies](growth-bodies.png)", "",
        "![trace of the pyramid](growth-trace.png)", ""]
    (folder / "growth.md").write_text("\n".join(lines))
    print("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="small and short, to try the script")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    sizes = (125, 250, 500, 1000, 2000) if arguments.quick else SIZES

    study = {}
    for scene in SCENES:
        for method in METHODS:
            print(f"{scene} {method}", file=sys.stderr)
            study[scene, method] = [
                Run(arguments.program, scene, method, n,
                    frames_for(method, n, arguments.quick)) for n in sizes]
    trace, large_trace = ({m: Run(arguments.program, "pyramid", m, n, 400)
                           for m in ("brute", "sweep")} for n in (1000, 4000))
    plot_growth(study, arguments.folder)
    plot_trace(trace["sweep"], trace["brute"], arguments.folder)
    write_report(study, findings(study, trace, large_trace), arguments.folder)


if __name__ == "__main__":
    main()
