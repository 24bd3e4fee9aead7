// The verdict of a rehearsal on many small scripts.
#include <gtest/gtest.h>

#include "core/base/text_parts.h"
#include "tests/app/rehearse/fake_torch.h"

namespace highwater::cli {

namespace {

const std::string kTakesSome = "import torch\ntorch.alloc(256 << 20)\n";

/// Python code for the number of the current run, from a file in the rehearsal's folder that each run makes
/// longer.
const std::string kRunNumber = "import os\npath = os.path.join(os.environ['TMPDIR'], 'runs')\n"
                               "with open(path, 'a') as file: file.write('x')\nrun = os.path.getsize(path)\n";

struct Rehearsed
{
    const char* name;
    std::string script;
    int exitCode;
    std::vector<const char*> says;
    const char* never = nullptr; ///< a text that the answer must not contain
};

class RehearsedScript : public testing::TestWithParam<Rehearsed>
{
};

} // namespace

TEST_P(RehearsedScript, HasItsVerdict)
{
    SKIP_WITHOUT_PYTHON();
    const test::ProgramRun run = test::FakeTorch().run(GetParam().script, {"--force"});
    EXPECT_EQ(run.exitCode, GetParam().exitCode) << run.out << run.err;
    for (const char* text : GetParam().says)
        EXPECT_TRUE(contains(run.out + run.err, text)) << text << '\n' << run.out << run.err;
    if (GetParam().never) {
        EXPECT_FALSE(contains(run.out, GetParam().never)) << run.out;
    }
}

INSTANTIATE_TEST_SUITE_P(Verdicts, RehearsedScript,
    testing::Values(
        Rehearsed{"SaysThatTheRunFitsWhereItEndsWell", kTakesSome, 0, {"fits: 256 MiB reserved at the peak"}},
        Rehearsed{"NeverSaysFitsWhereTheCommandFailed", kTakesSome + "raise KeyError('labels')\n", 3,
            {"failed: ", "exit code 1", "256 MiB reserved"}, "fits"},
        Rehearsed{"HasNoVerdictWhereItWasStoppedBeforeTheFirstStep",
            kTakesSome + "import os, signal\nos.kill(os.getppid(), signal.SIGTERM)\nwhile True: pass\n", 130,
            {"before its first training step"}, "fits"},
        Rehearsed{"RecordsWhereALibraryAsksForTorchBeforeItsImport",
            "import importlib.util\nfor _ in range(2): assert importlib.util.find_spec('torch')\n"
                + kTakesSome,
            0, {"fits: 256 MiB"}},
        Rehearsed{"JudgesAScriptThatRecoversByHowItEnds",
            "import torch\n"
            "for size in (20 << 30, 16 << 30, 1 << 30):\n"
            "    held = torch.alloc(size)\n"
            "    try:\n"
            "        if size > 1 << 30: torch.run_out(8 << 30)\n"
            "    except torch.cuda.OutOfMemoryError: torch.free(held); torch.empty_cache()\n",
            0, {"  fits: 1 GiB reserved at the peak", "recovered from 2 out-of-memory errors"}},
        Rehearsed{"SaysThatARunFailedThatRecoveredFromMemoryBefore",
            "import torch\ntry: torch.run_out(8 << 30)\nexcept RuntimeError: pass\ntorch.alloc(1 << 20)\n"
            "raise KeyError('labels')\n",
            3, {"failed: "}},
        Rehearsed{"RepeatsTheRunWhereAValueIsReadBackAndFitsIfItChangesNothing",
            kTakesSome + "print('loss', torch.read_back())\n", 0,
            {"all allocations were the same", "loss 0\n"}, "loss 1"},
        Rehearsed{"IsUndecidedWhereAValueThatIsReadBackDecidesASize",
            kTakesSome + "torch.alloc(4096 + 4096 * torch.read_back())\n", 4,
            {"undecided: 256 MiB reserved at the peak", "values read back", "train.py:3: copy, 1 time"},
            "fits"},
        Rehearsed{"IsUndecidedWhereOtherValuesMakeTheCommandFail",
            kTakesSome + "if torch.read_back(): raise SystemExit(7)\n", 4,
            {"the command failed with exit code 7"}},
        Rehearsed{"IsUndecidedWhereTheCommandWentOnWithoutACallThatIsNotSimulated",
            kTakesSome + "import ctypes\nctypes.CDLL(None).highwaterUnknownCall(b'cudnnNoSuchLayer', 1)\n", 4,
            {"cudnnNoSuchLayer"}, "fits"},
        Rehearsed{"FitsWhereOnlyACallFailedThatWatches",
            kTakesSome + "import ctypes\nctypes.CDLL(None).highwaterUnknownCall(b'nvmlNoSuchCounter', 1)\n",
            0, {}},
        Rehearsed{"SaysWhatWorksWithoutACallThatIsNotSimulated",
            kTakesSome
                + "import ctypes\nctypes.CDLL(None).highwaterUnknownCall(b'cudnnNoSuchLayer', 1)\n1 / 0\n",
            3, {"torch.backends.cudnn.enabled = False"}},
        Rehearsed{"NamesWhatIsNotExact",
            kTakesSome
                + "import ctypes\nctypes.CDLL(None).cudnnGetCTCLossWorkspaceSize_v8(None, 0, None, None, "
                  "None, "
                  "ctypes.byref(ctypes.c_size_t()))\n",
            0, {"not exact: the work space of cuDNN's CTC loss"}},
        Rehearsed{"SaysThatMoreGpusAreWanted",
            kTakesSome
                + "import ctypes\nif ctypes.CDLL(None).cudaSetDevice(1): raise RuntimeError('ordinal')\n",
            3, {"cuda:1", "--gpus N"}}),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(Gaps, RehearsedScript,
    testing::Values(Rehearsed{"HoldAThreadThatFailed",
                        kTakesSome
                            + "import threading\ndef work(): raise KeyError('batch')\n"
                              "t = threading.Thread(target=work); t.start(); t.join()\n",
                        4, {"KeyError: 'batch'"}, "fits"},
        Rehearsed{"HoldWhatIsLeftOutWhenMemoryRunsOutAgainAndAgain",
            "import torch\ntorch.optim.Optimizer()\nfor _ in range(2):\n    try: torch.run_out(64 << 30)\n"
            "    except torch.cuda.OutOfMemoryError: pass\n    torch.optimizer_step()\n",
            4, {"memory ran out several times"}},
        Rehearsed{"FailsWhereAnExceptionEndsAsSuccess",
            "import atexit, os\natexit.register(lambda: os._exit(0))\n" + kTakesSome + "1 / 0\n", 3, {},
            "fits"},
        Rehearsed{"FailsWhereAProcessWasKilled",
            "import os, signal, subprocess, sys\n"
            "text = 'import os, torch; torch.alloc(1 << 20); os.kill(os.getpid(), 9)'\n"
            "subprocess.run([sys.executable, '-c', text])\n"
                + kTakesSome,
            3, {"was killed and left no snapshot"}},
        Rehearsed{"NamesTheSignalThatEndedTheCommand", kTakesSome + "import os\nos.kill(os.getpid(), 11)\n",
            3, {"signal 11"}},
        Rehearsed{"HoldAnOptimizerThatMadeNoStep",
            kTakesSome + "torch.optim.Optimizer()\nfor batch in []: torch.optimizer_step()\n", 4,
            {"not judged: an optimizer made no step"}},
        Rehearsed{"NamesFunctionsThatATrainerHandsWhatItReads",
            kTakesSome
                + "import os, sys, tempfile\n"
                  "folder = tempfile.mkdtemp()\n"
                  "os.mkdir(folder + '/transformers')\n"
                  "open(folder + '/transformers/__init__.py', 'w').close()\n"
                  "open(folder + '/transformers/trainer.py', 'w').write('''\n"
                  "import torch, types\n"
                  "class Trainer:\n"
                  "    callback_handler = types.SimpleNamespace(callbacks=[])\n"
                  "    def __init__(self, judge):\n"
                  "        self.reward_funcs = [judge]\n"
                  "        self.add_callback(None)\n"
                  "    def add_callback(self, callback): pass\n"
                  "    def train(self): torch.read_back()\n"
                  "''')\n"
                  "sys.path.insert(0, folder)\n"
                  "from transformers.trainer import Trainer\n"
                  "def judge(tokens): return 0\n"
                  "trainer = Trainer(judge)\n"
                  "trainer.train()\n",
            0, {"what judge decides"}},
        Rehearsed{"HoldAThreadThatEndsTheProcess",
            kTakesSome
                + "import os, threading\n"
                  "thread = threading.Thread(target=lambda: os._exit(0))\n"
                  "thread.start()\n"
                  "thread.join()\n",
            4, {"a thread ended the process"}},
        Rehearsed{"DoesNotFitWhereAProcessHasNoRoomForItsFirstAllocation",
            kTakesSome
                + "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import torch; "
                  "torch.run_out(64 << "
                  "30)'])\n",
            1, {}},
        Rehearsed{"AnswersForNvidiaSmi",
            kTakesSome
                + "import subprocess\nprint(subprocess.check_output(['nvidia-smi', "
                  "'--query-gpu=name,memory.total', "
                  "'--format=csv,noheader,nounits']).decode())\n",
            0, {"NVIDIA L4, 2"}},
        Rehearsed{"TakesNoFailureOfItsParentForThatOfAForkedProcess",
            kTakesSome
                + "import multiprocessing\ntry: 1 / 0\nexcept ZeroDivisionError:\n"
                  "    with multiprocessing.get_context('fork').Pool(1) as pool: pool.map(abs, [1])\n",
            0, {}},
        Rehearsed{"DoesNotFitWhereNoStepCameAfterMemoryRanOut",
            "import torch\ntorch.optim.Optimizer()\ntorch.optimizer_step()\n"
            "try: torch.run_out(64 << 30)\nexcept torch.cuda.OutOfMemoryError: torch.alloc(512)\n",
            1, {"does not fit"}}),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(Repetitions, RehearsedScript,
    testing::Values(Rehearsed{"SeesASizeThatHasALeastOne",
                        kTakesSome + "torch.alloc(4096 * max(64, torch.read_back()))\n", 4,
                        {"other numbers in place of 0"}},
        Rehearsed{"SeesHowManyDifferentValuesThereAre",
            kTakesSome + "for key in {torch.read_back() for _ in range(8)}: torch.alloc(4096)\n", 4, {}},
        Rehearsed{"TakesASmallValueWhereALargeOneFails", kTakesSome + "print('abc'[torch.read_back()])\n", 0,
            {"repeated with 1 in place of 0"}},
        Rehearsed{"SaysWhyTheCommandFailsWithOtherValues",
            kTakesSome + "if torch.read_back(): raise ValueError('no such class')\n", 4,
            {"exit code 1 (ValueError: no such class)"}},
        Rehearsed{"SaysThatMemoryRunsOutWithOtherValues",
            kTakesSome + "if torch.read_back(): torch.run_out(64 << 30)\n", 4,
            {"out of memory if they are other numbers"}},
        Rehearsed{"RescuesACommandThatZerosBreak", kTakesSome + "print(1 / torch.read_back())\n", 4,
            {"undecided: ", "exit code 1", "256 MiB reserved", "train.py:3: copy, 1 time"}},
        Rehearsed{"TellsFilesThatTheFirstRunWroteFromValues",
            kTakesSome + kRunNumber + "torch.read_back()\ntorch.alloc(8192 if run == 1 else 4096)\n", 0,
            {"the first run differs"}},
        Rehearsed{"TellsChanceFromValues",
            kTakesSome + kRunNumber + "torch.read_back()\ntorch.alloc(4096 * run)\n", 4,
            {"runs of the command allocate differently"}}),
    [](const auto& row) { return row.param.name; });

} // namespace highwater::cli
