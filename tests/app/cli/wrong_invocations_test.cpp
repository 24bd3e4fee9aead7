// Tests of wrong usage, which gives one line that names the closest command or option.
#include <gtest/gtest.h>

#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

namespace {

struct Invocation
{
    const char* line; ///< words after "highwater", separated by blanks; it runs in the samples' folder
    const char* message; ///< complete standard error, without "highwater: " and the line break
    int exitCode = 2;

    friend std::ostream& operator<<(std::ostream& out, const Invocation& invocation)
    {
        return out << "highwater " << invocation.line;
    }
};

constexpr Invocation kInvocations[] = {
    {"", "a command is missing: highwater info FILE says what a file holds (highwater help lists all)"},
    {"peek", "there is no command peek; did you mean peaks? (highwater help lists them)"},
    {"WhatIf snapshot.pickle",
        "there is no command WhatIf; did you mean what-if? (highwater help lists them)"},
    {"find", "there is no command find; did you mean findings? (highwater help lists them)"},
    {"frobnicate x", "there is no command frobnicate (highwater help lists them)"},
    {"pytorch-snapshot/tiny-hand-checked.pickle.zst",
        "pytorch-snapshot/tiny-hand-checked.pickle.zst is a file, and a command comes first: highwater info "
        "pytorch-snapshot/tiny-hand-checked.pickle.zst"},
    {"--verson", "there is no option --verson; did you mean --version? (see highwater help)"},
    {"-x", "there is no option -x (see highwater help)"},
    {"peaks", "peaks needs a FILE, as in highwater peaks snapshot.pickle (see highwater help peaks)"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --groups site",
        "peaks has no option --groups; did you mean --group? (see highwater help peaks)"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --colour red",
        "peaks has no option --colour (see highwater help peaks)"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --hash",
        "peaks has no option --hash; info has it (see highwater help peaks)"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --group sit",
        "--group has no value sit; did you mean site? (one of user-site, stack, site, function, file, "
        "module, category, size, stream, pool, allocation; see highwater help peaks)"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --group colour",
        "--group has no value colour (one of user-site, stack, site, function, file, module, category, size, "
        "stream, pool, allocation; see highwater help peaks)"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --at noon",
        "--at takes an EVENT, a number, not noon (see highwater help peaks)"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --at",
        "--at needs a value: EVENT (see highwater help peaks)"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --at 22",
        "pytorch-snapshot/tiny-hand-checked.pickle.zst: has no event 22 on cuda:0: --at takes -1 to 21"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --step 7",
        "pytorch-snapshot/tiny-hand-checked.pickle.zst: has no step 7 on cuda:0: --step takes 0 to 2 "
        "(--steps lists them)"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --step 1 --at 5",
        "--at and --step do not go together: give one of them (see highwater help peaks)"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --device 7",
        "pytorch-snapshot/tiny-hand-checked.pickle.zst: has no device 7 (it has: cuda:0)"},
    {"peaks pytorch-snapshot/tiny-hand-checked.pickle.zst --top -1",
        "--top takes 0 and more, not -1 (see highwater help peaks)"},
    {"peaks logs/r5-flan-t5-xl.log",
        "logs/r5-flan-t5-xl.log: holds series and messages, but no memory events or segments (highwater info "
        "prints them, figure --kind timeline draws them, export --what curve writes them)"},
    {"info nowhere.pickle",
        "nowhere.pickle: cannot be opened: No such file or directory (highwater help info says what can be "
        "opened, highwater record how to record it)",
        3},
    {"info pytorch-snapshot/r1-grpo-befor.pickle.zst",
        "pytorch-snapshot/r1-grpo-befor.pickle.zst: cannot be opened: No such file or directory; did you "
        "mean "
        "pytorch-snapshot/r1-grpo-before.pickle.zst?",
        3},
    {"peaks ranks/rank4_snapshot.pickle.zst",
        "ranks/rank4_snapshot.pickle.zst: cannot be opened: No such file or directory; did you mean "
        "ranks/rank0_snapshot.pickle.zst?",
        3},
    {"info pytorch-snapshot/tiny-hand-checked.pickle.zst --max-memory lots",
        "--max-memory: lots is not a size: a number of bytes, or a number with a unit: 10KiB, 10MiB, 10GiB, "
        "10TiB and 10K, 10M, 10G, 10T in powers of 1024, 10KB, 10MB, 10GB, 10TB in powers of 1000 (see "
        "highwater help info)"},
    {"info pytorch-snapshot/tiny-hand-checked.pickle.zst --max-memory 0",
        "--max-memory: 0 is not a size: a number of bytes, or a number with a unit: 10KiB, 10MiB, 10GiB, "
        "10TiB and 10K, 10M, 10G, 10T in powers of 1024, 10KB, 10MB, 10GB, 10TB in powers of 1000 (see "
        "highwater help info)"},
    {"segments pytorch-snapshot/tiny-hand-checked.pickle.zst --att 5",
        "segments has no option --att; did you mean --at? (see highwater help segments)"},
    {"findings pytorch-snapshot/tiny-hand-checked.pickle.zst --only fault",
        "--only: there is no finding fault; did you mean faults?"},
    {"findings pytorch-snapshot/tiny-hand-checked.pickle.zst --only grwoth",
        "--only: there is no finding grwoth; did you mean growth?"},
    {"what-if pytorch-snapshot/tiny-hand-checked.pickle.zst --set expandable_segment=true",
        "what-if: there is no setting expandable_segment; did you mean expandable_segments?"},
    {"what-if pytorch-snapshot/tiny-hand-checked.pickle.zst --set max_split_size_mb=5",
        "what-if: max_split_size_mb is a whole number from 20 on (PyTorch before 2.10: above 20), or "
        "unlimited"},
    {"what-if pytorch-snapshot/tiny-hand-checked.pickle.zst --remove-site nowhere",
        "pytorch-snapshot/tiny-hand-checked.pickle.zst: has no allocation from a call site with 'nowhere' "
        "(highwater peaks --group site lists them)"},
    {"diff pytorch-snapshot/tiny-hand-checked.pickle.zst",
        "diff: takes two files, BEFORE and AFTER, or more for a table of runs, as in highwater diff "
        "before.pickle after.pickle"},
    {"diff pytorch-snapshot/tiny-hand-checked.pickle.zst logs/r5-flan-t5-xl.log",
        "pytorch-snapshot/tiny-hand-checked.pickle.zst: tells allocations, and logs/r5-flan-t5-xl.log is a "
        "log: what they count cannot be subtracted (the log's largest is 28.5 GiB, device used). "
        "highwater report shows both on one clock"},
    {"budget", "budget needs --config RUN (see highwater help budget)"},
    {"budget --config budget/r5-flan-t5-xl.yaml --gpu A100G",
        "budget: there is no GPU \"A100G\"; did you mean A10G? (or a size such as 24GiB)"},
    {"budget --config budget/r5-flan-t5-xl.yaml --gpu H1000",
        "budget: there is no GPU \"H1000\"; did you mean H100 80? (or a size such as 24GiB)"},
    {"budget --config budget/r5-flan-t5-xl.yaml --gpu 24",
        "budget: there is no GPU of 24 B: a size has its unit, as in 24GiB"},
    {"budget --config budget/r5-flan-t5-xl.yaml --what-if bach=1,2",
        "budget: --what-if: \"bach\" cannot be varied (known: batch, group, seq_len, vocab, dtype, "
        "logits_dtype, logits_copies, optimizer, checkpointing, attention)"},
    {"check pytorch-snapshot/tiny-hand-checked.pickle.zst",
        "check takes a limit: --max-peak, --max-reserved, --max-growth-per-step or --baseline (see highwater "
        "check --help)"},
    {"check pytorch-snapshot/tiny-hand-checked.pickle.zst --max-peek 1GiB",
        "check has no option --max-peek; did you mean --max-peak? (see highwater help check)"},
    {"check pytorch-snapshot/tiny-hand-checked.pickle.zst --max-peak-increase 5%",
        "--baseline FILE and --max-peak-increase N% go together"},
    {"figure pytorch-snapshot/tiny-hand-checked.pickle.zst -o a.svg",
        "figure needs --kind KIND, one of timeline, steps, composition, segments, budget, diff, waterfall "
        "(see "
        "highwater help figure)"},
    {"figure pytorch-snapshot/tiny-hand-checked.pickle.zst --kind timelines -o a.svg",
        "--kind has no value timelines; did you mean timeline? (one of timeline, steps, composition, "
        "segments, budget, diff, waterfall; see highwater help figure)"},
    {"figure logs/r5-flan-t5-xl.log --kind steps -o a.svg",
        "logs/r5-flan-t5-xl.log: is a log, of which there is no figure steps: --kind timeline draws its "
        "memory"},
    {"figure pytorch-snapshot/tiny-hand-checked.pickle.zst --kind diff -o a.svg",
        "figure: --kind diff takes two files: BEFORE and AFTER"},
    {"report pytorch-snapshot/tiny-hand-checked.pickle.zst -o a.txt",
        "report: -o takes a name that ends in .html, .md or .json"},
    {"report pytorch-snapshot/tiny-hand-checked.pickle.zst --sections summry -o a.html",
        "report: --sections: there is no section summry; did you mean summary? (one of summary, comparison, "
        "timeline, notes, findings, peak, ranks, steps, budget, messages, facts, provenance)"},
    {"export pytorch-snapshot/tiny-hand-checked.pickle.zst --what event -o -",
        "--what has no value event; did you mean events? (one of events, allocations, curve, steps, stacks, "
        "columns, trace, tables; see highwater help export)"},
    {"export pytorch-snapshot/tiny-hand-checked.pickle.zst --what curve -o a.xml",
        "a.xml: the name of the file to write ends neither in .csv nor in .json"},
    {"export ranks --what curve -o a.csv",
        "a.csv: is the name of a file: of several files each is written into a folder, as in -o FOLDER"},
    {"convert pytorch-snapshot/tiny-hand-checked.pickle.zst",
        "convert needs -o OUT (see highwater help convert)"},
    {"convert ranks -o ranks.hwt",
        "ranks.hwt: is the name of a file: of several files each is written into a folder, as in -o FOLDER"},
    {"rehearse --gpu L44 -- python train.py",
        "there is no GPU \"L44\"; did you mean L4? (or a size such as 24GiB)"},
    {"rehearse --gpu L4 python train.py --lr 3",
        "rehearse has no option --lr; what belongs to the COMMAND stands behind --, as in -- python train.py "
        "--lr (see highwater help rehearse)"},
    {"help peek",
        "help: there is no command or finding peek; did you mean peaks? (highwater help lists the commands, "
        "the manual the findings)"},
    {"help growht",
        "help: there is no command or finding growht; did you mean growth? (highwater help lists the "
        "commands, the manual the findings)"},
    {"completions tcsh", "shell has no value tcsh (one of bash, zsh, fish; see highwater help completions)"},
    {"man peek", "man: there is no command peek; did you mean peaks? (highwater help lists the commands)"},
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
    EXPECT_EQ(run.err, "highwater: " + std::string(invocation.message) + "\n") << invocation;
    EXPECT_EQ(run.exitCode, invocation.exitCode) << invocation;
    EXPECT_EQ(run.out, "") << invocation;
}

INSTANTIATE_TEST_SUITE_P(Table, WrongInvocation, testing::ValuesIn(kInvocations));

} // namespace highwater::cli
