"""Marks of steps and phases, and snapshots that steps ask for."""
import unittest

from support import RecorderCase, stand_alone_too


@stand_alone_too
class Steps(RecorderCase):
    def setUp(self):
        super().setUp()
        self.fake.initialise()

    def test_steps_have_the_names_of_torchs_profiler(self):
        with self.recorder.record():
            for _ in range(3):
                self.recorder.step()
            self.assertEqual(self.fake.begun, ["ProfilerStep#0", "ProfilerStep#1", "ProfilerStep#2"])

    def test_a_step_ends_where_the_next_one_begins(self):
        with self.recorder.record():
            self.recorder.step()
            self.assertEqual(self.fake.ended, [])
            self.recorder.step()
            self.assertEqual(self.fake.ended, ["ProfilerStep#0"])

    def test_a_step_around_a_block_ends_with_it(self):
        with self.recorder.record():
            with self.recorder.step():
                self.assertEqual(self.recorder.current_step(), 0)
            self.assertEqual(self.fake.ended, ["ProfilerStep#0"])
            self.assertIsNone(self.recorder.current_step())

    def test_a_step_ends_once(self):
        with self.recorder.record():
            with self.recorder.step():
                self.recorder.end_step()
            self.recorder.step()
        self.assertEqual(self.fake.ended, ["ProfilerStep#0", "ProfilerStep#1"])

    def test_a_step_has_the_number_that_it_is_given(self):
        with self.recorder.record():
            self.recorder.step(500)
            self.assertEqual(self.recorder.current_step(), 500)

    def test_counting_goes_on_from_a_number(self):
        with self.recorder.record():
            self.recorder.step(500)
            self.recorder.step()
            self.assertEqual(self.fake.begun, ["ProfilerStep#500", "ProfilerStep#501"])

    def test_a_step_that_fails_is_open_when_the_snapshot_is_written(self):
        self.fake.during_dump = lambda path: self.assertEqual(self.recorder.current_step(), 0)
        with self.assertRaises(self.torch.cuda.OutOfMemoryError), self.recorder.record():
            with self.recorder.step():
                self.fake.run_out_of_memory()
        self.assertEqual(self.reasons(), ["oom-step0"])

    def test_a_step_that_fails_is_in_the_name_of_the_exception(self):
        with self.assertRaises(KeyError), self.recorder.record():
            for number in range(3):
                with self.recorder.step():
                    if number == 2:
                        raise KeyError("weight")
        self.assertEqual(self.reasons(), ["exception-step2"])

    def test_a_step_that_failed_ends_with_the_recording(self):
        with self.assertRaises(KeyError), self.recorder.record(), self.recorder.step():
            raise KeyError("weight")
        self.assertEqual(self.fake.ended, ["ProfilerStep#0"])

    def test_a_step_whose_failure_was_caught_ends_where_the_next_one_begins(self):
        with self.recorder.record():
            try:
                with self.recorder.step():
                    raise KeyError("weight")
            except KeyError:
                pass
            self.recorder.step()
            self.assertEqual(self.fake.ended, ["ProfilerStep#0"])


@stand_alone_too
class Phases(RecorderCase):
    def test_a_phase_has_its_name_and_ends_with_its_block(self):
        with self.recorder.record():
            with self.recorder.phase("rollout"):
                self.assertEqual((self.fake.begun, self.fake.ended), (["rollout"], []))
            self.assertEqual(self.fake.ended, ["rollout"])

    def test_a_phase_ends_where_it_fails(self):
        with self.assertRaises(KeyError), self.recorder.record(), self.recorder.phase("rollout"):
            raise KeyError("weight")
        self.assertEqual(self.fake.ended, ["rollout"])

    def test_phases_lie_in_steps(self):
        with self.recorder.record(), self.recorder.step(), self.recorder.phase("rollout"):
            pass
        self.assertEqual(self.fake.begun, ["ProfilerStep#0", "rollout"])
        self.assertEqual(self.fake.ended, ["rollout", "ProfilerStep#0"])


@stand_alone_too
class NothingRecorded(RecorderCase):
    def test_a_step_does_nothing(self):
        self.recorder.step()
        with self.recorder.step(3):
            self.recorder.end_step()
        self.assertEqual(self.fake.begun, [])

    def test_a_phase_does_nothing(self):
        with self.recorder.phase("rollout"):
            pass
        self.assertEqual(self.fake.begun, [])

    def test_an_exception_passes_through_a_step(self):
        with self.assertRaises(KeyError), self.recorder.step():
            raise KeyError("weight")


@stand_alone_too
class SnapshotsOfSteps(RecorderCase):
    def setUp(self):
        super().setUp()
        self.fake.initialise()

    def test_every_writes_after_so_many_steps(self):
        with self.recorder.record(every=2, keep=9):
            for _ in range(5):
                with self.recorder.step():
                    pass
            self.assertEqual(self.reasons(), ["every-step1", "every-step3"])

    def test_every_writes_where_only_beginnings_are_marked(self):
        with self.recorder.record(every=2):
            for _ in range(4):
                self.recorder.step()
            self.assertEqual(self.reasons(), ["every-step1"])

    def test_every_writes_after_the_last_step_too(self):
        with self.recorder.record(every=2):
            self.recorder.step()
            self.recorder.step()
        self.assertEqual(self.reasons(), ["every-step1", "end-step1"])

    def test_a_step_that_fails_is_none_that_is_done(self):
        with self.assertRaises(KeyError), self.recorder.record(every=1), self.recorder.step():
            raise KeyError("weight")
        self.assertEqual(self.reasons(), ["exception-step0"])

    def test_a_window_writes_after_its_last_step(self):
        with self.recorder.record(window=(1, 2)):
            for _ in range(5):
                with self.recorder.step():
                    pass
            self.assertEqual(self.reasons(), ["window-step2"])

    def test_a_window_forgets_what_came_before(self):
        with self.recorder.record(window=(1, 2)):
            self.recorder.step()
            self.assertEqual(self.fake.log.count("history off"), 0)
            self.recorder.step()
            self.assertEqual(self.fake.log[-2:], ["history off", ("history", "all", "python", 1_000_000)])

    def test_a_window_has_the_marks_of_all_its_steps(self):
        with self.recorder.record(window=(1, 2)):
            for _ in range(3):
                with self.recorder.step():
                    pass
            self.assertEqual(self.fake.annotations, ["ProfilerStep#1", "ProfilerStep#2"])


@stand_alone_too
class Nesting(RecorderCase):
    def setUp(self):
        super().setUp()
        self.fake.initialise()

    def test_a_recorder_inside_of_another_does_nothing(self):
        with self.recorder.record():
            before = list(self.fake.log)
            with self.recorder.record("inner"):
                pass
            self.assertEqual(self.fake.log, before)
        self.assertEqual((self.files("inner"), self.reasons()), ([], ["end"]))

    def test_the_outer_recorder_goes_on_after_an_inner_one_fails(self):
        with self.recorder.record():
            with self.assertRaises(KeyError), self.recorder.record("inner"):
                raise KeyError("weight")
            self.assertTrue(self.recorder.is_recording())

    def test_a_decorated_function_gives_its_value(self):
        @self.recorder.record()
        def add(a, b):
            return a + b

        self.assertEqual(add(2, b=3), 5)

    def test_a_decorated_function_is_recorded_each_time(self):
        @self.recorder.record()
        def train():
            self.recorder.step()

        train()
        train()
        self.assertEqual(self.reasons(), ["end-step0", "end-step0"])

    def test_a_decorated_function_keeps_the_options(self):
        options = {"folder": "other", "every": 1, "window": (0, 0), "keep": 5, "max_entries": 9, "stacks": "all",
                   "on_signal": None, "diagnose": False}

        @self.recorder.record(**options)
        def train():
            return vars(self.recorder._active)

        self.assertEqual({name: train()[name] for name in options}, options)

    def test_a_recorder_that_is_used_twice_counts_its_steps_anew(self):
        recording = self.recorder.record()
        for _ in range(2):
            with recording:
                self.recorder.step()
        self.assertEqual(self.fake.begun, ["ProfilerStep#0", "ProfilerStep#0"])


if __name__ == "__main__":
    unittest.main()
