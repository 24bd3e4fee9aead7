"""Scripts that are recorded unchanged: python -m highwater_gpu.run train.py, and python record_memory.py train.py."""
import os
import subprocess
import sys
import unittest
from pathlib import Path

from support import HERE, PACKAGE, RecorderCase, Script, stand_alone_text, stand_alone_too

TRAIN = "import torch\ntorch.fake.initialise()\n"


@stand_alone_too
class RecordedScript(RecorderCase):
    def run_script(self, text, *arguments, options=(), script="script.py", environment=None):
        program = ["record_memory.py"] if self.is_one_file else ["-m", "highwater_gpu.run"]
        started = Script(text, *arguments, one_file=self.is_one_file, command=[*program, *options, script],
                         environment=environment)
        self.addCleanup(started.close)
        self.code = started.end()
        self.said_by_script = started.said()
        return started.rest()

    @property
    def package(self):
        return "record_memory" if self.is_one_file else "highwater_gpu"

    def test_is_recorded(self):
        self.run_script(TRAIN)
        self.assertEqual((self.code, self.reasons()), (0, ["end"]))

    def test_has_its_arguments(self):
        printed = self.run_script(TRAIN + "import sys; print(sys.argv)", "a", "--every", "5", "-m", "--", "b")
        self.assertEqual(printed, ["['script.py', 'a', '--every', '5', '-m', '--', 'b']"])

    def test_finds_modules_beside_itself(self):
        os.mkdir("below")
        Path("below", "train.py").write_text("import neighbour, sys\nprint(neighbour.NAME, sys.path[0])", encoding="utf-8")
        Path("below", "neighbour.py").write_text("NAME = 'found'", encoding="utf-8")
        printed = self.run_script("", script=os.path.join("below", "train.py"))
        self.assertEqual(printed, ["found " + os.path.join(self.base, "below")])

    def test_is_the_main_module(self):
        self.assertEqual(self.run_script("print(__name__, __file__)"), ["__main__ script.py"])

    def test_marks_steps_of_the_same_recorder(self):
        self.run_script(TRAIN + f"from {self.package} import step\nstep(7)\n")
        self.assertEqual(self.reasons(), ["end-step7"])

    def test_may_record_itself_without_effect(self):
        self.run_script(TRAIN + f"from {self.package} import record\nwith record('inner'):\n    pass\n")
        self.assertEqual((self.files("inner"), self.reasons()), ([], ["end"]))

    def test_that_fails_fails_as_without_the_recorder(self):
        self.run_script(TRAIN + "raise KeyError('weight')")
        self.assertEqual((self.code, self.reasons()), (1, ["exception"]))
        self.assertTrue(self.said_by_script.endswith("KeyError: 'weight'\n"))

    def test_that_exits_has_its_exit_code(self):
        self.run_script(TRAIN + "import sys; sys.exit(7)")
        self.assertEqual((self.code, self.reasons()), (7, ["end"]))

    def test_that_runs_out_of_memory_writes_one_file(self):
        self.run_script(TRAIN + "torch.fake.run_out_of_memory()")
        self.assertEqual((self.code, self.reasons()), (1, ["oom"]))

    def test_is_recorded_with_the_options_before_it(self):
        text = TRAIN + f"from {self.package} import step\nfor _ in range(5):\n    step()\n"
        self.run_script(text, options="--folder other --every 2 --keep 1 --max-entries 9 --stacks all".split())
        self.assertEqual(self.reasons("other"), ["every-step3", "end-step4"])

    def test_may_start_processes_by_spawn(self):
        printed = self.run_script("""
import multiprocessing

def work():
    print('worked', flush=True)

if __name__ == '__main__':
    child = multiprocessing.get_context('spawn').Process(target=work)
    child.start()
    child.join(60)
    print(child.exitcode)
""")
        self.assertEqual(printed, ["worked", "0"])

    def test_may_be_a_module(self):
        Path("train").mkdir()
        Path("train", "__init__.py").touch()
        Path("train", "main.py").write_text(TRAIN + "import sys; print(__name__, __package__, sys.argv[1:])", encoding="utf-8")
        self.assertEqual(self.run_script("", "a", "--b", options=["-m"], script="train.main"), ["__main__ train ['a', '--b']"])
        self.assertEqual(self.reasons(), ["end"])

    def test_that_is_missing_is_an_error(self):
        self.run_script("", script="missing.py")
        self.assertEqual(self.code, 1)
        self.assertIn("missing.py", self.said_by_script)

    def test_keeps_the_search_path_where_python_adds_no_folder(self):
        if sys.version_info < (3, 11):
            self.skipTest("Python 3.11 brought PYTHONSAFEPATH")
        os.mkdir("below")
        Path("below", "train.py").write_text(f"import sys; print({self.base!r} in sys.path)", encoding="utf-8")
        search = os.pathsep.join([self.base, str(HERE), str(HERE / "fake"), str(PACKAGE)])
        printed = self.run_script("", script=os.path.join("below", "train.py"),
                                  environment={"PYTHONSAFEPATH": "1", "PYTHONPATH": search})
        self.assertEqual(printed, ["True"])


class OneFile(RecorderCase):
    """What is true of record_memory.py alone; all other tests of the recorder run with it as well."""

    is_one_file = True

    def test_needs_no_package(self):
        text = "import importlib.util\nprint(importlib.util.find_spec('highwater_gpu'))\nimport record_memory\n"
        self.assertEqual(Script(text, one_file=True).rest(), ["None"])

    def test_imports_nothing_but_the_standard_library_and_torch(self):
        Path("record_memory.py").write_text(stand_alone_text(), encoding="utf-8")
        text = "import sys; sys.path.insert(0, '.'); import record_memory; print('imported')"
        done = subprocess.run([sys.executable, "-I", "-c", text], stdout=subprocess.PIPE, check=True, encoding="utf-8")
        self.assertEqual(done.stdout, "imported\n")

    def test_may_have_another_name(self):
        Path("my_recorder.py").write_text(stand_alone_text(), encoding="utf-8")
        script = Script(TRAIN + "from my_recorder import step\nstep(7)\n", one_file=True, command=["my_recorder.py", "script.py"])
        self.assertEqual((script.end(), self.reasons()), (0, ["end-step7"]))

    def test_runs_as_a_module_too(self):
        script = Script(TRAIN, one_file=True, command=["-m", "record_memory", "script.py"])
        self.assertEqual((script.end(), self.reasons()), (0, ["end"]))

    def test_has_everything_that_the_manual_names(self):
        for name in ("record", "step", "phase", "dump", "end_step", "transformers_callback", "lightning_callback", "main"):
            self.assertTrue(callable(getattr(self.recorder, name)), name)


if __name__ == "__main__":
    unittest.main()
