"""What Python says of recordings: the words and figures of the program."""
import dataclasses
import html
import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

from support import PACKAGE, SAMPLES, FolderCase

SNAPSHOTS = SAMPLES / "pytorch-snapshot"
BEFORE, AFTER = SNAPSHOTS / "r1-grpo-before.pickle.zst", SNAPSHOTS / "r1-grpo-after.pickle.zst"
SPECIMENS = (BEFORE, SNAPSHOTS / "clean-attention.pickle.zst", SNAPSHOTS / "two-devices.pickle.zst", SAMPLES / "ranks",
             SAMPLES / "runs" / "two-ranks-oom", SAMPLES / "logs" / "r4-verl-before.err", SAMPLES / "kineto")
NOTHING = SAMPLES / "nsys" / "no-memory-table-3.25.0.sqlite"


def program_says(*words):
    done = subprocess.run(["highwater", *map(str, words), "--json", "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False, encoding="utf-8")
    return json.loads(done.stdout)


class AskingCase(FolderCase):
    def setUp(self):
        super().setUp()
        sys.path.insert(0, str(PACKAGE))
        self.addCleanup(sys.path.remove, str(PACKAGE))
        for name in [name for name in sys.modules if name.split(".")[0] == "highwater_gpu"]:
            del sys.modules[name]
        import highwater_gpu

        self.package = highwater_gpu

    def assert_fails(self, sentence, exit_code, ask, *words):
        with self.assertRaises(self.package.HighwaterError) as raised:
            ask(*words)
        self.assertRegex(str(raised.exception), sentence)
        self.assertEqual(raised.exception.exit_code, exit_code)

    def assert_is_page(self, shown, heading):
        """One frame whose attribute is a whole page, with the timeline in it."""
        found = re.fullmatch(r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts" title="Highwater" style="[^"]*"></iframe>', shown)
        self.assertIsNotNone(found, shown[:200])
        page = html.unescape(found.group(1))
        self.assertTrue(page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>"))
        self.assertIn('id="timeline"', page)
        self.assertIn(heading, page)

    def assert_is_diagnosis(self, diagnosis, said):
        place = diagnosis.place and dataclasses.asdict(diagnosis.place)
        plain = {key: value for key, value in dataclasses.asdict(diagnosis).items() if key not in ("kind", "place")}
        self.assertEqual((diagnosis.kind, place), (said["class"], said["place"]))
        self.assertEqual(plain, {key: said[key] for key in plain})


class Analyze(AskingCase):
    def test_the_diagnosis_is_the_programs(self):
        for path in SPECIMENS:
            with self.subTest(path.name):
                self.assert_is_diagnosis(self.package.analyze(path).diagnosis, program_says("findings", path)["diagnosis"])

    def test_a_diagnosis_is_its_sentence(self):
        diagnosis = self.package.analyze(BEFORE).diagnosis
        self.assertEqual(str(diagnosis), diagnosis.sentence)
        self.assertTrue(str(diagnosis).startswith("Memory leaks 1.07 GiB per step, mostly from policy_log_probs (trainer.py:186): 14.89 GiB of the peak"))

    def test_the_place_is_a_line_of_the_users_code(self):
        place = self.package.analyze(BEFORE).diagnosis.place
        self.assertEqual(place, self.package.Place("/workspace/grpo/model.py", 54, "forward"))

    def test_findings_are_in_the_order_to_read_them_in(self):
        for path in SPECIMENS:
            with self.subTest(path.name):
                said = sorted(program_says("findings", path)["findings"], key=lambda finding: finding["rank"])
                found = self.package.analyze(path).findings
                self.assertEqual([finding.title for finding in found], [finding["title"] for finding in said])

    def test_findings_have_the_programs_figures(self):
        names = ("rule", "grade", "kind", "bytes", "step", "remedy", "saved_bytes", "path")
        said = {finding["title"]: finding for finding in program_says("findings", BEFORE)["findings"]}
        for finding in self.package.analyze(BEFORE).findings:
            self.assertEqual([getattr(finding, name) for name in names], [said[finding.title][name] for name in names])
            self.assertEqual(list(finding.evidence), said[finding.title]["evidence"])

    def test_the_document_is_all_that_the_program_printed(self):
        self.assertEqual(self.package.analyze(BEFORE).document, program_says("findings", BEFORE))

    def test_options_are_the_programs(self):
        found = self.package.analyze(SAMPLES / "ranks", "--rank", "1", "--only", "peak-summary")
        self.assertEqual({finding.rule for finding in found.findings}, {"peak-summary"})

    def test_several_files_are_one_run(self):
        files = sorted(str(path) for path in (SAMPLES / "ranks").iterdir())
        self.assertEqual(self.package.analyze(files).document["run"]["ranks"], 4)

    def test_paths_are_text_or_objects(self):
        self.assertEqual(self.package.analyze(str(BEFORE)), self.package.analyze(BEFORE))

    def test_nothing_examined_is_a_result(self):
        found = self.package.analyze(NOTHING)
        self.assertEqual((found.diagnosis.kind, found.findings), ("nothing-examined", ()))

    def test_a_notebook_shows_the_timeline(self):
        self.assert_is_page(self.package.analyze(BEFORE)._repr_html_(), "GPU memory of r1-grpo-before")

    def test_a_notebook_shows_a_result_without_figures_too(self):
        shown = self.package.analyze(NOTHING)._repr_html_()
        self.assertTrue(shown is None or "<" in shown)


class Diff(AskingCase):
    def test_the_rows_sum_to_the_difference(self):
        for options in ((), ("--group", "site"), ("--group", "category"), ("--step-before", "2", "--step-after", "2")):
            with self.subTest(options):
                change = self.package.diff(BEFORE, AFTER, *options)
                self.assertEqual(sum(row.delta_bytes for row in change.rows), change.delta_bytes)
                self.assertEqual(change.after_bytes - change.before_bytes, change.delta_bytes)

    def test_each_row_is_a_difference(self):
        for row in self.package.diff(BEFORE, AFTER).rows:
            self.assertEqual(row.after_bytes - row.before_bytes, row.delta_bytes)

    def test_words_and_figures_are_the_programs(self):
        change, said = self.package.diff(BEFORE, AFTER), program_says("diff", BEFORE, AFTER)
        self.assertEqual((change.headline, change.delta_bytes), (said["verdict"]["headline"], said["delta_bytes"]))
        self.assertEqual([row.key for row in change.rows], [row["key"] for row in said["rows"]])
        self.assert_is_diagnosis(change.before, said["before"]["diagnosis"])
        self.assert_is_diagnosis(change.after, said["after"]["diagnosis"])

    def test_folders_are_runs(self):
        change = self.package.diff(SAMPLES / "runs" / "four-ranks-one-fails", SAMPLES / "runs" / "two-ranks-oom")
        self.assertEqual(change.after_bytes - change.before_bytes, change.delta_bytes)

    def test_two_logs_are_compared(self):
        logs = SAMPLES / "logs"
        change = self.package.diff(logs / "r4-verl-before.err", logs / "r4-verl-after.err")
        self.assertEqual(change.before.kind, "gpu-oom-above-capacity")

    def test_more_than_two_runs_are_refused(self):
        with self.assertRaises(ValueError):
            self.package.diff([BEFORE, AFTER], AFTER)

    def test_a_notebook_shows_the_timeline(self):
        self.assert_is_page(self.package.diff(BEFORE, AFTER)._repr_html_(), "r1-grpo-after")


class Failures(AskingCase):
    def test_a_missing_file_is_told_in_the_programs_words(self):
        self.assert_fails(r"^missing\.pickle: cannot be opened: No such file", 3, self.package.analyze, "missing.pickle")

    def test_a_missing_file_of_a_comparison_is_told_too(self):
        self.assert_fails(r"^missing\.pickle: cannot be opened", 3, self.package.diff, "missing.pickle", AFTER)

    def test_an_empty_folder_is_told(self):
        self.assert_fails("has no recording", 3, self.package.analyze, ".")

    def test_a_wrong_option_is_told(self):
        self.assert_fails("has no option --nonsense", 2, self.package.analyze, BEFORE, "--nonsense")

    def test_a_file_whose_name_is_like_an_option_is_told(self):
        os.symlink(BEFORE, "-before.pickle.zst")
        self.assert_fails(r"as \./-before\.pickle\.zst", 2, self.package.analyze, "-before.pickle.zst")

    def test_no_program_is_told(self):
        os.environ["PATH"] = ""
        self.assert_fails("the program highwater is not installed", 127, self.package.analyze, BEFORE)

    def test_a_program_that_cannot_be_started_is_told(self):
        Path("highwater").write_bytes(b"\x7fELF")
        Path("highwater").chmod(0o755)
        os.environ["PATH"] = self.base
        with self.assertRaises(self.package.HighwaterError):
            self.package.analyze(BEFORE)

    def test_no_program_is_told_of_a_page_too(self):
        shown = self.package.analyze(BEFORE)
        os.environ["PATH"] = ""
        with self.assertRaises(self.package.HighwaterError):
            shown._repr_html_()


class Rehearse(AskingCase):
    def test_a_command_that_is_no_python_is_told(self):
        self.assert_fails("without starting a Python that imports PyTorch", 2, self.package.rehearse, "false", "L4")

    def test_a_gpu_that_is_unknown_is_told(self):
        self.assert_fails('there is no GPU "NoSuchGpu"', 2, self.package.rehearse, "train.py", "NoSuchGpu")

    def rehearsed(self, document, *words, **options):
        """What comes out where the program prints this; the words that it was given are in self.words."""
        Path("answer.json").write_text(json.dumps(document), encoding="utf-8")
        Path("highwater").write_text(f"#!{sys.executable}\nimport sys\nfrom pathlib import Path\n"
                                     "Path('words.txt').write_text('\\n'.join(sys.argv[1:]))\n"
                                     "print(Path('answer.json').read_text())\nprint('step 1', file=sys.stderr)\n",
                                     encoding="utf-8")
        Path("highwater").chmod(0o755)
        os.environ["PATH"] = self.base
        result = self.package.rehearse(*words, **options)
        self.words = Path("words.txt").read_text(encoding="utf-8").splitlines()
        return result

    ANSWER = {"verdict": "fits", "complete": True, "gaps": [], "inexact": ["the work space of cuFFT is estimated"],
              "diagnosis": None, "processes": [{"path": "a.pickle", "rank": 1, "devices": [
        {"device": 0, "verdict": "fits", "peak_bytes": 3, "reserved_peak_bytes": 4, "spare_bytes": 5}]}]}

    def test_a_script_is_run_by_this_python(self):
        self.rehearsed(self.ANSWER, "train.py --batch-size 8", "L4")
        self.assertEqual(self.words[self.words.index("--"):], ["--", sys.executable, "train.py", "--batch-size", "8"])

    def test_a_command_stays_as_it_is(self):
        self.rehearsed(self.ANSWER, ["torchrun", "--nproc-per-node", "2", Path("train.py")], "L4", "--gpus", "2")
        self.assertEqual(self.words[self.words.index("--"):], ["--", "torchrun", "--nproc-per-node", "2", "train.py"])
        self.assertEqual(self.words[:3], ["rehearse", "--gpu", "L4"])
        self.assertEqual(self.words[self.words.index("--gpus") + 1], "2")

    def test_snapshots_lie_where_they_are_asked_for(self):
        for options in (("-o", "kept.pickle"), ("--out", "kept.pickle"), ("--out=kept.pickle",)):
            with self.subTest(options):
                self.rehearsed(self.ANSWER, "train.py", "L4", *options)
                self.assertEqual([word for word in self.words if "pickle" in word], [options[-1]])

    def test_the_answer_has_the_programs_figures(self):
        answer = self.rehearsed(self.ANSWER, "train.py", "L4")
        (device,) = answer.devices
        self.assertEqual((device.rank, device.device, device.verdict, device.peak_bytes), (1, 0, "fits", 3))
        self.assertEqual((device.reserved_peak_bytes, device.spare_bytes), (4, 5))
        self.assertEqual((answer.snapshots, answer.output), (("a.pickle",), "step 1\n"))
        self.assertEqual((answer.gaps, answer.inexact), ((), ("the work space of cuFFT is estimated",)))

    def test_fits_is_told_where_it_is_known(self):
        for verdict, complete, fits in (("fits", True, True), ("does-not-fit", True, False), ("too-close", True, None),
                                        ("failed", True, None), (None, True, None), ("fits", False, None)):
            with self.subTest(verdict=verdict, complete=complete):
                answer = self.rehearsed({**self.ANSWER, "verdict": verdict, "complete": complete}, "train.py", "L4")
                self.assertIs(answer.fits, fits)

    def test_a_rehearsal_without_snapshots_can_be_shown(self):
        answer = self.rehearsed({**self.ANSWER, "verdict": None, "processes": []}, "train.py", "L4")
        Path("highwater").write_text("#!/bin/sh\necho 'highwater: report needs a FILE' >&2\nexit 2\n", encoding="utf-8")
        shown = answer._repr_html_()
        self.assertTrue(shown is None or "<" in shown)


if __name__ == "__main__":
    unittest.main()
