// Compares complete documents, which each command writes for a small sample, with tests/golden/cli and
// tests/golden/report. Commands run in the samples' folder, so that all paths in the documents are relative.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/golden_file.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::test {

namespace {

constexpr const char* kHandChecked = "pytorch-snapshot/tiny-hand-checked.pickle.zst";

struct Command
{
    std::string golden; ///< the file in tests/golden
    std::vector<std::string> arguments;
    int exitCode = 0;
    std::string output = {}; ///< the file named by -o; empty if the command prints the document

    friend std::ostream& operator<<(std::ostream& out, const Command& command)
    {
        return out << command.golden;
    }
};

ProgramRun runOf(const Command& command, const TemporaryFolder& folder)
{
    std::vector<std::string> arguments = command.arguments;
    if (!command.output.empty())
        arguments.insert(arguments.end(), {"-o", (folder.path() / command.output).string()});
    // The user's settings, the date and the time zone must not affect the output.
    RunOptions options;
    options.folder = samplePath("");
    options.environment = {{"XDG_CONFIG_HOME", folder.path().string()}, {"SOURCE_DATE_EPOCH", "1790000000"},
        {"TZ", "UTC"}, {"LC_ALL", "C.UTF-8"}, {"NO_COLOR", "1"}};
    return runHighwater(arguments, options);
}

std::vector<Command> textCommands()
{
    return {
        {"cli/info-snapshot.txt", {"info", kHandChecked}},
        {"cli/info-segments-only.txt", {"info", "encodings/tiny-segments-only.pickle"}},
        {"cli/info-ranks.txt", {"info", "ranks"}},
        {"cli/info-kineto.txt", {"info", "kineto/tiny-addresses.pt.trace.json"}},
        {"cli/info-memory-timeline.txt", {"info", "memory-timeline/tiny-rows.raw.json"}},
        {"cli/info-cupti.txt", {"info", "cupti/tiny-cuda-12.txt"}},
        {"cli/info-nsys.txt", {"info", "nsys/two-ranks-two-cards-3.16.1.sqlite"}},
        {"cli/info-log.txt", {"info", "logs/r5-flan-t5-xl.log"}},
        {"cli/info-log-oom.txt", {"info", "logs/two-ranks-oom.log"}},
        {"cli/info-cut-off.txt", {"info", "broken/truncated.pickle"}, 4},
        {"cli/info-unreadable.txt", {"info", "broken/protocol-7.pickle", kHandChecked}, 3},
        {"cli/peaks.txt", {"peaks", kHandChecked}},
        {"cli/peaks-category.txt",
            {"peaks", "pytorch-snapshot/user-annotated-phases.pickle.zst", "--group", "category"}},
        {"cli/segments.txt", {"segments", kHandChecked}},
        {"cli/segments-oom.txt", {"segments", test::kFragmentedSample}},
        {"cli/what-if.txt", {"what-if", test::kFragmentedSample}},
        {"cli/diff.txt",
            {"diff", "pytorch-snapshot/fault-stale-gradients.pickle.zst",
                "pytorch-snapshot/clean-stale-gradients.pickle.zst"}},
        {"cli/diff-logs.txt", {"diff", "logs/r4-verl-before.err", "logs/r4-verl-after.err"}},
        {"cli/diff-sweep.txt",
            {"diff", "ranks/rank0_snapshot.pickle.zst", "ranks/rank1_snapshot.pickle.zst",
                "ranks/rank2_snapshot.pickle.zst"}},
        {"cli/ranks.txt", {"ranks", "ranks"}},
        {"cli/findings.txt", {"findings", "pytorch-snapshot/fault-logits.pickle.zst"}},
        {"cli/budget.txt", {"budget", "--config", "budget/r5-flan-t5-xl.yaml"}},
        {"cli/budget-observed.txt",
            {"budget", "--config", "budget/r2-grpo-logits.yaml",
                "pytorch-snapshot/r2-grpo-logits-before.pickle.zst"}},
        {"cli/check-kept.txt", {"check", kHandChecked, "--max-peak", "23MiB", "--max-reserved", "42MiB"}},
        {"cli/check-broken.txt",
            {"check", "pytorch-snapshot/fault-growth.pickle.zst", "--max-peak", "10MiB",
                "--max-growth-per-step", "1KiB"},
            1},
    };
}

std::vector<Command> jsonCommands()
{
    return {
        {"cli/info.json", {"info", kHandChecked, "--json"}},
        {"cli/info-log.json", {"info", "logs/r5-flan-t5-xl.log", "--json"}},
        {"cli/peaks.json", {"peaks", kHandChecked, "--json"}},
        {"cli/segments.json", {"segments", kHandChecked, "--json"}},
        {"cli/what-if.json", {"what-if", kHandChecked, "--json"}},
        {"cli/diff.json", {"diff", kHandChecked, "encodings/tiny-segments-only.pickle", "--json"}},
        {"cli/findings.json", {"findings", kHandChecked, "--json"}},
        {"cli/ranks.json", {"ranks", "ranks", "--json", "--steps"}},
        {"cli/budget.json", {"budget", "--config", "budget/r5-flan-t5-xl.yaml", "--json"}},
        {"cli/check.json", {"check", kHandChecked, "--max-peak", "10MiB", "--json"}, 1},
    };
}

std::vector<Command> writtenFiles()
{
    std::vector<Command> commands;
    for (const char* what : {"events", "allocations", "curve", "steps", "stacks"})
        commands.push_back({std::string("export/") + what + ".csv", {"export", kHandChecked, "--what", what},
            0, std::string(what) + ".csv"});
    for (const char* form : {"html", "md", "json"})
        commands.push_back({std::string("report/report.") + form, {"report", kHandChecked}, 0,
            std::string("report.") + form});
    commands.push_back({"report/ranks.md", {"report", "ranks"}, 0, "report.md"});
    commands.push_back({"figure/ranks.svg", {"ranks", "ranks", "--top", "1"}, 0, "ranks.svg"});
    for (const char* kind : {"timeline", "steps", "composition"})
        commands.push_back({std::string("figure/") + kind + ".svg", {"figure", kHandChecked, "--kind", kind},
            0, "figure.svg"});
    return commands;
}

class GoldenText : public testing::TestWithParam<Command>
{
};
class GoldenDocument : public testing::TestWithParam<Command>
{
};

std::string nameOfGolden(const testing::TestParamInfo<Command>& info)
{
    return testNameOf(info.param.golden);
}

} // namespace

TEST_P(GoldenText, IsWhatTheCommandPrints)
{
    const Command& command = GetParam();
    const TemporaryFolder folder;
    const ProgramRun run = runOf(command, folder);
    ASSERT_EQ(run.exitCode, command.exitCode) << run.err;
    std::string text = "$ highwater";
    for (const std::string& argument : command.arguments)
        text += " " + argument;
    text += "\n" + run.out;
    if (!run.err.empty())
        text += "--- standard error\n" + run.err;
    if (run.exitCode != 0)
        text += "--- exit code " + std::to_string(run.exitCode) + "\n";
    expectGolden(command.golden, text);
}

INSTANTIATE_TEST_SUITE_P(Commands, GoldenText, testing::ValuesIn(textCommands()), nameOfGolden);

TEST_P(GoldenDocument, IsWhatTheCommandWrites)
{
    const Command& command = GetParam();
    const TemporaryFolder folder;
    const ProgramRun run = runOf(command, folder);
    ASSERT_EQ(run.exitCode, command.exitCode) << run.err;
    expectGolden(
        command.golden, command.output.empty() ? run.out : readWholeFile(folder.path() / command.output));
}

INSTANTIATE_TEST_SUITE_P(Json, GoldenDocument, testing::ValuesIn(jsonCommands()), nameOfGolden);
INSTANTIATE_TEST_SUITE_P(Files, GoldenDocument, testing::ValuesIn(writtenFiles()), nameOfGolden);

TEST(GoldensOfCommands, AreEachOfACommand)
{
    std::vector<Command> commands = textCommands();
    for (const auto& more : {jsonCommands(), writtenFiles()})
        commands.insert(commands.end(), more.begin(), more.end());
    for (const std::string folder : {"cli", "export", "report", "figure"}) {
        std::vector<std::string> names;
        for (const Command& command : commands)
            if (command.golden.starts_with(folder + "/"))
                names.push_back(command.golden.substr(folder.size() + 1));
        expectNoOtherGoldens(folder, names);
    }
}

} // namespace highwater::test
