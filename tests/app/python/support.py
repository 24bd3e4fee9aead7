"""What the tests share: a recorder that has not recorded yet, the same as one file, and scripts that run by themselves."""
import contextlib
import functools
import importlib
import importlib.util
import io
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

import fake_torch

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[2] / "app" / "python"
SAMPLES = fake_torch.SAMPLES
DEADLINE = 60  # seconds; nothing waits so long unless it has failed
RANK_VARIABLES = ("RANK", "WORLD_SIZE", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK")


@functools.lru_cache(maxsize=None)
def stand_alone_text():
    return subprocess.run(["highwater", "record", "--standalone"], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout


def fresh_package():
    """highwater_gpu as a process has it that has just imported it."""
    for name in [name for name in sys.modules if name.split(".")[0] == "highwater_gpu"]:
        del sys.modules[name]
    sys.path.insert(0, str(PACKAGE))
    try:
        return importlib.import_module("highwater_gpu.recorder")
    finally:
        sys.path.remove(str(PACKAGE))


def fresh_stand_alone(folder):
    path = os.path.join(folder, "record_memory.py")
    Path(path).write_text(stand_alone_text(), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("record_memory", path)
    module = sys.modules["record_memory"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stand_alone_too(case):
    """A class of tests of the recorder, which also run with the recorder as one file."""
    name = case.__name__ + "AsOneFile"
    sys.modules[case.__module__].__dict__[name] = type(name, (case,), {"is_one_file": True, "__module__": case.__module__})
    return case


class FolderCase(unittest.TestCase):
    """A test in an empty folder, with no rank in its environment."""

    def setUp(self):
        self.base = os.path.realpath(tempfile.mkdtemp(prefix="highwater-test-"))
        self.addCleanup(_remove, self.base)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.base)
        kept = mock.patch.dict(os.environ)
        kept.start()
        self.addCleanup(kept.stop)
        for name in RANK_VARIABLES:
            os.environ.pop(name, None)

    def files(self, folder="memory"):
        return sorted(os.listdir(folder)) if os.path.isdir(folder) else []

    def reasons(self, folder="memory"):
        """What the names say between rank and time, oldest first: ["oom-step2", "end"]."""
        names = sorted(self.files(folder), key=lambda name: os.stat(os.path.join(folder, name)).st_mtime_ns)
        return [read_name(name)["reason"] for name in names]


def read_name(name):
    found = re.fullmatch(r"rank(?P<rank>\d+)-(?P<reason>.+)-(?P<time>\d{8}-\d{6})-(?P<process>\d+)(-\d+)?\.pickle", name)
    assert found, f"{name} is no name of a snapshot"
    return found.groupdict()


def _remove(folder):
    for below, folders, _ in os.walk(folder):
        for name in folders:
            os.chmod(os.path.join(below, name), 0o700)
    subprocess.run(["rm", "-rf", folder], check=False)


class RecorderCase(FolderCase):
    """A test with a torch that is made up and a recorder that has not recorded yet. What it says is in self.said()."""

    is_one_file = False

    def setUp(self):
        super().setUp()
        os.environ["PATH"] = ""  # no diagnosis, unless a test asks for it
        self.addCleanup(sys.modules.pop, "torch.distributed", None)
        self.use_torch()

    def use_torch(self, **options):
        with mock.patch.dict(os.environ, PATH=PATH):
            self.recorder = fresh_stand_alone(self.base) if self.is_one_file else fresh_package()
        self.torch = fake_torch.install(**options)
        self.fake = self.torch.fake
        self._errors = io.StringIO()
        redirected = contextlib.redirect_stderr(self._errors)
        redirected.__enter__()
        self.addCleanup(redirected.__exit__, None, None, None)
        self.addCleanup(signal.signal, signal.SIGUSR2, signal.getsignal(signal.SIGUSR2))
        self.addCleanup(_stop, self.recorder)

    def said(self):
        return self._errors.getvalue()

    def record_out_of_memory(self, *arguments, **options):
        """Records a block that runs out of memory; gives the exception that came out."""
        with self.assertRaises(self.torch.cuda.OutOfMemoryError) as raised:
            with self.recorder.record(*arguments, **options):
                self.fake.run_out_of_memory()
        return raised.exception


PATH = os.environ.get("PATH", "")


def _stop(recorder):
    try:
        if recorder._active:
            recorder._active.stop()
    finally:
        recorder._active = None  # nothing is written when the tests end


class Script:
    """A Python script in a process of its own, in the current folder: what it prints is read line by line."""

    def __init__(self, text, *arguments, one_file=False, environment=None, command=None):
        Path("script.py").write_text(text, encoding="utf-8")
        search = [str(HERE), str(HERE / "fake")]
        if one_file:
            Path("record_memory.py").write_text(stand_alone_text(), encoding="utf-8")
        else:
            search.append(str(PACKAGE))
        own = {**os.environ, "PYTHONPATH": os.pathsep.join(search), **(environment or {})}
        own["PYTHONWARNINGS"] = "ignore::DeprecationWarning"  # Python 3.12 warns of a fork where there are threads
        with open("stderr.txt", "w", encoding="utf-8") as errors:
            self.process = subprocess.Popen([sys.executable, *(command or ["script.py"]), *arguments], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=errors, env=own, encoding="utf-8", bufsize=1)
        self._lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))
        self.process.stdout.close()
        self._lines.put(None)

    def line(self):
        """The next line; fails where the script ended without one."""
        found = self._lines.get(timeout=DEADLINE)
        assert found is not None, "the script ended: " + self.said()
        return found

    def wait_for(self, text):
        line = self.line()
        assert line == text, f"{text} expected, the script says {line}"

    def say(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def send(self, number):
        self.process.send_signal(number)

    def end(self, within=DEADLINE):
        """Its exit code when it has ended; below 0: by that signal."""
        try:
            return self.process.wait(timeout=within)
        finally:
            self.close()

    def rest(self):
        """The lines that it prints until it ends."""
        return list(iter(lambda: self._lines.get(timeout=DEADLINE), None))

    def said(self):
        return Path("stderr.txt").read_text(encoding="utf-8")

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdin.close()
