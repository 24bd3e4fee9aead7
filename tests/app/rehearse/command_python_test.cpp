#include "app/rehearse/command_python.h"

#include <gtest/gtest.h>

#include "core/base/text_parts.h"
#include "tests/app/rehearse/fake_torch.h"

namespace highwater::rehearse {

using test::FakeTorch;
using test::ProgramRun;

namespace {

/// Rehearses a command in the folder of a fake PyTorch package.
ProgramRun rehearsedBy(const FakeTorch& torch, const std::vector<std::string>& command)
{
    std::vector<std::string> words{"rehearse", "--gpu", "L4", "-o", torch.snapshot(), "--force", "--"};
    words.insert(words.end(), command.begin(), command.end());
    return test::runHighwater(words, {.environment = torch.environment()});
}

std::string refusal(const std::vector<std::string>& command)
{
    const auto python = findPython(command);
    return python ? "" : python.error().message;
}

std::string script(const std::string& name, const std::string& text)
{
    static const test::TemporaryFolder folder;
    return folder.write(name, text);
}

} // namespace

TEST(CommandPython, IsTheFirstWord)
{
    EXPECT_EQ(findPython({"/bin/sh", "-c", "exit 3"}).has_value(), false);
    EXPECT_TRUE(startsPythonItself({"sh", "train.sh"}));
    EXPECT_FALSE(startsPythonItself({"python-that-is-not-there", "train.py"}));
}

TEST(CommandPython, IsTheOneThatAShellStarts)
{
    SKIP_WITHOUT_PYTHON();
    const FakeTorch torch;
    const std::string train = script("train.py", "import torch\ntorch.alloc(256 << 20)\n");
    const ProgramRun run
        = rehearsedBy(torch, {"sh", script("run.sh", "echo begins\npython3 " + train + " | cat\n")});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "fits: 256 MiB")) << run.out;
    EXPECT_TRUE(contains(run.err, "sh starts Python itself")) << run.err;
    // Output of the shell before the import must appear only once, from the run that is judged.
    EXPECT_EQ(run.out.find("begins"), run.out.rfind("begins"));
}

TEST(CommandPython, IsLookedForUpToTheImportOnly)
{
    SKIP_WITHOUT_PYTHON();
    const FakeTorch torch;
    const std::string log = (torch.folder() / "log").string();
    const std::string train = script("logged.py",
        "open('" + log + "', 'a').write('begin ')\nimport torch\ntorch.alloc(1 << 20)\nopen('" + log
            + "', 'a').write('end ')\n");
    rehearsedBy(torch, {"sh", "-c", "python3 " + train + "; echo after >> " + log});
    EXPECT_EQ(test::readWholeFile(log), "begin begin end after\n");
}

TEST(CommandPython, IsRefusedWhereNoneImportsPyTorch)
{
    SKIP_WITHOUT_PYTHON();
    EXPECT_TRUE(contains(refusal({"sh", "-c", "exit 3"}), "exit code 3"));
}

TEST(CommandPython, IsRefusedInOneSentence)
{
    EXPECT_TRUE(contains(refusal({"train.ipynb"}), "jupyter nbconvert --to script train.ipynb"));
    EXPECT_TRUE(contains(refusal({"python3", "train.ipynb"}), "train.ipynb is a notebook"));
    EXPECT_EQ(refusal({"no-such-program"}), "no-such-program is not found");
    EXPECT_EQ(refusal({"/"}), "/ is a folder, not a command");
    const std::string shell = script("run_train.sh", "true");
    EXPECT_TRUE(refusal({shell}).ends_with("put bash before it"));
    const std::string python = script("train.py", "");
    EXPECT_TRUE(refusal({python}).ends_with("put python before it"));
}

} // namespace highwater::rehearse
