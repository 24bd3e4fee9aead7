"""How snapshots are named, which are kept, and what happens where they cannot be written."""
import os
import time
import unittest
from datetime import datetime, timedelta, timezone
from unittest import mock

from support import RecorderCase, Script, read_name, stand_alone_too


@stand_alone_too
class Names(RecorderCase):
    def setUp(self):
        super().setUp()
        self.fake.initialise()

    def only_name(self):
        with self.recorder.record():
            pass
        (name,) = self.files()
        return name

    def test_a_name_has_rank_reason_step_time_and_process(self):
        with mock.patch("time.strftime", return_value="20261127-163407"), self.recorder.record():
            self.recorder.step(4)
            self.recorder.dump()
            self.assertEqual(self.files(), [f"rank0-asked-step4-20261127-163407-{os.getpid()}.pickle"])

    def test_the_time_is_that_of_greenwich(self):
        os.environ["TZ"] = "XYZ-12"
        time.tzset()
        self.addCleanup(time.tzset)
        self.addCleanup(os.environ.pop, "TZ")
        made = datetime.strptime(read_name(self.only_name())["time"], "%Y%m%d-%H%M%S").replace(tzinfo=timezone.utc)
        self.assertLess(abs(datetime.now(timezone.utc) - made), timedelta(hours=1))

    def test_a_name_has_no_step_where_none_has_begun(self):
        self.assertRegex(self.only_name(), r"^rank0-end-\d{8}-\d{6}-\d+\.pickle$")

    def test_names_are_unique_within_one_second(self):
        with mock.patch("time.strftime", return_value="20261127-163407"), self.recorder.record(keep=5):
            paths = [self.recorder.dump() for _ in range(4)]
            self.assertEqual(sorted(os.path.join("memory", name) for name in self.files()), sorted(paths))
            self.assertEqual(len(set(paths)), 4)

    def test_the_rank_is_the_launchers(self):
        for variable in ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK"):
            with self.subTest(variable), mock.patch.dict(os.environ, {variable: "3"}), self.recorder.record(variable):
                name = os.path.basename(self.recorder.dump())
                self.assertEqual(read_name(name)["rank"], "3")

    def test_the_rank_of_torch_distributed_goes_first(self):
        os.environ["RANK"] = "3"
        self.fake.join_distributed(5)
        self.assertEqual(read_name(self.only_name())["rank"], "5")

    def test_the_rank_is_the_launchers_before_torch_distributed_is_initialised(self):
        os.environ["RANK"] = "3"
        self.fake.join_distributed(5).is_initialized = lambda: False
        self.assertEqual(read_name(self.only_name())["rank"], "3")

    def test_a_rank_that_cannot_be_told_does_not_end_the_run(self):
        def get_rank():
            raise ValueError("Default process group has not been initialized")

        self.fake.join_distributed(5).get_rank = get_rank
        with self.recorder.record():
            pass

    def test_the_folder_is_the_one_that_is_asked_for(self):
        with self.recorder.record(os.path.join("logs", "gpu")):
            pass
        self.assertEqual(self.reasons(os.path.join("logs", "gpu")), ["end"])


class TwoRanks(RecorderCase):
    def test_write_two_files_into_one_folder(self):
        text = "import torch\nfrom highwater_gpu import record\nwith record():\n    torch.fake.initialise()\n"
        for script in [Script(text, environment={"RANK": rank}) for rank in "01"]:
            self.assertEqual(script.end(), 0)
        self.assertEqual([read_name(name)["rank"] for name in self.files()], ["0", "1"])


@stand_alone_too
class Keeping(RecorderCase):
    def setUp(self):
        super().setUp()
        self.fake.initialise()

    def test_the_latest_files_of_a_reason_are_kept(self):
        with self.recorder.record(keep=2):
            paths = [self.recorder.dump() for _ in range(4)]
            self.assertEqual(sorted(os.path.join("memory", name) for name in self.files()), sorted(paths[2:]))

    def test_three_are_kept_where_nothing_else_is_asked_for(self):
        with self.recorder.record():
            for _ in range(5):
                self.recorder.dump()
            self.assertEqual(self.reasons(), ["asked"] * 3)

    def test_each_reason_is_counted_by_itself(self):
        with self.recorder.record(keep=1):
            for reason in ("a", "b", "a", "b"):
                self.recorder.dump(reason)
            self.assertEqual(self.reasons(), ["a", "b"])

    def test_files_of_other_processes_stay(self):
        os.mkdir("memory")
        other = os.path.join("memory", "rank0-asked-20261127-163407-1.pickle")
        with open(other, "wb"):
            pass
        with self.recorder.record(keep=1):
            for _ in range(3):
                self.recorder.dump()
        self.assertTrue(os.path.exists(other))

    def test_the_last_file_is_kept_where_none_is_asked_for(self):
        with self.recorder.record(keep=0):
            self.recorder.dump()
            self.assertEqual(self.reasons(), ["asked"])

    def test_a_file_that_somebody_has_removed_is_no_fault(self):
        with self.recorder.record(keep=1):
            os.remove(self.recorder.dump("a"))
            with mock.patch("time.strftime", return_value="20261127-163407"):
                self.assertIsNotNone(self.recorder.dump("a"))

    def test_many_failures_in_a_row_keep_no_more_files_than_asked_for(self):
        with self.recorder.record(keep=2):
            for _ in range(20):
                with self.assertRaises(self.torch.cuda.OutOfMemoryError):
                    self.fake.run_out_of_memory()
            self.assertEqual(self.reasons(), ["oom"] * 2)

    def test_many_failures_in_a_row_write_no_more_often_than_once_a_minute(self):
        with self.recorder.record(keep=2):
            for now in (100, 101, 102, 103, 162):
                with mock.patch("time.monotonic", return_value=now), self.assertRaises(self.torch.cuda.OutOfMemoryError):
                    self.fake.run_out_of_memory()
            self.assertEqual(self.fake.log.count("dumped"), 3)


@stand_alone_too
class Writing(RecorderCase):
    def setUp(self):
        super().setUp()
        self.fake.initialise()

    def test_half_of_a_file_never_has_the_final_name(self):
        def look(path):
            self.seen = self.files()

        self.fake.during_dump = look
        with self.recorder.record():
            pass
        self.assertEqual([name for name in self.seen if name.endswith(".pickle")], [])
        self.assertEqual(self.reasons(), ["end"])

    def test_a_file_that_fails_half_way_leaves_nothing(self):
        def fail(path):
            raise OSError(28, "No space left on device")

        self.fake.during_dump = fail
        with self.recorder.record():
            pass
        self.assertEqual(self.files(), [])
        self.assertRegex(self.said(), r"\[highwater, rank 0\] cannot write memory/rank0-end-\S+: .*No space left on device")

    def test_a_folder_that_cannot_be_made_is_told_and_the_run_goes_on(self):
        with open("file", "w", encoding="utf-8"):
            pass
        with self.recorder.record(os.path.join("file", "memory")):
            self.assertIsNone(self.recorder.dump())
        self.assertIn("cannot write file/memory/rank0-asked", self.said())

    def test_an_out_of_memory_passes_where_the_folder_cannot_be_made(self):
        with open("file", "w", encoding="utf-8"):
            pass
        self.record_out_of_memory(os.path.join("file", "memory"))
        self.assertIn("cannot write file/memory/rank0-oom", self.said())

    def test_an_allocator_without_snapshots_is_told_and_the_run_goes_on(self):
        self.fake.dump_error = RuntimeError("cudaMallocAsync does not yet support snapshot")
        self.record_out_of_memory()
        self.assertIn("cudaMallocAsync does not yet support snapshot", self.said())

    def test_a_standard_error_that_is_closed_does_not_end_the_run(self):
        with open("closed", "w", encoding="utf-8") as closed:
            pass
        with mock.patch("sys.stderr", closed), self.recorder.record():
            pass
        self.assertEqual(self.reasons(), ["end"])

    def test_a_standard_error_that_is_busy_does_not_end_the_run(self):
        busy = mock.Mock()
        busy.write.side_effect = RuntimeError("reentrant call inside <_io.BufferedWriter name='<stderr>'>")
        with mock.patch("sys.stderr", busy), self.recorder.record():
            pass
        self.assertEqual(self.reasons(), ["end"])

    def test_fx_traces_are_asked_for_where_torch_has_them(self):
        with self.recorder.record():
            pass
        self.assertEqual(self.fake.options_of_dumps, [{"augment_with_fx_traces": True}])

    def test_fx_traces_are_not_asked_for_where_torch_has_none(self):
        self.use_torch(augments=False)
        self.fake.initialise()
        with self.recorder.record():
            pass
        self.assertEqual(self.fake.options_of_dumps, [{}])


if __name__ == "__main__":
    unittest.main()
