#!/usr/bin/python3
"""The program from outside: files, options, exit codes, what it leaves behind.

    cli_test.py PROGRAM
"""
import csv
import json
import os
import signal
import subprocess
import time
import unittest

from support import PROGRAM, ProgramTest

TWO_BALLS = """
wall { normal 0,1,0 toOrig 0 elastic 0.5 }
sphere { radius 0.5 mass 1 centre 0,3,0 }
sphere { radius 0.5 mass 1 centre 0.2,5,0 vel 0,-1,0 }
"""
COLUMNS = ("frame,sim_ms,cpu_ms,broad_ms,narrow_ms,response_ms,pairs,tests,hits,swaps,"
           "kinetic,potential,hash").split(",")
TIMES = [name for name in COLUMNS if name.endswith("_ms")]
BUDGET_COLUMNS = ("thread_cpu_ms,budget_ms,budget_units,floor_ms,floor_fits,used_units,floor_units,"
                  "spare_ms,climb_overrun_ms,rungs_climbed,pairs_brief,contacts_left_out,sub_steps_left_out,"
                  "iterations_left_out,time_left_out_ms,sweeps_left_out,causality_p50_ms,causality_max_ms,"
                  "held_max_ms,exact_pairs,pairs_apart,pairs_suppressed,pairs_dropped,"
                  "pairs_cut,late_by_clock,late_by_steps").split(",")
RUNG_COLUMNS = [f"rung_{i}" for i in range(16)]
WORK_COLUMNS = [f"{work}_{what}"
                for work in "prepare,open,climb,model,join,respond,index,sweep,finish".split(",")
                for what in ("units", "ms", "expected_ms")]
INACCURACY_COLUMNS = ("node_pairs,delta_m,repelled,gap_m,worst_gap_m,penetration_m,left_out,missed,"
                      "missed_depth_m").split(",")


class CliTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.scene = self.folder / "two.scene"
        self.scene.write_text(TWO_BALLS)

    def rows(self, path):
        with open(path, newline="") as file:
            return list(csv.DictReader(file))

    # --- replay --------------------------------------------------------------------------------

    def test_a_recording_replays(self):
        recording = self.folder / "run.fovea"
        self.fovea("run", self.scene, "-n", 40, "--record", recording, "-q")
        for threads in (1, 3):
            told = self.fovea("replay", recording, "--threads", threads)
            self.assertIn("40 steps", told.stdout)

    def test_replay_names_the_first_step_that_differs(self):
        recording = self.folder / "run.fovea"
        self.fovea("run", self.scene, "-n", 39, "--record", recording, "-q")
        shorter = recording.stat().st_size
        self.fovea("run", self.scene, "-n", 40, "--record", recording, "-q")
        data = bytearray(recording.read_bytes())
        step = len(data) - shorter
        data[-8 - step - 1] ^= 1  # before the end (8 bytes) and step 39: the hash of step 38
        recording.write_bytes(data)
        told = self.fovea("replay", recording, expect=1)
        self.assertIn("after the step has hash", told.stderr)
        self.assertIn("step 39", told.stderr)

    def test_replay_refuses_what_is_no_recording(self):
        told = self.fovea("replay", self.scene, expect=3)
        self.assertIn("not a recording", told.stderr)
        self.fovea("replay", self.folder / "missing", expect=3)
        self.assertIn("is a directory", self.fovea("replay", self.folder, expect=3).stderr)
        recording = self.folder / "run.fovea"
        self.fovea("run", self.scene, "-n", 5, "--record", recording, "-q")
        recording.write_bytes(recording.read_bytes()[:-7])
        told = self.fovea("replay", recording, expect=3)
        self.assertIn("ends within an entry", told.stderr)

    def test_replay_tells_what_steps_took(self):
        recording, stats, again = (self.folder / name for name in ("run.fovea", "s.csv", "t.csv"))
        self.fovea("run", self.scene, "-n", 20, "--work", 3000, "--record", recording, "--stats", stats, "-q")
        self.fovea("replay", recording, "--stats", again)
        rows, repeated = self.rows(stats), self.rows(again)
        for column in ("frame", "pairs", "kinetic", "hash", "respond_units"):
            self.assertEqual([row[column] for row in rows], [row[column] for row in repeated])

    # --- bench ---------------------------------------------------------------------------------

    def test_bench_names_its_benchmarks(self):
        for arguments in ([], ["nonsense"]):
            with self.subTest(arguments):
                told = self.fovea("bench", *arguments, expect=2)
                self.assertIn("engine, deform, spheres, ladder, impacts, machine", told.stderr)

    def test_bench_hands_options_on(self):
        if not os.path.exists(PROGRAM + "-bench-engine"):
            self.skipTest("built without benchmarks")
        told = self.fovea("bench", "engine", "--scenes", "spheres", "--sizes", 20, "--frames", 2)
        self.assertIn("spheres", told.stdout)
        self.fovea("bench", "engine", "--nonsense", expect=2)

    # --- run -----------------------------------------------------------------------------------

    def test_file_and_standard_input_give_the_same_statistics(self):
        a, b = self.folder / "a.csv", self.folder / "b.csv"
        self.fovea("run", self.scene, "-n", 50, "--stats", a)
        self.fovea("run", "-n", 50, "--stats", b, stdin=TWO_BALLS)
        rows_a, rows_b = self.rows(a), self.rows(b)
        for row in rows_a + rows_b:
            for name in [name for name in row if name.endswith("_ms")]:
                del row[name]
        self.assertEqual(rows_a, rows_b)

    def test_statistics_have_a_row_per_frame_that_sums_to_the_totals(self):
        stats, report = self.folder / "s.csv", self.folder / "r.json"
        self.fovea("run", self.scene, "-n", 37, "--stats", stats, "--report", report)
        rows = self.rows(stats)
        self.assertEqual(list(rows[0]), COLUMNS + BUDGET_COLUMNS + RUNG_COLUMNS + WORK_COLUMNS +
                         INACCURACY_COLUMNS)
        self.assertEqual([int(r["frame"]) for r in rows], list(range(37)))
        document = json.loads(report.read_text())
        for name in TIMES + ["pairs", "tests", "hits", "swaps"]:
            total = sum(float(r[name]) for r in rows)
            # Times are printed with six decimals: half a unit of the last one, 37 times.
            self.assertAlmostEqual(document["totals"][name], total, delta=37 * 1e-6)
        self.assertEqual(document["frames"], 37)
        self.assertLessEqual(document["totals"]["sim_ms"] + document["totals"]["render_ms"],
                             document["totals"]["run_ms"])
        self.assertEqual(document["final"]["hash"], rows[-1]["hash"])
        per_frame = document["per_frame"]["sim_ms"]
        self.assertLessEqual(per_frame["p50"], per_frame["p99"])
        self.assertLessEqual(per_frame["p99"], per_frame["p99.9"])
        self.assertLessEqual(per_frame["p99.9"], per_frame["max"])

    def test_zero_frames(self):
        stats = self.folder / "s.csv"
        self.fovea("run", self.scene, "-n", 0, "--stats", stats, "--report",
                   self.folder / "r.json")
        self.assertEqual(self.rows(stats), [])

    def test_choices_change_what_they_should_and_nothing_else(self):
        def hashes(*options):
            stats = self.folder / "s.csv"
            self.fovea("run", self.scene, "-n", 200, "--stats", stats, *options)
            return [r["hash"] for r in self.rows(stats)]

        default = hashes()
        for options in (["--broad", "brute"], ["--broad", "tree"], ["--threads", "2"],
                        ["--broad", "plain-sweep"], ["--response", "soft-step"],
                        ["--sub-steps", "8"]):
            self.assertEqual(hashes(*options), default, options)
        for options in (["--sub-steps", "4"], ["--response", "impulse"],
                        ["--dt", "0.005"], ["--gravity", "0,-1,0"]):
            self.assertNotEqual(hashes(*options), default, options)

        impulse = ["--response", "impulse"]
        default = hashes(*impulse)
        self.assertEqual(hashes(*impulse, "--integrator", "semi-implicit"), default)
        for options in (["--integrator", "explicit"], ["--restitution", "literal"]):
            self.assertNotEqual(hashes(*impulse, *options), default, options)
            done = self.fovea("run", self.scene, *options, expect=2)
            self.assertIn("only with --response impulse", done.stderr)
        self.fovea("run", self.scene, *impulse, "--sub-steps", "4", expect=2)

    # --- budgets -------------------------------------------------------------------------------

    def crowd(self):
        scene = self.folder / "crowd.scene"
        self.fovea("generate", "concave", "-n", 40, "--triangles", 200, "-o", scene)
        return scene

    def test_options_of_budgets_change_what_is_refined(self):
        scene, stats = self.crowd(), self.folder / "s.csv"

        def final(*options):  # with so little work that some pairs do not reach their leaves
            self.fovea("run", scene, "-n", 120, "--work", 60000, "--stats", stats, "-q", *options)
            return self.rows(stats)[-1]["hash"]

        default = final()
        self.assertEqual(final("--reduction", "grouped", "--contact-point", "ratio", "--descent",
                               "staircase", "--hysteresis", 1.5, "--tolerance", 0.5), default)
        for options in (["--reduction", "deepest"], ["--reduction", "average"],
                        ["--reduction", "gradient"], ["--reduction", "probability"],
                        ["--contact-point", "plane"], ["--contact-point", "middle"],
                        ["--descent", "together"], ["--drop-undecided"], ["--tolerance", 1],
                        ["--hysteresis", 10]):
            with self.subTest(options):
                self.assertNotEqual(final(*options), default)
        self.assertNotEqual(final("--policy", "random", "--seed", 1),
                            final("--policy", "random", "--seed", 2))
        self.assertNotEqual(final("--policy", "two-queues", "--inner-share", 0.1),
                            final("--policy", "two-queues", "--inner-share", 0.9))
        self.assertNotEqual(final("--policy", "several-queues", "--queues", 2),
                            final("--policy", "several-queues", "--queues", 9))

    def test_nodes_may_be_turned_with_or_without_a_budget(self):
        scene = self.crowd()
        for options in (["--work", 100000], []):
            for threads in (1, 2):
                self.fovea("run", scene, "-n", 60, "-q", "--nodes", "turned", "--threads", threads,
                           "--record", self.folder / "r.rec", *options)
                self.fovea("replay", self.folder / "r.rec")

    def test_options_of_budgets_are_refused_without_one(self):
        for options in (["--reduction", "deepest"], ["--contact-point", "plane"],
                        ["--descent", "together"], ["--queues", 3], ["--inner-share", 0.5],
                        ["--seed", 7], ["--tolerance", 0.1], ["--hysteresis", 2],
                        ["--drop-undecided"], ["--recursion-cap"], ["--inaccuracy", 1]):
            with self.subTest(options):
                told = self.fovea("run", self.scene, "-n", 1, *options, expect=2)
                self.assertIn(options[0] + " has no effect without --budget or --work", told.stderr)

    def test_options_of_one_schedule_are_refused_with_another(self):
        for options, policies in ((["--queues", 3], "several-queues"),
                                  (["--inner-share", 0.5], "two-queues or sorted-inner-queue")):
            with self.subTest(options):
                run = ["run", self.scene, "-n", 1, "-q", "--work", 1000, *options]
                told = self.fovea(*run, expect=2)
                self.assertIn(f"{options[0]} has an effect only with --policy {policies}",
                              told.stderr)
                self.fovea(*run, "--policy", policies.split()[0])
        run = ["run", self.scene, "-n", 1, "-q", "--work", 1000, "--hysteresis", 2]
        self.fovea(*run)
        told = self.fovea(*run, "--policy", "round-robin", expect=2)
        self.assertIn("--hysteresis has an effect only with --policy sorted or", told.stderr)
        told = self.fovea("run", self.scene, "--work", 1000, "--no-reservation", "--detection-share",
                          0.5, expect=2)
        self.assertIn("--no-reservation excludes --detection-share", told.stderr)

    def test_unknown_names_and_numbers_out_of_range_are_refused(self):
        for options in (["--reduction", "best"], ["--contact-point", "left"], ["--descent", "up"],
                        ["--nodes", "moved"], ["--queues", 1], ["--inner-share", 1.5], ["--tolerance", -1],
                        ["--hysteresis", 0.5], ["--inaccuracy", 0]):
            with self.subTest(options):
                told = self.fovea("run", self.scene, "-n", 1, "--work", 1000, *options, expect=2)
                self.assertIn(options[0], told.stderr)
                self.assertIn(str(options[1]), told.stderr)

    def test_what_is_no_number_is_refused_before_anything_is_done(self):
        for options in (["--gravity", "nan,0,0"], ["--detection-share", "nan"],
                        ["--random-spin", "nan"], ["--hysteresis", "nan"], ["--tolerance", "nan"],
                        ["--inner-share", "nan"], ["--gravity", "0,inf,0"]):
            with self.subTest(options):
                told = self.fovea("run", self.scene, "-n", 1, "--work", 1000, *options, expect=2)
                self.assertIn(options[0], told.stderr)
                self.assertIn("number", told.stderr)

    def test_a_run_says_whether_its_budget_was_kept(self):
        scene, report = self.crowd(), self.folder / "r.json"
        told = self.fovea("run", scene, "-n", 20, "--work", 100000, "--report", report).stdout
        self.assertIn("budget kept in 20 of 20 steps", told)
        self.assertNotIn("floor", told)
        budget = json.loads(report.read_text())["budget"]
        self.assertEqual((budget["within_budget"], budget["floor_fitted"]), (20, 20))
        self.assertTrue(0 < budget["worst_share_used"] <= 1)
        told = self.fovea("run", scene, "-n", 20, "--work", 1, "--report", report).stdout
        self.assertIn("budget kept in 0 of 20 steps", told)
        self.assertIn("its floor alone was expected to be more in 20 of them", told)
        self.assertGreater(json.loads(report.read_text())["budget"]["worst_share_used"], 1000)
        self.assertNotIn("budget", self.fovea("run", scene, "-n", 2).stdout)
        told = self.fovea("run", scene, "-n", 2, "--work", 0).stdout
        self.assertIn("budget kept in 0 of 2 steps (work units)\n", told)
        told = self.fovea("run", scene, "-n", 2, "--budget", 1000, "--report", report).stdout
        self.assertIn("budget kept in 2 of 2 steps (CPU time of the stepping thread; by the clock "
                      "in 2), the most", told)
        self.assertEqual(json.loads(report.read_text())["budget"]["within_budget_by_clock"], 2)

    def test_a_huge_budget_is_like_none(self):
        scene = self.crowd()
        def final(*options):
            stats = self.folder / "s.csv"
            self.fovea("run", scene, "-n", 10, "--stats", stats, *options)
            return self.rows(stats)[-1]["hash"]
        self.assertEqual(final("--budget", "1e300"), final())

    def test_statistics_say_where_pairs_were_cut(self):
        stats, report = self.folder / "s.csv", self.folder / "r.json"
        self.fovea("run", self.crowd(), "-n", 60, "--work", 60000, "--stats", stats, "--report",
                   report, "-q")
        rows, budget = self.rows(stats), json.loads(report.read_text())["budget"]
        self.assertEqual(budget["pairs_at_rung"],
                         [sum(int(row[name]) for row in rows) for name in RUNG_COLUMNS])
        self.assertGreater(sum(budget["pairs_at_rung"]), 0)
        for name in ("exact_pairs", "pairs_apart", "pairs_suppressed", "pairs_dropped",
                     "pairs_cut", "late_by_clock", "late_by_steps"):
            self.assertEqual(budget[name], sum(int(row[name]) for row in rows))
        self.assertGreater(budget["pairs_cut"], 0)
        # Nobody sleeps here: each pair of the broad phase is in one column.
        kinds = RUNG_COLUMNS + ["exact_pairs", "pairs_apart", "pairs_suppressed", "pairs_dropped"]
        for row in rows:
            self.assertEqual(sum(int(row[name]) for name in kinds), int(row["pairs"]))

    def test_inaccuracy_is_measured_when_asked_for(self):
        stats, report, scene = self.folder / "s.csv", self.folder / "r.json", self.crowd()

        def run(*options):
            self.fovea("run", scene, "-n", 60, "--work", 60000, "--stats", stats, "--report",
                       report, "-q", *options)
            return self.rows(stats), json.loads(report.read_text())

        unmeasured, document = run()
        self.assertNotIn("inaccuracy", document)
        self.assertEqual({row[name] for row in unmeasured for name in INACCURACY_COLUMNS}, {""})
        rows, document = run("--inaccuracy", 4)
        self.assertEqual([row["hash"] for row in rows], [row["hash"] for row in unmeasured])
        measured = [row for row in rows if row["delta_m"] != ""]
        self.assertEqual([int(row["frame"]) for row in measured], list(range(0, 60, 4)))
        for row in measured:
            self.assertEqual(int(row["node_pairs"]), sum(int(row[name]) for name in RUNG_COLUMNS))
        found = document["inaccuracy"]
        self.assertEqual(found["frames"], 15)
        self.assertAlmostEqual(found["delta_m"], sum(float(row["delta_m"]) for row in measured), 5)
        self.assertGreater(found["delta_m"], 0)
        self.assertGreater(found["repelled"], 0)
        worst = max(float(row["worst_gap_m"]) for row in measured)
        self.assertAlmostEqual(found["worst_gap_m"], worst, 7)  # printed with nine digits

    def test_gravity_option(self):
        stats = self.folder / "s.csv"
        self.fovea("run", "-n", 10, "--gravity", "0,0,0", "--stats", stats,
                   stdin="sphere { radius 1 mass 1 centre 0,5,0 }")
        self.assertEqual({r["kinetic"] for r in self.rows(stats)}, {"0"})

    def test_pacing_keeps_to_the_clock(self):
        start = time.monotonic()
        self.fovea("run", self.scene, "-n", 30, "--dt", 0.01, "--pace")
        self.assertGreaterEqual(time.monotonic() - start, 0.29)

    def test_interrupt_ends_the_run_with_its_files_whole(self):
        stats = self.folder / "s.csv"
        process = subprocess.Popen([PROGRAM, "run", str(self.scene), "-n", "100000000", "--pace",
                                    "--stats", str(stats)], stdout=subprocess.DEVNULL)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=10), 0)
        self.assertGreater(len(self.rows(stats)), 5)

    # --- diagnostics and exit codes ------------------------------------------------------------

    def test_rejected_declarations_are_reported_and_the_rest_runs(self):
        text = TWO_BALLS + "walrus { x 1 }\nsphere { radius -1 mass 0 centre 0,0,0 }\n"
        bad = self.folder / "bad.scene"
        bad.write_text(text)
        stats = self.folder / "s.csv"
        done = self.fovea("run", bad, "-n", 3, "--stats", stats)
        self.assertIn("bad.scene:5:1", done.stderr)
        self.assertIn("walrus", done.stderr)
        self.assertIn("radius", done.stderr)
        self.assertIn("mass", done.stderr)
        self.assertIn("3 declarations accepted, 2 rejected", done.stderr)
        self.assertEqual(len(self.rows(stats)), 3)

    def test_strict_refuses_before_running(self):
        stats = self.folder / "s.csv"
        self.fovea("run", "-n", 3, "--strict", "--stats", stats,
                   stdin=TWO_BALLS + "walrus;", expect=3)
        self.assertFalse(stats.exists())
        self.fovea("run", "-n", 3, "--strict", stdin=TWO_BALLS)

    def test_original_language_has_no_extensions(self):
        box = "box { size 1,1,1 mass 1 centre 0,0,0 }"
        self.fovea("run", "-n", 1, "--strict", stdin=TWO_BALLS + box)
        self.fovea("run", "-n", 1, "--strict", "--original", stdin=TWO_BALLS + box, expect=3)

    def test_nothing_understood(self):
        for text in ("walrus;", "{{{{{{{{", "}" * 100000, "\x00\x01\x02", "sphere { radius nan }",
                     "sphere { radius 1e39 mass 1 centre 0,0,0 }",
                     "sphere { radius infinity mass 1 centre 0,0,0 }", "(" * 100000):
            done = self.fovea("run", "-n", 1, stdin=text, expect=3)
            self.assertIn("standard input", done.stderr)
            self.assertLess(len(done.stderr), 100_000)

    def test_empty_scene_is_valid(self):
        self.fovea("run", "-n", 3, stdin="")
        self.fovea("run", "-n", 3, stdin="# nothing\n// at all")

    def test_unreadable_scenes(self):
        done = self.fovea("run", self.folder / "absent.scene", expect=3)
        self.assertIn("absent.scene", done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1)
        self.assertIn("directory", self.fovea("run", self.folder, expect=3).stderr)
        if os.geteuid() != 0:  # root may read everything
            self.scene.chmod(0)
            self.assertIn("two.scene", self.fovea("run", self.scene, expect=3).stderr)

    def test_huge_and_endless_scenes_are_refused_unread(self):
        huge = self.folder / "huge.scene"
        with open(huge, "wb") as file:
            file.truncate(1 << 30)
        self.assertIn("huge.scene", self.fovea("run", huge, expect=3).stderr)
        with open("/dev/zero", "rb") as zero:
            done = subprocess.run([PROGRAM, "run"], stdin=zero, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 3)

    def test_wrong_usage(self):
        for arguments in ([], ["walk"], ["run", "--walk"], ["run", "-n", "-1"], ["run", "-n", "x"],
                          ["run", "--dt", "0"], ["run", "--dt", "nan"], ["run", "--dt", "-1"],
                          ["run", "--dt", "1e300"], ["run", "--work", "-1"],
                          ["run", "--work", "99999999999999999999"],
                          ["run", "--work", "18446744073709551615"], ["run", "--work", "1e3"],
                          ["run", "--budget", "nan"], ["run", "--budget", "inf"],
                          ["run", "--broad", "none"], ["run", "--threads", "-2"],
                          ["run", "--gravity", "1,2"], ["generate"], ["generate", "walrus"],
                          ["generate", "pool", "-n", "0"]):
            done = self.fovea(*arguments, expect=2)
            self.assertTrue(done.stderr.startswith("fovea: "), (arguments, done.stderr))
            self.assertEqual(done.stdout, "")

    def test_two_outputs_of_one_name_are_refused_before_the_run(self):
        path = self.folder / "out"
        for pair in (["--stats", path, "--report", path],
                     ["--report", path, "--record", f"{self.folder}/./out"]):
            done = self.fovea("run", "-", "-n", "2", *pair, stdin="sphere { radius 1 mass 1 centre 0,1,0 }", expect=2)
            self.assertIn("is named by two of", done.stderr)
        self.assertEqual(self.left_behind(), ["two.scene"])
        self.fovea("run", "-", "-n", "2", "--stats", "/dev/null", "--report", "/dev/null",
                   stdin="sphere { radius 1 mass 1 centre 0,1,0 }")

    def test_inputs_are_never_replaced_by_outputs(self):
        recording, link = self.folder / "r.rec", self.folder / "link"
        self.fovea("run", self.scene, "-n", 2, "--work", 1000, "--record", recording, "-q")
        link.symlink_to(self.scene)
        before = self.scene.read_bytes(), recording.read_bytes()
        for path in (self.scene, link):
            for option in ("--stats", "--report", "--record"):
                told = self.fovea("run", self.scene, "-n", 2, option, path, expect=2)
                self.assertIn("is named by two of the scene,", told.stderr)
        told = self.fovea("replay", recording, "--stats", recording, expect=2)
        self.assertIn("is the recording", told.stderr)
        mesh = self.folder / "mesh.obj"
        mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
        shape = mesh.read_bytes()
        for outputs in (["--report", mesh], ["-o", self.folder / "t.sph", "-o", f"{self.folder}/./t.sph"]):
            told = self.fovea("spheres", mesh, "--method", "octree", *outputs, expect=2)
            self.assertIn("is named by two of the input,", told.stderr)
        self.assertEqual(mesh.read_bytes(), shape)
        self.assertFalse((self.folder / "t.sph").exists())
        self.assertEqual((self.scene.read_bytes(), recording.read_bytes()), before)

    def test_a_dash_is_the_standard_output(self):
        told = self.fovea("run", self.scene, "-n", 3, "--stats", "-", "-q").stdout.splitlines()
        self.assertEqual(len(told), 4)
        self.assertTrue(told[0].startswith("frame,"))
        self.assertFalse((self.folder / "-").exists())
        # A file may be called so all the same.
        scene = self.folder / "-"
        scene.write_bytes(self.scene.read_bytes())
        self.fovea("run", f"{self.folder}/./-", "-n", 1, "--stats", "-", "-q")

    def test_commands_that_do_not_exist_are_named(self):
        self.assertIn("there is no command bogus", self.fovea("bogus", expect=2).stderr)
        self.assertIn("see fovea run --help", self.fovea("run", "x", "--threads", "many", expect=2).stderr)

    def test_counts_are_whole_numbers_from_one(self):
        for bad in ("0", "-1", "1.5", "x"):
            done = self.fovea("run", "-", "-n", "1", "--budget", "1", f"--inaccuracy={bad}", expect=2)
            self.assertIn("must be a whole number of 1 to", done.stderr)

    def test_help(self):
        for arguments in (["--help"], ["run", "--help"], ["generate", "--help"]):
            self.assertIn("Usage", self.fovea(*arguments).stdout)
        self.assertRegex(self.fovea("--version").stdout, r"\d+\.\d+\.\d+")

    def test_outputs_that_cannot_be_written(self):
        absent = self.folder / "no" / "such" / "file"
        for option in ("--stats", "--report"):
            for target in (absent, self.folder, "/dev/full"):
                done = self.fovea("run", self.scene, "-n", 2000, option, target, expect=1)
                self.assertIn("cannot write", done.stderr)
        self.fovea("generate", "pool", "-o", absent, expect=1)
        self.fovea("generate", "pool", "-o", "/dev/full", expect=1)
        self.assertEqual(self.left_behind(), ["two.scene"])

    def test_a_failed_run_spoils_no_older_file(self):
        stats = self.folder / "s.csv"
        stats.write_text("precious")
        self.fovea("run", self.scene, "-n", 5, "--stats", stats, "--report", self.folder,
                   expect=1)
        self.assertEqual(stats.read_text(), "precious")
        self.assertEqual(self.left_behind(), ["s.csv", "two.scene"])

    # --- generate ------------------------------------------------------------------------------

    def test_generators_repeat_themselves_and_their_scenes_run(self):
        for name in ("pool", "brownian", "pyramid", "spinning-cylinder", "table", "pools",
                     "density"):
            text = self.fovea("generate", name, "-n", 40, "--seed", 7).stdout
            self.assertEqual(text, self.fovea("generate", name, "-n", 40, "--seed", 7).stdout)
            if name not in ("spinning-cylinder", "table"):
                self.assertNotEqual(text, self.fovea("generate", name, "-n", 40, "--seed",
                                                     8).stdout)
            self.fovea("run", "-n", 5, "--strict", stdin=text)


    def test_standard_output_into_a_file(self):
        target = self.folder / "pool.scene"
        with open(target, "w") as file:
            subprocess.run([PROGRAM, "generate", "pool"], stdout=file, check=True)
        self.assertEqual(target.read_text(), self.fovea("generate", "pool").stdout)
        self.assertTrue(os.path.islink("/dev/stdout"))

    # --- pictures ------------------------------------------------------------------------------

    def test_pictures_are_drawn_and_change_nothing(self):
        with_pictures, without = self.folder / "a.csv", self.folder / "b.csv"
        images = self.folder / "images"
        self.fovea("run", self.scene, "-n", 21, "--stats", with_pictures, "--images", images,
                   "--every", 10, "--width", 64, "--height", 48)
        self.fovea("run", self.scene, "-n", 21, "--stats", without)
        names = [f"frame-{n:06}.png" for n in (0, 10, 20)]
        self.assertEqual(sorted(p.name for p in images.iterdir()), names)
        for name in names:
            self.assertEqual((images / name).read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual([r["hash"] for r in self.rows(with_pictures)],
                         [r["hash"] for r in self.rows(without)])

    def test_picture_folder_that_cannot_be_made(self):
        done = self.fovea("run", self.scene, "-n", 1, "--images", self.scene / "images", expect=1)
        self.assertIn("cannot make folder", done.stderr)
        self.fovea("run", self.scene, "--every", 10, expect=2)  # without --images

    def test_no_display(self):
        environment = {k: v for k, v in os.environ.items()
                       if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        done = subprocess.run([PROGRAM, "view", str(self.scene)], env=environment, text=True,
                              capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("display", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
