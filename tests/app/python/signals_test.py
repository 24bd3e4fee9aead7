"""Signals that ask for a snapshot, and those that end the ranks of a distributed run. Each test is a process of its own."""
import os
import signal
import threading
import unittest

from support import DEADLINE, RecorderCase, Script, stand_alone_too

RANK_OF_TWO = {"RANK": "1", "WORLD_SIZE": "2"}
HEAD = """
import ctypes, os, signal, sys, threading, time
import torch
try:
    from highwater_gpu import dump, record, recorder
except ImportError:
    import record_memory as recorder
    from record_memory import dump, record

def say(text):
    print(text, flush=True)

def wait_until(is_so):
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.001)

def wait():
    wait_until(lambda: False)

def on_signal(number, frame):
    say("handler")
"""
# Nothing wakes the main thread again. glibc notes in the mutex that somebody waits for it: then the test may go on.
BLOCKED = HEAD + """
library, mutex = ctypes.CDLL(None), (ctypes.c_int * 16)()

def tell():
    wait_until(lambda: mutex[0] == 2)
    say("blocked")

def block():
    library.pthread_mutex_lock(mutex)
    threading.Thread(target=tell, daemon=True).start()
    library.pthread_mutex_lock(mutex)
"""
RECORDING = """
    torch.fake.initialise()
    say("ready")
"""


WRITTEN = """
    wait_until(lambda: recorder._active.paths)
    say("written")
"""


class SignalCase(RecorderCase):
    def start(self, text, environment=None):
        script = Script(text, one_file=self.is_one_file, environment=environment)
        self.addCleanup(script.close)
        return script


@stand_alone_too
class AskingSignal(SignalCase):
    def test_writes_a_file_and_the_run_goes_on(self):
        script = self.start(HEAD + "with record():" + RECORDING + WRITTEN)
        script.wait_for("ready")
        script.send(signal.SIGUSR2)
        script.wait_for("written")
        self.assertEqual(script.end(), 0)
        self.assertEqual(self.reasons(), ["signal", "end"])

    def test_each_signal_writes_one_file(self):
        script = self.start(HEAD + "torch.fake.during_dump = lambda path: say('writing')\nwith record():" + RECORDING
                            + "    for line in sys.stdin: say(line.strip())\n")
        script.wait_for("ready")
        for _ in range(2):
            script.send(signal.SIGUSR2)
            script.wait_for("writing")
            script.say("next")
            script.wait_for("next")
        script.process.stdin.close()
        self.assertEqual(script.rest(), ["writing"])
        self.assertEqual(self.reasons(), ["signal", "signal", "end"])

    def test_calls_the_handler_that_was_there_before(self):
        script = self.start(HEAD + "signal.signal(signal.SIGUSR2, on_signal)\nwith record():" + RECORDING + WRITTEN)
        script.wait_for("ready")
        script.send(signal.SIGUSR2)
        self.assertEqual({script.line(), script.line()}, {"handler", "written"})
        self.assertEqual(script.end(), 0)
        self.assertEqual(self.reasons(), ["signal", "end"])

    def test_another_signal_can_be_chosen(self):
        script = self.start(HEAD + "with record(on_signal=signal.SIGUSR1):" + RECORDING + WRITTEN)
        script.wait_for("ready")
        script.send(signal.SIGUSR1)
        script.wait_for("written")
        script.end()
        self.assertEqual(self.reasons(), ["signal", "end"])

    def test_writes_while_the_main_thread_is_blocked(self):
        script = self.start(BLOCKED + "with record():" + RECORDING + "    torch.fake.during_dump = lambda path: say('writing')\n"
                            "    block()\n")
        script.wait_for("ready")
        script.wait_for("blocked")
        script.send(signal.SIGUSR2)
        script.wait_for("writing")

    def test_is_answered_where_an_event_loop_hears_of_signals_already(self):
        script = self.start(HEAD + """
import socket
a, b = socket.socketpair()
a.setblocking(False)
signal.set_wakeup_fd(a.fileno())
with record():""" + RECORDING + """
    sys.stdin.readline()
say(signal.set_wakeup_fd(-1) == a.fileno())
say(b.recv(9)[0])
""")
        script.wait_for("ready")
        script.send(signal.SIGUSR2)
        script.say("end")
        self.assertEqual(script.rest(), ["True", str(int(signal.SIGUSR2))])
        self.assertEqual(self.reasons(), ["signal", "end"])

    def test_does_not_wait_where_an_event_loop_hears_of_signals_later(self):
        script = self.start(HEAD + "with record():\n    signal.set_wakeup_fd(-1)" + RECORDING + """
    sys.stdin.readline()
    began = time.monotonic()
    os.kill(os.getpid(), signal.SIGUSR2)
    say(time.monotonic() - began < 20)
""")
        script.wait_for("ready")
        script.say("go on")
        self.assertEqual(script.rest(), ["True"])


@stand_alone_too
class RestoredHandlers(SignalCase):
    def test_a_handler_is_restored(self):
        def before(number, frame):
            pass

        self.addCleanup(signal.signal, signal.SIGUSR2, signal.signal(signal.SIGUSR2, before))
        with self.recorder.record():
            self.assertIsNot(signal.getsignal(signal.SIGUSR2), before)
        self.assertIs(signal.getsignal(signal.SIGUSR2), before)

    def test_the_default_is_restored(self):
        with self.recorder.record():
            pass
        self.assertEqual(signal.getsignal(signal.SIGUSR2), signal.SIG_DFL)

    def test_the_wake_up_descriptor_is_given_back(self):
        with self.recorder.record():
            pass
        self.assertEqual(signal.set_wakeup_fd(-1), -1)

    def test_a_handler_that_was_set_later_stays(self):
        def later(number, frame):
            pass

        with self.recorder.record():
            signal.signal(signal.SIGUSR2, later)
        self.assertIs(signal.getsignal(signal.SIGUSR2), later)

    def test_a_signal_that_was_ignored_stays_ignored(self):
        self.addCleanup(signal.signal, signal.SIGUSR2, signal.signal(signal.SIGUSR2, signal.SIG_IGN))
        with self.recorder.record():
            self.assertEqual(signal.getsignal(signal.SIGUSR2), signal.SIG_IGN)

    def test_sigterm_is_left_alone_outside_of_a_distributed_run(self):
        with self.recorder.record():
            self.assertEqual(signal.getsignal(signal.SIGTERM), signal.SIG_DFL)

    def test_no_descriptor_is_left_open(self):
        def record_once():
            with self.recorder.record():
                threads = [one for one in threading.enumerate() if one.name == "highwater-signals"]
            for one in threads:
                one.join(DEADLINE)
            return len(os.listdir("/proc/self/fd"))

        self.assertEqual(record_once(), record_once())

    def test_a_handler_that_was_set_later_still_reaches_the_first_one_after_the_recording(self):
        script = self.start(HEAD + """
signal.signal(signal.SIGUSR2, on_signal)
with record():
    ours = signal.getsignal(signal.SIGUSR2)
    signal.signal(signal.SIGUSR2, lambda *heard: ours(*heard))
os.kill(os.getpid(), signal.SIGUSR2)
""")
        self.assertEqual(script.rest(), ["handler"])


@stand_alone_too
class Threads(SignalCase):
    def test_a_recorder_may_be_started_by_another_thread(self):
        script = self.start(HEAD + "thread = threading.Thread(target=record().start)\nthread.start()\nthread.join()\n"
                            "torch.fake.initialise()\n")
        self.assertEqual(script.end(), 0)
        self.assertEqual(self.reasons(), ["end"])

    def test_a_world_size_that_is_no_number_does_not_end_the_run(self):
        script = self.start(HEAD + "with record():" + RECORDING, environment={"WORLD_SIZE": "two"})
        self.assertEqual(script.end(), 0)
        self.assertEqual(self.reasons(), ["end"])

    def test_a_recorder_may_be_stopped_by_another_thread(self):
        script = self.start(HEAD + "recording = record().start()\ntorch.fake.initialise()\n"
                            "thread = threading.Thread(target=recording.stop)\nthread.start()\nthread.join()\n"
                            "say(recorder.is_recording())\n")
        self.assertEqual(script.rest(), ["False"])
        self.assertEqual(self.reasons(), ["end"])
        self.assertNotIn("Traceback", script.said())


if __name__ == "__main__":
    unittest.main()
