#!/usr/bin/python3
"""Are budgets in time kept? Crowds of concave bodies, many steps, a table.

    bench/budget.py PROGRAM [--steps 10000] [--bodies 250,1000] [--threads 1,2] [--budgets 1,2,4,8] [--repeats 1]
                            [RUN OPTIONS]

Each row is one run of the scene `concave`, recorded, and replays of the recording, which do the same
work bit for bit. A step that took longer than its budget once, but not when it was repeated, was held
up by the machine; "repeated" takes the least of the times of each step. Times are CPU
times of the stepping thread, of steps whose floor fits the budget. The last column but two counts the steps, of
those in which nothing else took the processor, whose climb went on for 20 microseconds more than was left
for it, the last two those that modelled contacts by fewer hits, or ended after fewer sub-steps, because they were held
up; below, what
`fovea bench machine` finds before and after: how often, at most, the machine makes that happen, whatever the
program does. Further options, such as --no-reservation, go to `fovea run`.
"""
import argparse
import csv
import pathlib
import subprocess
import sys
import tempfile

HEAD = ("| bodies | threads | budget, ms | within | worst is over by | p50 | p99 | max | within, by the clock "
        "| floor fits | repeated: within | worst is over by | climbed 20 us too long | brief | ended early |")


def numbers(text):
    return [int(part) for part in text.split(",")]


def fovea(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"fovea {' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return done.stdout.strip()


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def part_within(times, budget):
    return 100 * sum(time <= budget for time in times) / len(times)


def line(bodies, threads, budget, rows, repeats):
    cells = [str(bodies), str(threads), str(budget)]
    fitting = [i for i, row in enumerate(rows) if row["floor_fits"] == "1"]
    cpu = [float(row["thread_cpu_ms"]) for row in rows]
    ordered = sorted(cpu)
    own = [cpu[i] for i in fitting]
    wall = [float(rows[i]["sim_ms"]) for i in fitting]
    least = [min([cpu[i]] + [float(again[i]["thread_cpu_ms"]) for again in repeats]) for i in fitting]

    def kept(times):
        if not times:
            return ["-", "-"]
        return [f"{part_within(times, budget):.2f} %", f"{max(0.0, 100 * (max(times) / budget - 1)):.0f} %"]

    cells += kept(own)
    cells += [f"{ordered[int(part * (len(ordered) - 1))]:.2f}" for part in (0.5, 0.99, 1)]
    cells += [f"{part_within(wall, budget):.2f} %" if wall else "-", f"{100 * len(fitting) / len(rows):.2f} %"]
    cells += kept(least)
    alone = [row for row in rows if float(row["sim_ms"]) - float(row["thread_cpu_ms"]) < 0.02]
    late = sum(float(row["climb_overrun_ms"]) > 0.02 for row in alone)
    cells += [f"{100 * late / len(alone):.2f} %" if alone else "-"]
    for column in ("pairs_brief", "time_left_out_ms"):
        cells += [f"{100 * sum(float(row[column]) > 0 for row in rows) / len(rows):.2f} %"]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--steps", type=int, default=10000)
    parser.add_argument("--bodies", type=numbers, default=[250, 1000])
    parser.add_argument("--threads", type=numbers, default=[1, 2])
    parser.add_argument("--budgets", type=numbers, default=[1, 2, 4, 8])
    parser.add_argument("--repeats", type=int, default=1)
    options, more = parser.parse_known_args()
    before = fovea(options.program, "bench", "machine")
    print(HEAD + "\n" + "|---" * HEAD.count(" |") + "|")
    with tempfile.TemporaryDirectory() as folder:
        scene, record, stats = (pathlib.Path(folder) / name for name in ("concave.scene", "run.rec", "stats.csv"))
        for bodies in options.bodies:
            fovea(options.program, "generate", "concave", "-n", bodies, "-o", scene)
            for threads in options.threads:
                for budget in options.budgets:
                    fovea(options.program, "run", scene, "-n", options.steps, "--dt", 1 / 60, "--budget", budget,
                          "--threads", threads, "--stats", stats, "--record", record, *more)
                    rows = rows_of(stats)
                    repeats = []
                    for _ in range(options.repeats):
                        fovea(options.program, "replay", record, "--threads", threads, "--stats", stats)
                        repeats.append(rows_of(stats))
                    print(line(bodies, threads, budget, rows, repeats), flush=True)
    print(f"\nthe machine, before: {before}\nand after: {fovea(options.program, 'bench', 'machine')}")


if __name__ == "__main__":
    main()
