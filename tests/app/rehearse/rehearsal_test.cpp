#include "app/rehearse/rehearsal.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "app/rehearse/installed_torch.h"
#include "core/base/json.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::rehearse {

namespace {

namespace fs = std::filesystem;

/// A folder with a "python" that prints this text when it is probed.
class FakePython
{
public:
    explicit FakePython(const std::string& answer)
    {
        std::string path = (fs::temp_directory_path() / "highwater-python-XXXXXX").string();
        m_folder = ::mkdtemp(path.data());
        std::ofstream(python()) << "#!/bin/sh\ncat <<'END'\n" << answer << "\nEND\n";
        fs::permissions(python(), fs::perms::owner_all);
    }
    ~FakePython() { fs::remove_all(m_folder); }
    FakePython(const FakePython&) = delete;
    FakePython& operator=(const FakePython&) = delete;
    std::string python() const { return m_folder / "python3"; }

private:
    fs::path m_folder;
};

std::string probeOf(const std::string& cuda)
{
    return "a line of some sitecustomize\n"
           R"(highwater-probe:{"python": "/p", "folder": "/t/torch", "version": "2.6.0", "cuda": )"
        + cuda
        + R"(, "needs": {"cudnn": "9.1.0.70", "nccl": "2.21.5"}, "libraries": ["/t/torch/lib/libc10_cuda.so"]})";
}

std::string refusalOf(const std::string& answer)
{
    const FakePython fake(answer);
    const auto torch = findInstalledTorch({fake.python(), "train.py"});
    return torch ? "" : torch.error().message;
}

/// Returns a Python that has a CUDA build of PyTorch: HIGHWATER_TEST_TORCH_PYTHON, else the usual one.
std::optional<std::string> pythonWithTorch()
{
    const char* named = std::getenv("HIGHWATER_TEST_TORCH_PYTHON");
    const std::string python = named ? named : "python3";
    return findInstalledTorch({python}) ? std::optional(python) : std::nullopt;
}

} // namespace

TEST(InstalledTorch, IsWhatTheCommandsPythonSays)
{
    const FakePython fake(probeOf(R"("12.4")"));
    const auto torch = findInstalledTorch({fake.python(), "train.py"});
    ASSERT_TRUE(torch) << torch.error().message;
    EXPECT_EQ(torch->cudaVersion, 12040);
    EXPECT_EQ(torch->cudnnVersion, 90100);
    EXPECT_EQ(torch->ncclVersion, 22105);
    EXPECT_EQ(torch->folder, "/t/torch");
}

TEST(InstalledTorch, RefusesInOneSentence)
{
    EXPECT_TRUE(
        test::hasParts(refusalOf("highwater-probe:{}"), {"no PyTorch", "pip install --no-deps torch"}));
    EXPECT_TRUE(test::hasParts(refusalOf(probeOf("null")), {"PyTorch 2.6.0", "without CUDA"}));
    EXPECT_TRUE(test::hasParts(refusalOf(probeOf(R"("11.8")")), {"PyTorch 2.6.0", "CUDA 11.8", "12 and 13"}));
    EXPECT_EQ(findInstalledTorch({"no-such-program-anywhere"}).error().message,
        "no-such-program-anywhere is not found");
    EXPECT_TRUE(
        test::hasParts(findInstalledTorch({"/bin/cat"}).error().message, {"/bin/cat", "exit code 0"}));
}

TEST(InstalledTorch, RefusesAnAnswerThatIsNone)
{
    EXPECT_NE(refusalOf("hello").find("does not report what is installed"), std::string::npos);
    EXPECT_NE(refusalOf("highwater-probe:{\"folder\": 5").find("does not report"), std::string::npos);
}

TEST(InstalledTorch, IsFoundByTheInterpreterOfAScript)
{
    const FakePython fake(probeOf(R"("13.0")"));
    const std::string script = fs::path(fake.python()).parent_path() / "torchrun";
    std::ofstream(script) << "#!" << fake.python() << "\n";
    fs::permissions(script, fs::perms::owner_all);
    const auto torch = findInstalledTorch({script, "train.py"});
    ASSERT_TRUE(torch) << torch.error().message;
    EXPECT_EQ(torch->cudaVersion, 13000);
}

TEST(InstalledTorch, IsFoundBesideScriptsWithTheNamesOfModules)
{
    if (std::system("python3 -c 'import json' 2>/dev/null") != 0)
        GTEST_SKIP() << "no python3";
    const test::TemporaryFolder folder;
    for (const char* name : {"json.py", "re.py", "runpy.py"})
        folder.write(name, "raise SystemExit('the user\'s own')\n");
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    const auto torch = findInstalledTorch({"python3"});
    fs::current_path(before);
    EXPECT_TRUE(torch || torch.error().message.find("does not report") == std::string::npos)
        << torch.error().message;
}

TEST(Rehearsal, DoesNotRunWithinAnother)
{
    RehearsalRequest request;
    request.command = {"python3", "train.py"};
    ::setenv("HIGHWATER_REHEARSAL", "settings.json", 1);
    const auto result = rehearse(request);
    ::unsetenv("HIGHWATER_REHEARSAL");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "a rehearsal cannot run within another");
}

TEST(RehearseCommand, RefusesAGpuThatItDoesNotKnow)
{
    const auto run = test::runHighwater({"rehearse", "--gpu", "Voodoo", "--", "python3", "train.py"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.err.find("there is no GPU \"Voodoo\""), std::string::npos) << run.err;
}

TEST(RehearsedFile, SaysSoInInfoAndReport)
{
    std::string folder = (fs::temp_directory_path() / "highwater-rehearsed-XXXXXX").string();
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    const std::string file = folder + "/rehearsed.json";
    std::ofstream(file)
        << R"({"segments": [], "device_traces": [[{"action": "alloc", "addr": 4096, "size": 100, "stream": 0,)"
           R"( "time_us": 5, "frames": []}]], "highwater_rehearsal": {"gpu": "L4"}})";
    const std::string mark = "ehearsed on a simulated L4";
    EXPECT_NE(test::runHighwater({"info", file}).out.find(mark), std::string::npos);
    const auto report = test::runHighwater({"report", file, "-o", folder + "/report.md"});
    EXPECT_EQ(report.exitCode, 0) << report.err;
    std::ifstream written(folder + "/report.md");
    const std::string text((std::istreambuf_iterator<char>(written)), std::istreambuf_iterator<char>());
    EXPECT_NE(text.find(mark), std::string::npos) << text;
    fs::remove_all(folder);
}

namespace {

/// Rehearses this script on an L4. The exit code is 77 if there is no PyTorch.
test::ProgramRun rehearsed(const std::string& script)
{
    const std::optional<std::string> python = pythonWithTorch();
    if (!python)
        return {77, "", ""};
    const test::TemporaryFolder folder;
    return test::runHighwater({"rehearse", "--force", "--json", "--gpu", "L4", "-o",
        (folder.path() / "out.pickle").string(), "--", *python, folder.write("train.py", script)});
}

} // namespace

#define SKIP_WITHOUT_TORCH(run)                                                                              \
    if ((run).exitCode == 77)                                                                                \
    GTEST_SKIP() << "no Python with PyTorch's CUDA build (HIGHWATER_TEST_TORCH_PYTHON names one)"

TEST(Rehearsal, ReadsNothingOfATensorThatIsGone)
{
    const test::ProgramRun run = rehearsed(R"(
import torch
for _ in range(3):
    gone = torch.tensor([-100] * 64, device="cuda")
    del gone
    made = torch.randint(0, 5, (64,), device="cuda")
    assert made.tolist() == [0] * 64
    torch.bincount(made, minlength=5)  # refuses negative numbers
)");
    SKIP_WITHOUT_TORCH(run);
    EXPECT_EQ(run.exitCode, 4) << run.err; // values that the script reads may decide sizes
}

TEST(Rehearsal, ReadsWhatTheHostBroughtUntilAnOperatorChangesIt)
{
    const test::ProgramRun run = rehearsed(R"(
import torch
tensor = torch.tensor([5, 6], device="cuda")
assert tensor.tolist() == [5, 6] and tensor[1].item() == 6
tensor.fill_(9)
assert tensor.tolist() == [0, 0]
tensor.copy_(torch.tensor([7, 8]))
assert tensor.tolist() == [7, 8]
tensor += 1
assert tensor.clone().tolist() == [0, 0]
goes_on, turns = torch.tensor(True, device="cuda"), 0
while goes_on and turns < 9:
    turns += 1
    goes_on.fill_(False)
assert turns == 1
)");
    SKIP_WITHOUT_TORCH(run);
    EXPECT_EQ(run.exitCode, 4) << run.err;
}

TEST(Rehearsal, TakesTheArgumentsOfDistributionsForValid)
{
    const test::ProgramRun run = rehearsed(R"(
import torch
from torch.distributions import Categorical, ContinuousBernoulli, Geometric, Normal, VonMises, kl_divergence
half = torch.full((64,), 0.5, device="cuda")
drawn = Categorical(logits=torch.randn(64, 4, device="cuda"))
drawn.log_prob(drawn.sample())
normal = Normal(half, half, validate_args=True)
normal.log_prob(normal.sample())
kl_divergence(normal, Normal(half, half))
Geometric(half).sample()
ContinuousBernoulli(half).rsample()
VonMises(half, half).sample()
)");
    SKIP_WITHOUT_TORCH(run);
    EXPECT_EQ(run.exitCode, 0) << run.err << run.out;
}

TEST(Rehearsal, RecordsAStepOfTraining)
{
    const std::optional<std::string> python = pythonWithTorch();
    if (!python)
        GTEST_SKIP() << "no Python with PyTorch's CUDA build (HIGHWATER_TEST_TORCH_PYTHON names one)";
    std::string folder = (fs::temp_directory_path() / "highwater-rehearsal-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    std::ofstream(folder + "/train.py") << "import torch\n"
                                           "net = torch.nn.Linear(1024, 1024, device='cuda')\n"
                                           "opt = torch.optim.AdamW(net.parameters())\n"
                                           "for _ in range(3):\n"
                                           "    net(torch.randn(8, 1024, device='cuda')).sum().backward()\n"
                                           "    opt.step()\n"
                                           "    opt.zero_grad()\n";
    const auto run = test::runHighwater({"rehearse", "--force", "--json", "--gpu", "L4", "-o",
        folder + "/out.pickle", "--", *python, folder + "/train.py"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    const auto json = parseJson(run.out);
    EXPECT_EQ(json["verdict"], "fits");
    EXPECT_TRUE(json["complete"]);
    const auto info = test::runHighwater({"info", "--json", folder + "/out.pickle"});
    const auto file = parseJson(info.out)["files"][0];
    EXPECT_TRUE(test::hasParts(file["producer"]["rehearsed"].get<std::string>(), {"simulated L4"}));
    EXPECT_EQ(file["devices"][0]["initial_bytes"], 0);
    EXPECT_GT(file["devices"][0]["peak_bytes"], 16 << 20);
    fs::remove_all(folder);
}

#undef SKIP_WITHOUT_TORCH

} // namespace highwater::rehearse
