#!/usr/bin/python3
"""fovea spheres from outside: files, options, exit codes, what it leaves behind.

    spheres_test.py PROGRAM
"""
import ctypes
import json
import signal
import subprocess
import time
import unittest

from support import PROGRAM, ProgramTest

# A box from -1,-1,-1 to 1,1,1 with a tip at 0,3,0 on top of it.
HOUSE = """
v -1 -1 -1\nv 1 -1 -1\nv 1 -1 1\nv -1 -1 1\nv -1 1 -1\nv 1 1 -1\nv 1 1 1\nv -1 1 1\nv 0 3 0
f 1 2 3\nf 1 3 4\nf 1 5 6\nf 1 6 2\nf 2 6 7\nf 2 7 3\nf 3 7 8\nf 3 8 4\nf 4 8 5\nf 4 5 1
f 5 9 6\nf 6 9 7\nf 7 9 8\nf 8 9 5
"""
HOUSE_POINTS = [tuple(map(float, line.split()[1:])) for line in HOUSE.splitlines()
                if line.startswith("v")]
QUICK = ("--method", "grid")
ROBOT = """<?xml version="1.0"?>
<robot name="arm">
  <link name="base">
    <visual><geometry><mesh filename="house.obj"/></geometry></visual>
    <collision><origin xyz="0 0 10"/><geometry><mesh filename="{name}" scale="2 2 2"/></geometry>
    </collision>
  </link>
  <link name="hand"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
</robot>
"""


class SpheresTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.mesh = self.folder / "house.obj"
        self.mesh.write_text(HOUSE)

    def held(self, point, spheres):
        return any(sum((a - b) ** 2 for a, b in zip(point, centre)) <= radius ** 2
                   for centre, radius in spheres)

    # --- what it writes ------------------------------------------------------------------------

    def test_every_method_encloses_the_mesh_on_every_level(self):
        for method in ("octree", "grid", "hubbard", "medial", "best"):
            out = self.folder / "tree.json"
            self.fovea("spheres", self.mesh, "--method", method, "--levels", 2, "--effort", 0.1,
                       "-o", out)
            tree = json.loads(out.read_text())
            self.assertEqual(len(tree["levels"]), 2)
            for level in tree["levels"]:
                spheres = [(s["centre"], s["radius"]) for s in level]
                for point in HOUSE_POINTS + [(0, 0, 0), (0, 2, 0)]:
                    self.assertTrue(self.held(point, spheres), (method, point))

    def test_the_sph_text_has_the_same_spheres(self):
        sph, tree = self.folder / "t.sph", self.folder / "t.json"
        self.fovea("spheres", self.mesh, *QUICK, "-o", sph, "-o", tree)
        lines = sph.read_text().splitlines()
        levels, degree = map(int, lines[0].split())
        self.assertEqual(len(lines) - 1, sum(degree ** level for level in range(levels)))
        rows = [tuple(map(float, line.split())) for line in lines[1:]]
        spheres = [s for level in json.loads(tree.read_text())["levels"] for s in level]
        used = [row for row in rows if row[3] >= 0]
        self.assertEqual(len(used), len(spheres))
        for row, sphere in zip(used, spheres):
            for a, b in zip(row, (*sphere["centre"], sphere["radius"])):
                self.assertEqual(ctypes.c_float(a).value, ctypes.c_float(b).value)

    def test_the_report_says_what_was_asked_proved_and_measured(self):
        report = self.folder / "r.json"
        done = self.fovea("spheres", self.mesh, *QUICK, "--levels", 3, "--nested", "--report",
                          report)
        figures = json.loads(report.read_text())
        self.assertEqual(figures["triangles"], 14)
        self.assertEqual(figures["method"], "grid")
        self.assertEqual(figures["proof"]["surface_enclosed"], True)
        self.assertEqual(figures["proof"]["solid_enclosed"], True)
        self.assertEqual(figures["proof"]["children_inside_parents"], True)
        self.assertEqual([level["coverage"] for level in figures["levels"]], [1, 1, 1])
        worst = [level["worst_error"] for level in figures["levels"]]
        self.assertGreater(worst[0], worst[2])
        self.assertIn("children lie inside their parents", done.stdout)
        self.assertEqual(len(done.stdout.splitlines()), 1 + 3 + 2)
        self.assertEqual(self.fovea("spheres", self.mesh, *QUICK, "-q").stdout, "")

    def test_targets(self):
        report = self.folder / "r.json"
        self.fovea("spheres", self.mesh, *QUICK, "--count", 20, "--report", report)
        self.assertLessEqual(json.loads(report.read_text())["levels"][-1]["spheres"], 20)
        self.fovea("spheres", self.mesh, *QUICK, "--error", 0.5, "--report", report)
        self.assertLessEqual(json.loads(report.read_text())["levels"][-1]["worst_error"], 0.5)
        done = self.fovea("spheres", self.mesh, *QUICK, "--branch", 2, "--error", 1e-6, "-o",
                          self.folder / "t.sph", expect=3)
        self.assertIn("cannot be met", done.stderr)
        self.assertEqual(self.left_behind(), ["house.obj", "r.json"])

    def test_meshes_and_pictures_of_every_level(self):
        meshes, images = self.folder / "meshes", self.folder / "images"
        self.fovea("spheres", self.mesh, *QUICK, "--levels", 2, "--meshes", meshes, "--images",
                   images, "--width", 64, "--height", 48)
        self.assertEqual(sorted(p.name for p in meshes.iterdir()), ["level-0.ply", "level-1.ply"])
        self.assertEqual(sorted(p.name for p in images.iterdir()), ["level-0.png", "level-1.png"])
        for path in images.iterdir():
            self.assertEqual(path.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        # The mesh of a level is itself a mesh that can be read.
        self.fovea("spheres", meshes / "level-1.ply", "--method", "octree", "--levels", 1)

    # --- robots --------------------------------------------------------------------------------

    def test_collision_meshes_of_a_robot_become_spheres(self):
        urdf, out, srdf = (self.folder / name for name in ("arm.urdf", "out.urdf", "out.srdf"))
        for name in ("house.obj", "package://" + self.folder.name + "/house.obj",
                     "file://" + str(self.mesh)):
            urdf.write_text(ROBOT.format(name=name))
            done = self.fovea("spheres", urdf, *QUICK, "--levels", 2, "-o", out, "-o", srdf)
            self.assertIn("1 collision meshes became", done.stdout)
            text = out.read_text()
            self.assertEqual(text.count("<mesh"), 1)  # the visual one
            self.assertIn('<box size="1 1 1"/>', text)
            self.assertEqual(text.count("<sphere radius"), srdf.read_text().count("<sphere center"))
            centres = [tuple(map(float, part.split('"')[0].split()))
                       for part in srdf.read_text().split('center="')[1:]]
            radii = [float(part.split('"')[0]) for part in srdf.read_text().split('radius="')[1:]]
            for x, y, z in HOUSE_POINTS:
                self.assertTrue(self.held((2 * x, 2 * y, 2 * z + 10), zip(centres, radii)))

    def test_a_robot_report_has_figures_of_every_mesh(self):
        urdf, report = self.folder / "arm.urdf", self.folder / "r.json"
        urdf.write_text(ROBOT.format(name="house.obj"))
        done = self.fovea("spheres", urdf, *QUICK, "--levels", 2, "--report", report)
        self.assertIn("worst error", done.stdout)
        figures = json.loads(report.read_text())
        self.assertEqual(len(figures["meshes"]), 1)
        mesh = figures["meshes"][0]
        self.assertEqual((mesh["mesh"], mesh["line"]), ("house.obj", 5))
        self.assertEqual(mesh["spheres"], figures["spheres"])
        self.assertEqual(mesh["levels"][-1]["spheres"], figures["spheres"])
        self.assertTrue(mesh["proof"]["surface_enclosed"])
        # The URDF doubles the mesh, and with it the errors.
        self.fovea("spheres", self.mesh, *QUICK, "--levels", 2, "--report", report)
        plain = json.loads(report.read_text())["levels"][-1]["worst_error"]
        self.assertAlmostEqual(mesh["levels"][-1]["worst_error"], 2 * plain, delta=0.02 * plain)

    def test_names_that_are_no_text_cost_no_report(self):
        odd, report = self.folder / "h\udcff.obj", self.folder / "r.json"
        odd.write_text(HOUSE)
        self.fovea("spheres", odd, *QUICK, "--report", report)
        self.assertIn("levels", json.loads(report.read_text()))

    def test_robots_that_cannot_be_read(self):
        urdf = self.folder / "arm.urdf"
        for text, fault in ((ROBOT.format(name="absent.stl"), "line 5: absent.stl"),
                            (ROBOT.format(name="package://none/x.stl"), "line 5: package://none"),
                            ("<robot", "line 1"), ("", "robot"), ("<html></html>", "robot")):
            urdf.write_text(text)
            done = self.fovea("spheres", urdf, *QUICK, "-o", self.folder / "o.urdf", expect=3)
            self.assertIn("arm.urdf", done.stderr)
            self.assertIn(fault, done.stderr)
        self.fovea("spheres", self.folder / "none.urdf", expect=3)
        self.fovea("spheres", urdf, "--images", self.folder / "images", expect=2)
        self.fovea("spheres", urdf, "-o", self.folder / "o.sph", expect=2)
        self.assertEqual(self.left_behind(), ["arm.urdf", "house.obj"])

    # --- bad input, wrong usage ----------------------------------------------------------------

    def test_meshes_that_cannot_be_read_or_enclosed(self):
        bad = self.folder / "bad.obj"
        for text in ("", "hello", "v 1 1 1\nf 1 1 1\n", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
                     "v 0 0 0\nf 1 2 3\n"):
            bad.write_text(text)
            done = self.fovea("spheres", bad, "-o", self.folder / "t.sph", expect=3)
            self.assertIn("bad.obj", done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1)
        (self.folder / "folder.obj").mkdir()
        for name in ("absent.obj", "absent.xyz", "absent", "folder.obj"):
            self.assertIn(name, self.fovea("spheres", self.folder / name, "--report",
                                           self.folder / "r.json", expect=3).stderr)
        self.assertEqual(self.left_behind(), ["bad.obj", "folder.obj", "house.obj"])

    def test_wrong_usage(self):
        for options in (["--levels", "0"], ["--levels", "9"], ["--branch", "1"], ["--branch", "x"],
                        ["--error", "-1"], ["--error", "0"], ["--error", "nan"], ["--count", "0"],
                        ["--error", "1", "--count", "5"], ["--method", "walrus"],
                        ["--enclose", "air"], ["--effort", "0"], ["--threads", "-1"],
                        ["-o", "tree.xml"], ["--width", "64"], ["--walrus"]):
            done = self.fovea("spheres", self.mesh, "--report", self.folder / "r.json", *options,
                              expect=2)
            self.assertTrue(done.stderr.startswith("fovea: "), (options, done.stderr))
            self.assertEqual(done.stdout, "")
        self.fovea("spheres", expect=2)
        self.assertIn("Usage", self.fovea("spheres", "--help").stdout)
        self.assertEqual(self.left_behind(), ["house.obj"])

    def test_outputs_that_cannot_be_written(self):
        absent = self.folder / "no" / "such"
        for option, name in (("-o", "t.sph"), ("-o", "t.json"), ("--report", "r.json")):
            done = self.fovea("spheres", self.mesh, *QUICK, option, absent / name, expect=1)
            self.assertIn("cannot write", done.stderr)
        self.fovea("spheres", self.mesh, *QUICK, "--report", "/dev/full", "-o",
                   self.folder / "t.sph", expect=1)
        for option in ("--meshes", "--images"):
            done = self.fovea("spheres", self.mesh, *QUICK, option, self.mesh / "folder", "-o",
                              self.folder / "t.sph", expect=1)
            self.assertIn("cannot make folder", done.stderr)
        self.assertEqual(self.left_behind(), ["house.obj"])

    def test_an_interrupted_build_leaves_nothing(self):
        process = subprocess.Popen([PROGRAM, "spheres", str(self.mesh), "--levels", "8", "--branch",
                                    "8", "-o", str(self.folder / "t.json")],
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, message = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("cancelled", message)
        self.assertEqual(self.left_behind(), ["house.obj"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
