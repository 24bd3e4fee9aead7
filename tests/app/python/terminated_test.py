"""SIGTERM, by which a launcher ends the other ranks of a distributed run when one has failed."""
import signal
import unittest

from signals_test import BLOCKED, HEAD, RANK_OF_TWO, RECORDING, SignalCase
from support import stand_alone_too

DURING = """
def during_dump(path):
    torch.fake.during_dump = lambda path: None
    say("writing")
    sys.stdin.readline()

torch.fake.during_dump = during_dump
"""


@stand_alone_too
class TerminatedRank(SignalCase):
    def start(self, text, environment=None):
        return super().start(text, environment or RANK_OF_TWO)

    def test_writes_terminated_and_ends_by_the_signal(self):
        script = self.start(HEAD + "with record():" + RECORDING + "    wait()\n")
        script.wait_for("ready")
        script.send(signal.SIGTERM)
        self.assertEqual(script.end(), -signal.SIGTERM)
        self.assertEqual(self.reasons(), ["terminated"])

    def test_ends_by_the_signal_where_nothing_was_recorded(self):
        script = self.start(HEAD + "with record():\n    say('ready')\n    wait()\n")
        script.wait_for("ready")
        script.send(signal.SIGTERM)
        self.assertEqual(script.end(), -signal.SIGTERM)
        self.assertEqual(self.reasons(), [])

    def test_writes_nothing_in_a_run_of_one_process(self):
        script = self.start(HEAD + "with record():" + RECORDING + "    wait()\n", {"WORLD_SIZE": "1"})
        script.wait_for("ready")
        script.send(signal.SIGTERM)
        self.assertEqual(script.end(), -signal.SIGTERM)
        self.assertEqual(self.reasons(), [])

    def test_that_is_blocked_writes_terminated_and_ends(self):
        script = self.start(BLOCKED + "with record():" + RECORDING + "    block()\n")
        script.wait_for("ready")
        script.wait_for("blocked")
        script.send(signal.SIGTERM)
        self.assertEqual(script.end(), 143)
        self.assertEqual(self.reasons(), ["terminated"])

    def test_writes_no_second_file_after_an_out_of_memory(self):
        script = self.start(HEAD + "with record():" + RECORDING + "    try:\n        torch.fake.run_out_of_memory()\n"
                            "    except RuntimeError:\n        say('caught')\n    wait()\n")
        script.wait_for("ready")
        script.wait_for("caught")
        script.send(signal.SIGTERM)
        self.assertEqual(script.end(), -signal.SIGTERM)
        self.assertEqual(self.reasons(), ["oom"])

    def test_writes_terminated_after_a_snapshot_of_a_step(self):
        script = self.start(HEAD + "with record(every=1):" + RECORDING
                            + "    recorder.step()\n    recorder.step()\n    say('stepped')\n    wait()\n")
        script.wait_for("ready")
        script.wait_for("stepped")
        script.send(signal.SIGTERM)
        self.assertEqual(script.end(), -signal.SIGTERM)
        self.assertEqual(self.reasons(), ["every-step0", "terminated-step1"])

    def test_writes_terminated_after_signals_that_came_at_once(self):
        script = self.start(BLOCKED + """
dumps, free = [], threading.Event()

def during_dump(path):
    dumps.append(path)
    if len(dumps) == 2:  # the handler runs once for both signals, and while the second file is written
        library.pthread_mutex_unlock(mutex)
        free.wait(2)
    say("writing")
    if len(dumps) > 2:
        sys.stdin.readline()

torch.fake.during_dump = during_dump
with record() as recording:
    torch.fake.initialise()
    block()
    free.set()
    wait_until(lambda: len(recording.paths) == 2)
    with recording._lock:
        recording._last_write = 0  # as if that had been long ago
    say("free")
    wait()
""")
        script.wait_for("blocked")
        for _ in range(2):
            script.send(signal.SIGUSR2)
            script.wait_for("writing")
        script.wait_for("free")
        script.send(signal.SIGTERM)
        script.wait_for("writing")
        script.say("go on")
        self.assertEqual(script.end(), -signal.SIGTERM)
        self.assertEqual(self.reasons(), ["signal", "signal", "terminated"])

    def test_finishes_the_snapshot_that_it_is_writing_first(self):
        script = self.start(HEAD + DURING + "with record():" + RECORDING + "    dump()\n    wait()\n")
        script.wait_for("ready")
        script.wait_for("writing")
        script.send(signal.SIGTERM)
        script.say("go on")
        self.assertEqual(script.end(within=20), -signal.SIGTERM)
        self.assertEqual(self.reasons()[0], "asked")

    def test_that_fails_while_it_writes_a_snapshot_writes_no_second_one(self):
        script = self.start(HEAD + DURING + "with record():" + RECORDING + "    torch.fake.run_out_of_memory()\n")
        script.wait_for("ready")
        script.wait_for("writing")
        script.send(signal.SIGTERM)
        script.say("go on")
        self.assertEqual(script.end(within=20), -signal.SIGTERM)
        self.assertEqual(self.reasons(), ["oom"])

    def test_ends_at_once_where_it_has_not_written_the_first_byte(self):
        script = self.start(HEAD + """
def new_path(self, reason, answer=record._new_path):
    record._new_path = answer
    say("naming")  # a folder of another machine may take long to say what it holds
    sys.stdin.readline()
    return answer(self, reason)

record._new_path = new_path
with record():
    torch.fake.initialise()
    dump()
    wait()
""")
        script.wait_for("naming")
        script.send(signal.SIGTERM)
        script.say("go on")
        self.assertEqual(script.end(within=20), -signal.SIGTERM)
        self.assertEqual(self.reasons()[0], "asked")

    def test_ends_also_where_another_signal_follows_while_it_writes(self):
        script = self.start(HEAD + DURING + "with record():" + RECORDING + "    dump()\n    wait()\n")
        script.wait_for("ready")
        script.wait_for("writing")
        script.send(signal.SIGTERM)
        script.send(signal.SIGUSR2)
        script.say("go on")
        self.assertIn(script.end(within=20), (-signal.SIGTERM, 143))

    def test_finishes_the_snapshot_that_another_thread_is_writing_first(self):
        script = self.start(BLOCKED + DURING + """
def fail():
    sys.stdin.readline()
    torch.fake.run_out_of_memory()

def hear(self, reason, answer=record._on_signal):
    say("heard")
    answer(self, reason)

record._on_signal = hear
with record():
    torch.fake.initialise()
    threading.Thread(target=fail, daemon=True).start()
    block()
""")
        script.wait_for("blocked")
        script.say("fail")
        script.wait_for("writing")
        script.send(signal.SIGTERM)
        script.wait_for("heard")
        script.say("go on")
        self.assertEqual(script.end(), 143)
        self.assertEqual(self.reasons(), ["oom"])

    def test_calls_the_handler_that_was_there_before_and_goes_on(self):
        script = self.start(HEAD + "signal.signal(signal.SIGTERM, on_signal)\nwith record():" + RECORDING
                            + "    say(sys.stdin.readline().strip())\n")
        script.wait_for("ready")
        script.send(signal.SIGTERM)
        script.wait_for("handler")
        script.say("go on")
        script.wait_for("go on")
        self.assertEqual(script.end(), 0)
        self.assertEqual(self.reasons(), ["terminated", "end"])

    def test_goes_on_where_the_script_has_set_a_handler_later(self):
        script = self.start(HEAD + """
ended = threading.Event()
os._exit = lambda code: ended.set()
with record() as recording:
    torch.fake.initialise()
    signal.signal(signal.SIGTERM, on_signal)
    say("ready")
    wait_until(lambda: any("signal" in path for path in recording.paths))
    ended.wait(2)  # a rank that is blocked is ended after a second
    say(ended.is_set())
""")
        script.wait_for("ready")
        script.send(signal.SIGTERM)
        script.wait_for("handler")
        script.send(signal.SIGUSR2)  # answered after SIGTERM
        script.wait_for("False")
        self.assertEqual(script.end(), 0)

    def test_ends_at_once_where_a_handler_set_later_calls_ours(self):
        script = self.start(HEAD + """
def later(number, frame):
    began.append(time.monotonic())
    ours(number, frame)

began = []
os.kill = lambda *_: say(time.monotonic() - began[0] < 20)
with record():
    ours = signal.getsignal(signal.SIGTERM)
    signal.signal(signal.SIGTERM, later)""" + RECORDING + "    wait()\n")
        script.wait_for("ready")
        script.send(signal.SIGTERM)
        script.wait_for("True")

    def test_ends_after_the_recording_as_it_did_before(self):
        script = self.start(HEAD + "with record():" + RECORDING + "say('recorded')\nwait()\n")
        script.wait_for("ready")
        script.wait_for("recorded")
        script.send(signal.SIGTERM)
        self.assertEqual(script.end(), -signal.SIGTERM)
        self.assertEqual(self.reasons(), ["end"])


if __name__ == "__main__":
    unittest.main()
