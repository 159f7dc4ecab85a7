"""What tests of the program share: its path, a scratch folder, running it."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def fovea(self, *arguments, stdin="", expect=0):
        done = subprocess.run([PROGRAM, *map(str, arguments)], input=stdin, text=True,
                              capture_output=True, timeout=120)
        self.assertEqual(done.returncode, expect, done.stderr + done.stdout)
        return done

    def left_behind(self):
        return sorted(p.name for p in self.folder.iterdir())
