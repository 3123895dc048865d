"""The long checks go on where they stopped."""

import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import checks

# Stands in for ./go: `pass`, `fail` and `wait` do what they say, and every call is noted.
go = """#!/bin/sh
echo "$1" >> calls
case $1 in fail) exit 1 ;; wait) sleep 60 ;; esac
"""


class Checks(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = pathlib.Path(place.name)
        (self.root / "go").write_text(go)
        (self.root / "go").chmod(0o755)
        self.state = "first"

    def run_checks(self, pieces, minutes="1"):
        arguments = ["checks.py", str(self.root), minutes]
        with mock.patch.object(checks, "pieces", lambda root: pieces), mock.patch.object(sys, "argv", arguments), \
                mock.patch.object(checks, "state_of", lambda root: self.state), contextlib.chdir(self.root), \
                contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()), \
                self.assertRaises(SystemExit) as end:
            checks.main()
        calls = self.root / "calls"
        called = calls.read_text().split() if calls.exists() else []
        calls.unlink(missing_ok=True)
        return called, end.exception.code, out.getvalue()

    def test_what_passed_is_not_run_again(self):
        pieces = [("a", ["pass"]), ("b", ["fail"])]
        self.assertEqual(self.run_checks(pieces)[:2], (["pass", "fail"], 1))
        self.assertEqual(self.run_checks(pieces)[:2], (["fail"], 1))

    def test_other_sources_are_checked_anew(self):
        pieces = [("a", ["pass"])]
        self.run_checks(pieces)
        self.state = "second"
        self.assertIn("first", self.run_checks(pieces, "0")[2])
        self.assertEqual(self.run_checks(pieces)[0], ["pass"])

    def test_what_was_cut_off_is_no_result(self):
        called, code, table = self.run_checks([("a", ["wait"])], "0.01")
        self.assertEqual((called, code), (["wait"], 0))
        self.assertIn("not run", table)

    def test_every_folder_with_tests_takes_part(self):
        root = pathlib.Path(__file__).resolve().parents[2]
        folders = {file.parent.name for file in (root / "test").glob("*/*_test.cpp") if not file.name.endswith("_slow_test.cpp")}
        self.assertEqual(set(checks.folders_with_tests(root)), folders)

    def test_the_state_of_the_sources_is_that_of_their_commit(self):
        def git(*words):
            subprocess.run(["git", "-C", self.root, "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True, capture_output=True)
        git("init", "-q"), git("add", "go"), git("commit", "-q", "-m", "a")
        before = checks.state_of(self.root)
        (self.root / "go").write_text("changed")
        self.assertEqual(checks.state_of(self.root), before + "+")


if __name__ == "__main__":
    unittest.main()
