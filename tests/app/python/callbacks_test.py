"""Callbacks of trainers; the trainers are made up."""
import pickle
import sys
import types
import unittest
from unittest import mock

from support import RecorderCase, stand_alone_too


class Trainer:
    """What the callbacks ask of a trainer: transformers calls it state, Lightning trainer."""

    def __init__(self, global_step=0):
        self.global_step = global_step


class CallbackCase(RecorderCase):
    modules = {}

    def setUp(self):
        super().setUp()
        self.fake.initialise()
        made = mock.patch.dict(sys.modules, {name: self.module(name) for name in self.modules})
        made.start()
        self.addCleanup(made.stop)

    def module(self, name):
        module = types.ModuleType(name)
        for member in self.modules[name]:
            setattr(module, member, type(member, (), {}))
        return module

    def callbacks(self):
        if self.is_one_file:
            return self.recorder
        import highwater_gpu

        return highwater_gpu


@stand_alone_too
class Transformers(CallbackCase):
    modules = {"transformers": ("TrainerCallback",)}

    def train(self, callback, steps):
        for number in steps:
            state = Trainer(number)
            callback.on_step_begin(None, state, None, model=None)
            state.global_step += 1  # the trainer counts before it tells of the end
            callback.on_step_end(None, state, None, model=None)

    def test_the_callback_is_one_of_the_trainers(self):
        self.assertIsInstance(self.callbacks().transformers_callback(), sys.modules["transformers"].TrainerCallback)

    def test_steps_have_the_trainers_numbers(self):
        with self.recorder.record():
            self.train(self.callbacks().transformers_callback(), (500, 501))
            self.assertEqual(self.fake.begun, ["ProfilerStep#500", "ProfilerStep#501"])

    def test_steps_end_where_the_trainers_end(self):
        with self.recorder.record():
            self.train(self.callbacks().transformers_callback(), (0,))
            self.assertEqual(self.fake.ended, ["ProfilerStep#0"])

    def test_recording_is_started_where_nothing_records(self):
        self.callbacks().transformers_callback(folder="other")
        self.assertTrue(self.recorder.is_recording())
        self.recorder.dump()
        self.assertEqual(self.reasons("other"), ["asked"])

    def test_recording_goes_on_where_something_records(self):
        with self.recorder.record() as recording:
            self.callbacks().transformers_callback(folder="other")
            self.assertIs(self.recorder._active, recording)

    def test_steps_are_counted_for_every(self):
        with self.recorder.record(every=2):
            self.train(self.callbacks().transformers_callback(), range(4))
            self.assertEqual(self.reasons(), ["every-step1", "every-step3"])


@stand_alone_too
class Lightning(CallbackCase):
    modules = {"lightning": (), "lightning.pytorch": ("Callback",)}

    def train(self, callback, batches, accumulated=1):
        trainer = Trainer()
        callback.setup(trainer, None, stage="fit")
        for number in range(batches):
            callback.on_train_batch_start(trainer, None, None, number)
            trainer.global_step += (number + 1) % accumulated == 0
            callback.on_train_batch_end(trainer, None, None, None, number)

    def test_the_callback_is_one_of_the_trainers(self):
        self.assertIsInstance(self.callbacks().lightning_callback(), sys.modules["lightning.pytorch"].Callback)

    def test_the_callback_is_one_of_the_older_package_where_only_that_is_imported(self):
        older = types.ModuleType("pytorch_lightning")
        older.Callback = type("Callback", (), {})
        with mock.patch.dict(sys.modules, pytorch_lightning=older):
            del sys.modules["lightning.pytorch"]
            self.assertIsInstance(self.callbacks().lightning_callback(), older.Callback)

    def test_steps_have_the_trainers_numbers(self):
        with self.recorder.record():
            self.train(self.callbacks().lightning_callback(), 3)
            self.assertEqual(self.fake.begun, ["ProfilerStep#0", "ProfilerStep#1", "ProfilerStep#2"])
            self.assertEqual(self.fake.ended, self.fake.begun)

    def test_batches_whose_gradients_are_accumulated_are_one_step(self):
        with self.recorder.record():
            self.train(self.callbacks().lightning_callback(), 4, accumulated=2)
            self.assertEqual(self.fake.begun, ["ProfilerStep#0", "ProfilerStep#1"])
            self.assertEqual(self.fake.ended, self.fake.begun)

    def test_a_validation_is_a_phase(self):
        callback = self.callbacks().lightning_callback()
        with self.recorder.record():
            callback.on_validation_start(Trainer(), None)
            self.assertEqual((self.fake.begun, self.fake.ended), (["validation"], []))
            callback.on_validation_end(Trainer(), None)
            self.assertEqual(self.fake.ended, ["validation"])

    def test_a_validation_where_nothing_records_does_nothing(self):
        callback = self.callbacks().lightning_callback()
        callback.on_validation_start(Trainer(), None)
        callback.on_validation_end(Trainer(), None)
        self.assertEqual(self.fake.begun, [])

    def test_recording_is_started_by_the_setup_where_nothing_records(self):
        callback = self.callbacks().lightning_callback(folder="other")
        self.assertFalse(self.recorder.is_recording())
        callback.setup(Trainer(), None, stage="fit")
        self.recorder.dump()
        self.assertEqual(self.reasons("other"), ["asked"])

    def test_the_callback_can_be_pickled_for_strategies_that_spawn(self):
        pickle.dumps(self.callbacks().lightning_callback())


if __name__ == "__main__":
    unittest.main()
