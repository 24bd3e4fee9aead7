"""When recording begins, and what is written when it ends."""
import contextlib
import os
import sys
import unittest

from support import RecorderCase, Script, stand_alone_too

BEGAN = ("history", "all", "python", 1_000_000)


@stand_alone_too
class Beginning(RecorderCase):
    def test_history_begins_when_cuda_is_initialised_and_before_the_first_allocation(self):
        with self.recorder.record():
            self.assertEqual(self.fake.log, [])
            self.fake.allocate()
            self.assertEqual(self.fake.log, ["initialised", BEGAN, "allocated"])

    def test_history_begins_at_once_where_cuda_is_initialised(self):
        self.fake.initialise()
        with self.recorder.record():
            self.assertEqual(self.fake.log, ["initialised", BEGAN])

    def test_history_has_the_entries_and_stacks_that_are_asked_for(self):
        self.fake.initialise()
        with self.recorder.record(max_entries=7, stacks="all"):
            self.assertEqual(self.fake.log[-1], ("history", "all", "all", 7))

    def test_history_does_not_begin_after_the_block_has_ended(self):
        with self.recorder.record():
            pass
        self.fake.initialise()
        self.assertEqual(self.fake.log, ["initialised"])

    def test_history_ends_with_the_block(self):
        self.fake.initialise()
        with self.recorder.record():
            pass
        self.assertEqual(self.fake.log[-2:], ["dumped", "history off"])

    def test_nothing_is_written_where_cuda_was_not_used(self):
        with self.recorder.record():
            pass
        self.assertEqual(self.files(), [])

    def test_a_torch_without_cuda_is_told_and_nothing_is_recorded(self):
        self.use_torch(cuda=None)
        with self.recorder.record():
            self.assertFalse(self.recorder.is_recording())
        self.assertIn("this PyTorch has no GPU support", self.said())
        self.assertEqual(self.fake.queued, [])

    def test_a_torch_that_cannot_record_is_told_and_the_run_goes_on(self):
        def record_history(*_, **__):
            raise TypeError("unexpected keyword argument 'stacks'")

        self.torch.cuda.memory._record_memory_history = record_history
        with self.recorder.record():
            self.fake.allocate()
        self.assertIn("cannot record memory with PyTorch 2.9.0: unexpected keyword", self.said())
        self.assertEqual(self.files(), [])

    def test_one_observer_is_attached_however_often_a_process_records(self):
        self.fake.initialise()
        for _ in range(3):
            with self.recorder.record():
                pass
        self.assertEqual(len(self.fake.observers), 1)


@stand_alone_too
class Ending(RecorderCase):
    def setUp(self):
        super().setUp()
        self.fake.initialise()

    def test_a_block_that_ends_writes_end(self):
        with self.recorder.record():
            pass
        self.assertEqual(self.reasons(), ["end"])

    def test_an_exception_writes_exception_and_passes_unchanged(self):
        error = KeyError("weight")
        with self.assertRaises(KeyError) as raised, self.recorder.record():
            raise error
        self.assertIs(raised.exception, error)
        self.assertEqual(self.reasons(), ["exception"])

    def test_an_interrupt_from_the_keyboard_writes_exception(self):
        with self.assertRaises(KeyboardInterrupt), self.recorder.record():
            raise KeyboardInterrupt
        self.assertEqual(self.reasons(), ["exception"])

    def test_an_exit_is_an_end(self):
        with self.assertRaises(SystemExit), self.recorder.record():
            sys.exit(0)
        self.assertEqual(self.reasons(), ["end"])

    def test_stop_writes_end(self):
        recording = self.recorder.record().start()
        recording.stop()
        self.assertEqual(self.reasons(), ["end"])

    def test_a_second_stop_writes_nothing(self):
        recording = self.recorder.record().start()
        recording.stop()
        recording.stop()
        self.assertEqual(self.reasons(), ["end"])

    def test_dump_writes_for_the_reason_that_it_is_given(self):
        with self.recorder.record():
            path = self.recorder.dump("before-rollout")
            self.assertEqual(os.listdir("memory"), [os.path.basename(path)])
            self.assertEqual(self.reasons(), ["before-rollout"])

    def test_dump_gives_none_where_nothing_is_recorded(self):
        self.assertIsNone(self.recorder.dump())

    def test_paths_are_those_of_the_files_that_are_kept(self):
        with self.recorder.record() as recording:
            for _ in range(5):
                self.recorder.dump()
        self.assertEqual(sorted(recording.paths), [os.path.join("memory", name) for name in self.files()])


@stand_alone_too
class RunningOutOfMemory(RecorderCase):
    def test_the_snapshot_is_written_before_the_exception(self):
        self.record_out_of_memory()
        self.assertEqual(self.fake.log[2:4], ["dumped", "raised"])

    def test_the_exception_passes_unchanged(self):
        error = self.record_out_of_memory()
        self.assertEqual(str(error), "CUDA out of memory. Tried to allocate 2.25 GiB.")
        self.assertIsNone(error.__cause__ or error.__context__)

    def test_there_is_no_second_file(self):
        self.record_out_of_memory()
        self.assertEqual(self.reasons(), ["oom"])

    def test_there_is_no_second_file_where_another_exception_is_raised_from_it(self):
        with self.assertRaises(RuntimeError), self.recorder.record():
            try:
                self.fake.run_out_of_memory()
            except self.torch.cuda.OutOfMemoryError as error:
                raise RuntimeError("the step failed") from error
        self.assertEqual(self.reasons(), ["oom"])

    def test_an_exception_after_one_that_was_caught_writes_exception_too(self):
        with self.assertRaises(KeyError), self.recorder.record():
            with contextlib.suppress(self.torch.cuda.OutOfMemoryError):
                self.fake.run_out_of_memory()
            raise KeyError("weight")
        self.assertEqual(self.reasons(), ["oom", "exception"])

    def test_the_exception_is_written_where_the_failure_itself_could_not_be(self):
        with self.assertRaises(self.torch.cuda.OutOfMemoryError), self.recorder.record():
            self.fake.dump_error = OSError(28, "No space left on device")
            try:
                self.fake.run_out_of_memory()
            finally:
                self.fake.dump_error = None
        self.assertEqual(self.reasons(), ["exception"])

    def test_the_file_is_that_of_torch(self):
        self.record_out_of_memory()
        with open(os.path.join("memory", self.files()[0]), "rb") as file:
            self.assertEqual(file.read(), self.fake.content)

    def test_nothing_is_written_when_recording_has_ended(self):
        self.fake.initialise()
        with self.recorder.record():
            pass
        with self.assertRaises(self.torch.cuda.OutOfMemoryError):
            self.fake.run_out_of_memory()
        self.assertEqual(self.reasons(), ["end"])


class EndOfTheProcess(RecorderCase):
    """What was started is written when the interpreter ends."""

    def left_behind(self, end):
        script = Script("import torch\nfrom highwater_gpu import record\nrecord().start()\ntorch.fake.initialise()\n" + end)
        script.end()
        return self.reasons()

    def test_writes_end(self):
        self.assertEqual(self.left_behind(""), ["end"])

    def test_writes_end_after_sys_exit(self):
        self.assertEqual(self.left_behind("raise SystemExit(0)"), ["end"])

    def test_writes_exception_after_an_exception(self):
        self.assertEqual(self.left_behind("raise KeyError('weight')"), ["exception"])

    def test_writes_no_second_file_after_an_out_of_memory(self):
        self.assertEqual(self.left_behind("torch.fake.run_out_of_memory()"), ["oom"])

    def test_leaves_the_history_on_for_a_rehearsal(self):
        script = Script("import atexit, torch\nfrom highwater_gpu import record\n"
                        "atexit.register(lambda: print(torch.fake.log[-1]))\nrecord().start()\ntorch.fake.initialise()\n")
        script.end()
        self.assertEqual(script.rest(), ["dumped"])


if __name__ == "__main__":
    unittest.main()
