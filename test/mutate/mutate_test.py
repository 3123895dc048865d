"""The changes that mutate.py makes of a given text, and how it goes on."""
import pathlib
import tempfile
import unittest

import mutate

TEXT = '''// a + b < 3
#include "x.hpp"
double f(double a, double b) {
  const char* text = "a - b";  // c - d
  if (a < b && a != 2) return -a;
  total += 0.5 * g(a, b);
  set_rate(a + 1e-3);
  const std::vector<int> list =
      h(a);
  return a;
}
'''


def changed(kind):
    return [(change.line, change.new) for change in mutate.changes_of("f.cpp", TEXT) if change.kind == kind]


class Changes(unittest.TestCase):
    def test_comparisons_take_their_ends_in_or_leave_them_out(self):
        self.assertEqual(changed("comparison"), [(5, "if (a <= b && a != 2) return -a;"), (5, "if (a < b || a != 2) return -a;"),
                                                 (5, "if (a < b && a == 2) return -a;")])

    def test_signs_of_terms_and_of_results_are_turned(self):
        self.assertEqual(changed("sign"), [(5, "if (a < b && a != 2) return a;"), (6, "total -= 0.5 * g(a, b);"),
                                           (7, "set_rate(a - 1e-3);")])

    def test_numbers_become_others(self):
        self.assertEqual(changed("constant"), [(5, "if (a < b && a != 3) return -a;"), (6, "total += 1.0 * g(a, b);"),
                                               (7, "set_rate(a + 0.002);")])

    def test_arguments_change_places(self):
        self.assertEqual(changed("arguments"), [(6, "total += 0.5 * g(b, a);")])

    def test_whole_statements_are_left_out(self):
        self.assertEqual(changed("statement"), [(6, ";"), (7, ";")])

    def test_of_the_text_only_one_line_differs(self):
        for change in mutate.changes_of("f.cpp", TEXT):
            before, after = TEXT.split("\n"), mutate.changed_text(TEXT, change).split("\n")
            self.assertEqual(len(before), len(after))
            self.assertEqual([k for k in range(len(before)) if before[k] != after[k]], [change.line - 1])

    def test_literal_strings_of_several_lines_are_left_alone(self):
        text = 'const char* const text = R"model(a + b\nf(1);\n)model";\n/* a + b\n f(1); */\n'
        self.assertEqual(mutate.changes_of("f.cpp", text), [])


class Keeping(unittest.TestCase):
    def test_harmless_changes_have_a_reason(self):
        text = "# a comment\n\nsrc/a/b.cpp\n- f(a, b);\n+ f(b, a);\nf is symmetric\n"
        self.assertEqual(mutate.harmless_changes(text), {("src/a/b.cpp", "f(a, b);", "f(b, a);")})
        with self.assertRaises(SystemExit):
            mutate.harmless_changes(text.replace("f is symmetric\n", ""))

    def test_the_list_of_the_project_can_be_read_and_fits_its_sources(self):
        root = pathlib.Path(__file__).parents[2]
        for file, old, new in mutate.harmless_changes((root / "test/mutate/harmless.txt").read_text()):
            possible = mutate.changes_of(file, (root / file).read_text())
            self.assertIn((old, new), [(change.old, change.new) for change in possible], file)

    def test_a_journal_goes_on_after_a_line_that_was_cut_off(self):
        change, other = mutate.changes_of("f.cpp", TEXT)[:2]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "journal.jsonl"
            mutate.Journal(path).add("source", "tests", change, "noticed", "f_test")
            with path.open("a") as file:
                file.write('\n{"source": "so')
            mutate.Journal(path).add("source", "tests", other, "survived")
            journal = mutate.Journal(path)
            self.assertEqual(journal.find("source", "tests", change)["by"], "f_test")
            self.assertEqual(journal.find("source", "tests", other)["outcome"], "survived")
            self.assertIsNone(journal.find("another source", "tests", change))

    def test_only_what_has_survived_is_tried_again_with_other_tests(self):
        change, other = mutate.changes_of("f.cpp", TEXT)[:2]
        with tempfile.TemporaryDirectory() as folder:
            journal = mutate.Journal(pathlib.Path(folder) / "journal.jsonl")
            journal.add("source", "tests", change, "noticed", "f_test")
            journal.add("source", "tests", other, "survived")
            self.assertIsNotNone(journal.find("source", "other tests", change))
            self.assertIsNone(journal.find("source", "other tests", other))

    def test_the_table_counts_what_has_an_effect(self):
        changes = [change._replace(file="src/a/f.cpp") for change in mutate.changes_of("f.cpp", TEXT)[:5]]
        outcomes = [("noticed", "a_test"), ("noticed", "b_test"), ("survived", ""), ("survived", ""), ("same code", "")]
        done = [(change, {"outcome": outcome, "by": by}) for change, (outcome, by) in zip(changes, outcomes)]
        listed = {("src/a/f.cpp", changes[2].old, changes[2].new)}
        self.assertEqual(mutate.table(done, listed, ["a"])[1].split(), ["a", "4", "2", "1", "1", "1"])


if __name__ == "__main__":
    unittest.main()
