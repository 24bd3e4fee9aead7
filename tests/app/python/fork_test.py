"""Children that a recorded process forks, as the workers of a loader."""
import signal
import unittest

from signals_test import HEAD, RANK_OF_TWO, RECORDING, SignalCase
from support import read_name, stand_alone_too

CHILD_ENDS_BY_SIGTERM = """
    child.terminate()
    child.join(60)
    say(child.exitcode)
    say(sys.stdin.readline().strip())
"""


@stand_alone_too
class ForkedChild(SignalCase):
    def start(self, text, environment=None):
        return super().start(text, environment or RANK_OF_TWO)

    def finish(self, script):
        script.say("the parent goes on")
        script.wait_for("the parent goes on")
        self.assertEqual(script.end(), 0)
        self.assertEqual(self.reasons(), ["end"])

    def test_of_os_fork_ends_itself_only(self):
        script = self.start(HEAD + "with record():" + RECORDING + """
    heard, told = os.pipe()
    child = os.fork()
    if not child:
        os.write(told, b"x")
        wait()
    os.read(heard, 1)
    os.kill(child, signal.SIGTERM)
    say(os.waitpid(child, 0)[1])
    say(sys.stdin.readline().strip())
""")
        script.wait_for("ready")
        script.wait_for(str(int(signal.SIGTERM)))
        self.finish(script)

    def test_of_multiprocessing_ends_itself_only(self):
        script = self.start(HEAD + """
import multiprocessing

def work(told):
    told.set()
    wait()

with record():""" + RECORDING + """
    context = multiprocessing.get_context("fork")
    told = context.Event()
    child = context.Process(target=work, args=(told,))
    child.start()
    told.wait(60)
""" + CHILD_ENDS_BY_SIGTERM)
        script.wait_for("ready")
        script.wait_for(str(-signal.SIGTERM))
        self.finish(script)

    def test_that_is_ended_before_it_has_begun_ends_itself_only(self):
        # What is registered first runs first in a child: before the recorder can give up its handlers.
        script = self.start(HEAD + "os.register_at_fork(after_in_child=lambda: os.kill(os.getpid(), signal.SIGTERM))\n"
                            "with record():" + RECORDING + """
    child = os.fork()
    if not child:
        wait()
    say(os.waitpid(child, 0)[1])
    say(sys.stdin.readline().strip())
""")
        script.wait_for("ready")
        script.wait_for(str(int(signal.SIGTERM)))
        self.finish(script)

    def test_that_ends_writes_nothing(self):
        script = self.start(HEAD + "with record():" + RECORDING + """
    child = os.fork()
    if not child:
        sys.exit(0)
    say(os.waitpid(child, 0)[1])
    say(sys.stdin.readline().strip())
""")
        script.wait_for("ready")
        script.wait_for("0")
        self.finish(script)

    def test_that_is_asked_by_dump_writes_nothing(self):
        script = self.start(HEAD + "with record():" + RECORDING + """
    child = os.fork()
    if not child:
        os._exit(0 if dump() is None else 1)
    say(os.waitpid(child, 0)[1])
    say(sys.stdin.readline().strip())
""")
        script.wait_for("ready")
        script.wait_for("0")
        self.finish(script)

    def test_that_stops_recording_leaves_the_history_alone(self):
        script = self.start(HEAD + "with record() as recording:" + RECORDING + """
    child = os.fork()
    if not child:
        recording.stop()
        os._exit("history off" in torch.fake.log)
    say(os.waitpid(child, 0)[1])
    say(sys.stdin.readline().strip())
""")
        script.wait_for("ready")
        script.wait_for("0")
        self.finish(script)

    def test_has_the_handlers_that_were_there_before(self):
        script = self.start(HEAD + "with record():" + RECORDING + """
    child = os.fork()
    if not child:
        os._exit(0 if signal.getsignal(signal.SIGTERM) == signal.getsignal(signal.SIGUSR2) == signal.SIG_DFL else 1)
    say(os.waitpid(child, 0)[1])
    say(sys.stdin.readline().strip())
""")
        script.wait_for("ready")
        script.wait_for("0")
        self.finish(script)

    def test_does_not_take_the_signals_of_its_parent(self):
        script = self.start(HEAD + "with record():" + RECORDING + """
    child = os.fork()
    if not child:
        os.close(1)
        wait()
    os.kill(os.getpid(), signal.SIGUSR2)
    wait_until(lambda: os.path.isdir("memory") and os.listdir("memory"))
    say(os.listdir("memory")[0].split("-")[1])
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
""")
        script.wait_for("ready")
        script.wait_for("signal")
        self.assertEqual(script.end(), 0)

    def test_leaves_no_signal_blocked_where_two_threads_fork_at_once(self):
        script = self.start(HEAD + """
turns, done = [], threading.Event()

def before():  # called after the recorder's
    turns.append(threading.get_ident())
    if len(turns) == 1:
        done.wait(60)

def fork():
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)

def fork_first():
    fork()
    say(signal.pthread_sigmask(signal.SIG_BLOCK, []))

os.register_at_fork(before=before)
with record():
    torch.fake.initialise()
    thread = threading.Thread(target=fork_first)
    thread.start()
    wait_until(lambda: turns)
    fork()
    done.set()
    thread.join()
    say(signal.pthread_sigmask(signal.SIG_BLOCK, []))
""")
        self.assertEqual(script.rest(), ["set()", "set()"])

    def test_that_was_forked_before_cuda_was_used_records_by_itself(self):
        script = self.start(HEAD + """
with record():
    child = os.fork()
    if not child:
        torch.fake.run_out_of_memory()
    os.waitpid(child, 0)
    say(child)
""")
        child = script.line()
        self.assertEqual(script.end(), 0)
        self.assertEqual([(read_name(name)["reason"], read_name(name)["process"]) for name in self.files()], [("oom", child)])

    def test_and_its_parent_both_record_where_cuda_was_not_used_before(self):
        script = self.start(HEAD + """
with record():
    child = os.fork()
    torch.fake.initialise()
    if child:
        os.waitpid(child, 0)
""")
        self.assertEqual(script.end(), 0)
        self.assertEqual(self.reasons(), ["end", "end"])
        self.assertEqual(len({read_name(name)["process"] for name in self.files()}), 2)


if __name__ == "__main__":
    unittest.main()
