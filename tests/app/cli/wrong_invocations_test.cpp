// Tests of wrong usage, which gives one line that names the closest command or option.
#include <gtest/gtest.h>

#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

namespace {

struct Invocation
{
    const char* line; ///< words after "highwater", separated by blanks; it runs in the samples' folder
    const char* says; ///< part of the line on standard error that says what to type
    int exitCode = 2;

    friend std::ostream& operator<<(std::ostream& out, const Invocation& invocation)
    {
        return out << "highwater " << invocation.line;
    }
};

constexpr Invocation kInvocations[] = {
    {"", "a command is missing"},
    {"peek", "did you mean peaks?"},
    {"WhatIf snapshot.pickle", "did you mean what-if?"},
    {"find", "did you mean findings?"},
    {"frobnicate x", "no command frobnicate"},
    {"--verson", "did you mean --version?"},
    {"-x", "no option -x"},
    {"peaks", "highwater peaks snapshot.pickle"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --groups site", "did you mean --group?"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --colour red", "no option --colour"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --hash", "info has it"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --group sit", "did you mean site?"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --group colour", "one of user-site, stack, site,"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --at noon", "noon is neither an event, such as"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --at", "EVENT"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --at 22", "0 to 21"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --step 7", "0 to 2"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --step 1 --at 5", "--at and --step"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --device 7", "cuda:0"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --top -1", "not -1"},
    {"peaks logs/r5-flan-t5-xl.log", "highwater info"},
    {"info nowhere.pickle", "No such file or directory", 3},
    {"info pytorch-snapshot/r1-grpo-befor.pickle.zst",
        "did you mean pytorch-snapshot/r1-grpo-before.pickle.zst?", 3},
    {"peaks ranks/rank4_snapshot.pickle.zst", "did you mean ranks/rank0_snapshot.pickle.zst?", 3},
    {"info pytorch-snapshot/tiny-hand-checked.pickle.zst --max-memory lots", "lots is not a size"},
    {"info pytorch-snapshot/tiny-hand-checked.pickle.zst --max-memory 0", "the size must be at least 1 B"},
    {"segments pytorch-snapshot/tiny-hand-checked.pickle.zst --att 5", "did you mean --at?"},
    {"findings pytorch-snapshot/tiny-hand-checked.pickle.zst --only fault", "did you mean faults?"},
    {"findings pytorch-snapshot/tiny-hand-checked.pickle.zst --only grwoth", "did you mean growth?"},
    {"what-if pytorch-snapshot/tiny-hand-checked.pickle.zst --set expandable_segment=true",
        "did you mean expandable_segments?"},
    {"what-if pytorch-snapshot/tiny-hand-checked.pickle.zst --set max_split_size_mb=5", "at least 20"},
    {"what-if pytorch-snapshot/tiny-hand-checked.pickle.zst --remove-site nowhere", "'nowhere'"},
    {"diff pytorch-snapshot/tiny-hand-checked.pickle.zst", "highwater diff before.pickle after.pickle"},
    {"diff pytorch-snapshot/tiny-hand-checked.pickle.zst logs/r5-flan-t5-xl.log", "28.5 GiB"},
    {"budget", "needs --config RUN"},
    {"budget --config budget/r5-flan-t5-xl.yaml --gpu A100G", "did you mean A10G?"},
    {"budget --config budget/r5-flan-t5-xl.yaml --gpu H1000", "did you mean H100 80?"},
    {"budget --config budget/r5-flan-t5-xl.yaml --gpu 24", "as in 24GiB"},
    {"budget --config budget/r5-flan-t5-xl.yaml --what-if bach=1,2", "known: batch, group,"},
    {"check pytorch-snapshot/tiny-hand-checked.pickle.zst",
        "--max-peak, --max-reserved, --max-growth-per-step or --baseline"},
    {"check pytorch-snapshot/tiny-hand-checked.pickle.zst --max-peek 1GiB", "did you mean --max-peak?"},
    {"check pytorch-snapshot/tiny-hand-checked.pickle.zst --max-peak-increase 5%", "--baseline FILE"},
    {"figure pytorch-snapshot/tiny-hand-checked.pickle.zst -o a.svg", "one of timeline, steps,"},
    {"figure pytorch-snapshot/tiny-hand-checked.pickle.zst --kind timelines -o a.svg",
        "did you mean timeline?"},
    {"figure logs/r5-flan-t5-xl.log --kind steps -o a.svg", "--kind timeline"},
    {"figure pytorch-snapshot/tiny-hand-checked.pickle.zst --kind diff -o a.svg", "BEFORE and AFTER"},
    {"report pytorch-snapshot/tiny-hand-checked.pickle.zst -o a.txt", ".html, .md or .json"},
    {"report pytorch-snapshot/tiny-hand-checked.pickle.zst --sections summry -o a.html",
        "did you mean summary?"},
    {"export pytorch-snapshot/tiny-hand-checked.pickle.zst --what event -o -", "did you mean events?"},
    {"export pytorch-snapshot/tiny-hand-checked.pickle.zst --what curve -o a.xml", ".csv or .json"},
    {"export ranks --what curve -o a.csv", "as in -o FOLDER"},
    {"convert pytorch-snapshot/tiny-hand-checked.pickle.zst", "needs -o OUT"},
    {"convert ranks -o ranks.hwt", "as in -o FOLDER"},
    {"rehearse --gpu L44 -- python train.py", "did you mean L4?"},
    {"rehearse --gpu L4 python train.py --lr 3", "as in -- python train.py --lr"},
    {"help peek", "did you mean peaks?"},
    {"help growht", "did you mean growth?"},
    {"completions tcsh", "one of bash, zsh, fish"},
    {"man peek", "did you mean peaks?"},
};

std::vector<std::string> wordsOf(const std::string& line)
{
    std::vector<std::string> words;
    std::istringstream in(line);
    for (std::string word; in >> word;)
        words.push_back(word);
    return words;
}

} // namespace

class WrongInvocation : public testing::TestWithParam<Invocation>
{
};

TEST_P(WrongInvocation, IsAnsweredWithWhatToType)
{
    const Invocation& invocation = GetParam();
    test::RunOptions options;
    options.folder = test::samplePath("");
    const test::ProgramRun run = test::runHighwater(wordsOf(invocation.line), options);
    EXPECT_TRUE(run.err.starts_with("highwater: ")) << invocation;
    EXPECT_NE(run.err.find(invocation.says), std::string::npos) << invocation << '\n' << run.err;
    EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << "one line: " << run.err;
    EXPECT_EQ(run.exitCode, invocation.exitCode) << invocation;
    EXPECT_EQ(run.out, "") << invocation;
}

INSTANTIATE_TEST_SUITE_P(Table, WrongInvocation, testing::ValuesIn(kInvocations));

} // namespace highwater::cli
