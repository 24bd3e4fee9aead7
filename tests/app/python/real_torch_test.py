"""The recorder with PyTorch itself and with trainers, on simulated GPUs: HIGHWATER_TORCH_PYTHON names a Python that has a CUDA
build of torch. The scripts are those of rehearsed/, each of which runs out of memory in its third step."""
import functools
import json
import os
import pickle
import subprocess
import unittest

from support import HERE, PACKAGE, SAMPLES, FolderCase, read_name

PYTHON = os.environ.get("HIGHWATER_TORCH_PYTHON", "")
HAS = "import importlib.util, sys; print(*[name for name in sys.argv[1:] if importlib.util.find_spec(name)])"
LIBRARIES = ("accelerate", "datasets", "lightning", "tokenizers", "transformers", "trl")


@functools.lru_cache(maxsize=None)
def libraries():
    done = subprocess.run([PYTHON, "-c", HAS, *LIBRARIES], stdout=subprocess.PIPE, check=True, encoding="utf-8")
    return done.stdout.split()


@unittest.skipUnless(PYTHON, "HIGHWATER_TORCH_PYTHON names no Python with a CUDA build of torch")
class RealTorch(FolderCase):
    def need(self, *names):
        missing = [name for name in names if name not in libraries()]
        if missing:
            self.skipTest(f"{PYTHON} has no {', '.join(missing)}")

    def rehearse(self, script, *launcher, gpus=1):
        words = SAMPLES / "record" / "rehearsed" / "cases"
        search = os.pathsep.join([str(PACKAGE), str(words), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "PYTHONPATH": search, "HF_HUB_OFFLINE": "1",
                       "TOKENIZERS_PARALLELISM": "false", "PATH": os.path.dirname(PYTHON) + os.pathsep + os.environ["PATH"]}
        options = ["--gpu", "L4", "--gpus", str(gpus), "--quiet", "--history", "script", "--force", "-o", "rehearsal.pickle"]
        command = [*(launcher or [PYTHON]), str(HERE / "rehearsed" / script)]
        done = subprocess.run(["highwater", "rehearse", *options, "--", *command],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                              timeout=500, env=environment, encoding="utf-8", errors="replace")
        self.output = done.stdout

    def says(self, command):
        done = subprocess.run(["highwater", command, "memory", "--json", "--quiet"], stdout=subprocess.PIPE, check=False,
                              encoding="utf-8")
        self.assertTrue(done.stdout, self.output)
        return json.loads(done.stdout)

    def assert_failed_in_the_third_step(self, ranks=(0,)):
        self.assertEqual([(int(read_name(name)["rank"]), read_name(name)["reason"]) for name in self.files()],
                         [(rank, "oom-step2") for rank in ranks], self.output)
        self.assertEqual([(file["rank"], file["step"], file["complete"]) for file in self.says("info")["files"]],
                         [(rank, 2, True) for rank in ranks])
        diagnosis = self.says("findings")["diagnosis"]
        self.assertEqual(diagnosis["class"], "gpu-oom-too-big")
        self.assertIn("in ProfilerStep#2", diagnosis["detail"])
        self.assertEqual(sorted((failure["rank"], failure["step"]) for failure in self.says("ranks")["out_of_memory"]),
                         [(rank, 2) for rank in ranks])
        for rank in ranks:
            self.assertRegex(self.output, rf"\[highwater, rank {rank}\] Out of memory: ")

    def test_a_plain_loop(self):
        self.rehearse("plain.py")
        self.assert_failed_in_the_third_step()

    def test_a_script_that_is_run_by_the_recorder(self):
        self.rehearse("plain.py", PYTHON, "-m", "highwater_gpu.run")
        self.assert_failed_in_the_third_step()

    def test_a_window_has_the_steps_that_were_asked_for(self):
        self.rehearse("window.py")
        (window,) = [file for file in self.says("info")["files"] if "-window-step3-" in file["path"]]
        self.assertEqual(window["spans"]["steps"], 2)
        with open(window["path"], "rb") as file:
            marks = [(mark["stage"], mark["name"]) for mark in pickle.load(file)["external_annotations"]]
        for name in ("ProfilerStep#2", "ProfilerStep#3"):
            self.assertEqual([stage for stage, marked in marks if marked == name], ["START", "END"], name)

    def test_the_trainer_of_transformers(self):
        self.need("transformers", "accelerate")
        self.rehearse("trainer.py")
        self.assert_failed_in_the_third_step()

    def test_the_grpo_trainer_of_trl(self):
        self.need("trl", "transformers", "datasets", "tokenizers")
        self.rehearse("grpo.py")
        self.assert_failed_in_the_third_step()

    def test_lightning(self):
        self.need("lightning")
        self.rehearse("light.py")
        self.assert_failed_in_the_third_step()

    def test_accelerate(self):
        self.need("accelerate")
        self.rehearse("accelerated.py")
        self.assert_failed_in_the_third_step()

    def test_two_ranks_of_torchrun(self):
        self.rehearse("ranks.py", "torchrun", "--nproc-per-node", "2", gpus=2)
        self.assert_failed_in_the_third_step(ranks=(0, 1))


if __name__ == "__main__":
    unittest.main()
