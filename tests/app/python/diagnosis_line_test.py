"""The line that is printed after an out of memory."""
import os
import subprocess
import unittest
from pathlib import Path
from unittest import mock

from support import PATH, RecorderCase, Script, stand_alone_too

SENTENCE = "Out of memory: 2.25 GiB requested, 732 MiB short"


@stand_alone_too
class DiagnosisLine(RecorderCase):
    def put_program(self, text):
        """A program highwater that is this script for the shell."""
        os.mkdir("programs")
        program = Path("programs", "highwater")
        program.write_text("#!/bin/sh\n" + text, encoding="utf-8")
        program.chmod(0o755)
        os.environ["PATH"] = os.path.abspath("programs")

    def said_lines(self):
        return self.said().splitlines()

    def test_it_is_the_sentence_of_the_program(self):
        os.environ["PATH"] = PATH
        self.record_out_of_memory()
        wrote, sentence = self.said_lines()
        self.assertRegex(wrote, r"^\[highwater, rank 0\] wrote memory/rank0-oom-")
        self.assertTrue(sentence.startswith("[highwater, rank 0] " + SENTENCE), sentence)

    def test_it_names_the_rank(self):
        os.environ.update(PATH=PATH, RANK="5")
        self.record_out_of_memory()
        self.assertTrue(self.said_lines()[1].startswith("[highwater, rank 5] " + SENTENCE))

    def test_without_the_program_it_says_what_to_run_elsewhere(self):
        self.record_out_of_memory()
        hint = r"where Highwater is installed: highwater findings memory/rank0-oom-\S+\.pickle$"
        self.assertRegex(self.said_lines()[1], hint)

    def test_the_program_in_the_package_goes_first(self):
        bundled = Path(self.base, "_bundle", "bin", "highwater")
        bundled.parent.mkdir(parents=True)
        bundled.write_text("#!/bin/sh\necho The bundled one.\n", encoding="utf-8")
        bundled.chmod(0o755)
        os.environ["PATH"] = PATH
        with mock.patch.object(self.recorder, "__file__", os.path.join(self.base, "recorder.py")):
            self.record_out_of_memory()
        self.assertEqual(self.said_lines()[1], "[highwater, rank 0] The bundled one.")

    def test_there_is_none_where_none_is_asked_for(self):
        os.environ["PATH"] = PATH
        self.record_out_of_memory(diagnose=False)
        self.assertEqual(len(self.said_lines()), 1)

    def test_a_program_that_fails_does_not_break_the_run(self):
        self.put_program("exit 3\n")
        self.record_out_of_memory()
        self.assertEqual(len(self.said_lines()), 1)

    def test_a_program_that_is_none_does_not_break_the_run(self):
        self.put_program("")
        Path("programs", "highwater").write_bytes(b"\x7fELF")
        self.record_out_of_memory()
        self.assertIn("no diagnosis: ", self.said_lines()[1])

    def test_a_program_that_says_an_empty_line_does_not_break_the_run(self):
        self.put_program("echo\n")
        self.record_out_of_memory()
        self.assertEqual(self.reasons(), ["oom"])

    def test_a_program_that_says_what_is_no_text_does_not_break_the_run(self):
        self.put_program(r"printf '\377\n'" + "\n")
        self.record_out_of_memory()
        self.assertEqual(self.reasons(), ["oom"])

    def test_a_program_that_hangs_is_ended_and_does_not_break_the_run(self):
        self.put_program("read nothing </dev/zero\n")
        run = subprocess.run
        with mock.patch("subprocess.run", lambda *words, timeout, **options: run(*words, timeout=min(timeout, 0.2), **options)):
            self.record_out_of_memory()
        self.assertRegex(self.said_lines()[1], "no diagnosis: .*timed out")

    def test_failures_after_those_are_not_diagnosed_again(self):
        self.put_program("echo A sentence.\n")
        with self.recorder.record(keep=1):
            for now in (100, 200, 300):
                with mock.patch("time.monotonic", return_value=now), self.assertRaises(self.torch.cuda.OutOfMemoryError):
                    self.fake.run_out_of_memory()
        self.assertEqual((self.said().count("wrote memory/rank0-oom"), self.said().count("A sentence.")), (3, 1))

    def test_failures_in_a_row_are_diagnosed_as_long_as_they_are_written(self):
        self.put_program("echo A sentence.\n")
        with self.recorder.record(keep=2):
            for _ in range(9):
                with self.assertRaises(self.torch.cuda.OutOfMemoryError):
                    self.fake.run_out_of_memory()
        self.assertEqual(self.said().count("A sentence."), 2)


class WholeRun(RecorderCase):
    def test_the_traceback_is_torchs_own(self):
        os.environ["PATH"] = PATH
        script = Script("import torch\nfrom highwater_gpu import record, step\n"
                        "with record():\n    step(2)\n    torch.fake.run_out_of_memory()\n")
        self.assertEqual(script.end(), 1)
        self.assertIn(SENTENCE, script.said())
        self.assertTrue(script.said().endswith("fake_torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.25 GiB.\n"))
        self.assertEqual(self.reasons(), ["oom-step2"])


if __name__ == "__main__":
    unittest.main()
