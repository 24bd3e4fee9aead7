#include <algorithm>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "core/analysis/device/device_study.h"
#include "core/analysis/diff/diff_findings.h"
#include "importers/registry/open_trace.h"
#include "tests/core/analysis/diff/compared_traces.h"
#include "tests/core/analysis/diff/matching/training_script.h"
#include "tests/support/sample_files.h"

/// Tests with runs of one program whose files have other names, and with programs that only look alike.
namespace highwater {

namespace {

using test::TrainingScript;
using Texts = std::vector<std::string>;

/// Two runs, compared by stack.
struct Compared
{
    Compared(std::shared_ptr<const Trace> before, std::shared_ptr<const Trace> after)
        : one(std::move(before))
        , other(std::move(after))
        , found(findDiff(test::atPeak(oneStudy), test::atPeak(otherStudy), GroupKey::Stack, classes, {}))
    {
    }
    Compared(const TrainingScript& before, const TrainingScript& after)
        : Compared(before.trace(), after.trace())
    {
    }

    /// Returns entries like "train.py → run.py", including files that only changed their folder.
    Texts taken() const
    {
        Texts texts;
        for (const JoinedFile& file : classes.joinedFiles)
            texts.push_back(file.before + " → " + file.after);
        return texts;
    }
    std::int64_t rows(DiffStatus status) const
    {
        return std::ranges::count(found.diff.rows, status, [](const DiffRow& row) { return row.status(); });
    }
    /// Returns the functions of stacks that are both gone and new, without their files.
    Texts goneAndNew() const
    {
        std::set<std::string> gone;
        Texts both;
        const std::regex place(" \\([^)]*\\)");
        for (const DiffStatus status : {DiffStatus::Gone, DiffStatus::New})
            for (const DiffRow& row : found.diff.rows) {
                const std::string functions = std::regex_replace(row.key, place, "");
                if (row.status() != status)
                    continue;
                if (status == DiffStatus::Gone)
                    gone.insert(functions);
                else if (gone.contains(functions))
                    both.push_back(functions);
            }
        return both;
    }
    bool isAllMatched() const { return rows(DiffStatus::New) == 0 && rows(DiffStatus::Gone) == 0; }
    bool isUnmatched() const
    {
        return rows(DiffStatus::New) + rows(DiffStatus::Gone)
            == static_cast<std::int64_t>(found.diff.rows.size());
    }

    std::shared_ptr<const Trace> one;
    std::shared_ptr<const Trace> other;
    DeviceStudy oneStudy{*one, 0};
    DeviceStudy otherStudy{*other, 0};
    StackClasses classes = matchStacks(*one, *other);
    DiffFindings found;
};

} // namespace

TEST(RenamedFiles, MatchByTheirContents)
{
    const Compared runs({}, {.script = "/w/train_fixed.py"});
    EXPECT_EQ(runs.taken(), Texts{"/w/train.py → /w/train_fixed.py"});
    EXPECT_TRUE(runs.isAllMatched());
}

TEST(RenamedFiles, MatchThoughLinesHaveMovedInThem)
{
    EXPECT_TRUE(Compared({}, {.script = "/w/train_fixed.py", .line = 36}).isAllMatched());
}

TEST(RenamedFiles, MatchInARunWithMoreSteps)
{
    EXPECT_TRUE(Compared({}, {.script = "/w/train_fixed.py", .steps = 12}).isAllMatched());
}

TEST(RenamedFiles, MatchWithHalfTheBatch)
{
    EXPECT_TRUE(Compared({}, {.script = "/w/train_fixed.py", .batch = 4}).isAllMatched());
}

TEST(RenamedFiles, MatchThoughAllFilesAreRenamed)
{
    const Compared runs({}, {.script = "/mnt/b/run.py", .model = "/mnt/b/network.py"});
    EXPECT_EQ(runs.taken(), (Texts{"/w/model.py → /mnt/b/network.py", "/w/train.py → /mnt/b/run.py"}));
    EXPECT_TRUE(runs.isAllMatched());
}

TEST(RenamedFiles, MatchInAnotherFolder)
{
    const Compared runs({.script = "/home/a/train.py", .model = "/home/a/model.py"},
        {.script = "/mnt/b/train.py", .model = "/mnt/b/model.py"});
    EXPECT_EQ(runs.taken().size(), 2u);
    EXPECT_TRUE(runs.isAllMatched());
}

TEST(RenamedFiles, MatchOnWindows)
{
    const Compared runs({.script = "C:\\a\\train.py", .model = "C:\\a\\model.py"},
        {.script = "D:\\b\\train_v2.py", .model = "D:\\b\\model.py"});
    EXPECT_EQ(
        runs.taken(), (Texts{"C:\\a\\model.py → D:\\b\\model.py", "C:\\a\\train.py → D:\\b\\train_v2.py"}));
    EXPECT_TRUE(runs.isAllMatched());
}

TEST(RenamedFiles, MatchWithPackagesElsewhere)
{
    EXPECT_TRUE(Compared({.model = "/v/lib/python3.11/site-packages/nanogpt-1.2-py3.11.egg/nanogpt/model.py"},
        {.script = "/w/run.py",
            .model = "/o/lib/python3.12/site-packages/nanogpt-1.3-py3.12.egg/nanogpt/model.py",
            .sitePackages = "/o/lib/python3.12/site-packages"})
                    .isAllMatched());
}

TEST(RenamedFiles, MatchInAPackageRenamedAsAWhole)
{
    EXPECT_TRUE(Compared({.model = "/w/nanogpt/model.py", .loop = "/w/nanogpt/train.py"},
        {.model = "/w/mygpt/model.py", .loop = "/w/mygpt/train.py"})
                    .isAllMatched());
}

TEST(RenamedFiles, OfOneNameMatchByTheirContents)
{
    const TrainingScript before{.script = "/w/main.py", .model = "/w/a/code.py", .loop = "/w/b/code.py"};
    const TrainingScript after{.script = "/w/main.py", .model = "/w/loops/code.py", .loop = "/w/net/code.py"};
    const Compared runs(
        before, {.script = "/w/main.py", .model = "/w/net/code.py", .loop = "/w/loops/code.py"});
    EXPECT_TRUE(runs.isAllMatched());
    EXPECT_TRUE(Compared(before, after).isAllMatched());
}

TEST(RenamedFiles, OfANamesakeMatchTheirTwin)
{
    // In the second run a launcher has the old name, and calls the training by its new name.
    const Compared runs(
        {.script = "/p/train.py", .loop = "/p/loop.py"}, {.script = "/q/run.py", .loop = "/q/train.py"});
    EXPECT_EQ(runs.taken(), (Texts{"/p/train.py → /q/run.py", "/p/loop.py → /q/train.py"}));
    EXPECT_TRUE(runs.isAllMatched());
}

TEST(RenamedFiles, InCellsOfANotebookMatch)
{
    const Compared runs({.script = "/tmp/ipykernel_12/1.py",
                            .model = "/tmp/ipykernel_12/2.py",
                            .loop = "/tmp/ipykernel_12/3.py"},
        {.script = "/tmp/ipykernel_77/1.py",
            .model = "/tmp/ipykernel_77/2.py",
            .loop = "/tmp/ipykernel_77/9.py"});
    EXPECT_TRUE(runs.isAllMatched());
}

TEST(RenamedFiles, KeepWhatIsLeftOfAFileSplitInTwo)
{
    const Compared runs({.model = "/w/train.py"}, {.script = "/w/main.py", .model = "/w/network.py"});
    EXPECT_EQ(runs.taken(), Texts{"/w/train.py → /w/main.py"});
    EXPECT_EQ(runs.rows(DiffStatus::New), runs.rows(DiffStatus::Gone));
    EXPECT_GT(runs.rows(DiffStatus::Same), 0);
}

TEST(RenamedFiles, KeepTheRowsOfOtherFunctionsWhereOneIsRenamed)
{
    const Compared runs({}, {.script = "/w/run.py", .loader = "build_model"});
    EXPECT_EQ(runs.taken(), Texts{"/w/train.py → /w/run.py"});
    EXPECT_EQ(runs.rows(DiffStatus::New), 1);
    EXPECT_EQ(runs.rows(DiffStatus::Gone), 1);
}

TEST(RenamedFiles, OfAnotherModelDoNotMatch)
{
    const Compared runs(
        {}, {.script = "/x/pretrain.py", .model = "/x/vision.py", .layers = 7, .hidden = 80, .batch = 5});
    EXPECT_EQ(runs.taken(), Texts());
    EXPECT_TRUE(runs.isUnmatched());
}

TEST(RenamedFiles, OfAnotherOptimizerDoNotMatch)
{
    const Compared runs({}, {.optimizer = "/w/lion.py"});
    EXPECT_EQ(runs.taken(), Texts());
}

TEST(RenamedFiles, ThatFitTwoFilesAlikeDoNotMatch)
{
    // Each script of one run allocates like both scripts of the other run, so the pairs are ambiguous.
    const auto both = [](const std::string& a, const std::string& b) {
        return test::traceFromText("stack a = " + a + ":3 <module>\nstack b = " + b
            + ":3 <module>\n"
              "alloc 1 4096 @a\nalloc 2 8192 @a\nalloc 3 7168 @a\nalloc 4 4096 @b\nalloc 5 8192 @b\nalloc 6 "
              "7168 @b\nend\n");
    };
    const Compared runs(both("/w/a.py", "/w/b.py"), both("/w/c.py", "/w/d.py"));
    EXPECT_EQ(runs.taken(), Texts());
}

TEST(RenamedFiles, ExchangeWithTheRuns)
{
    const TrainingScript before{.script = "/w/old.py", .model = "/w/m.py"};
    const TrainingScript after{.script = "/w/new.py", .model = "/w/n.py", .batch = 4, .line = 17};
    const Compared forth(before, after);
    const Compared back(after, before);
    ASSERT_EQ(forth.found.diff.rows.size(), back.found.diff.rows.size());
    EXPECT_EQ(forth.found.diff.delta(), -back.found.diff.delta());
    for (std::size_t i = 0; i < forth.found.diff.rows.size(); ++i)
        EXPECT_EQ(forth.found.diff.rows[i].delta(), -back.found.diff.rows[i].delta());
}

TEST(RenamedFiles, OfTheFiveRehearsedFaultsAndTheirFixesMatch)
{
    for (const auto& [fault, fix] : {std::pair("a2_graph_list", "a2"), std::pair("d_zero_late", "d"),
             std::pair("g_eval_grad", "g"), std::pair("o_retain", "o"), std::pair("p_math_attention", "p")}) {
        const auto before = test::realFilePath(std::string("rehearsed/") + fault + ".pickle.zst");
        const auto after = test::realFilePath(std::string("rehearsed/fixed/fix_") + fix + ".pickle.zst");
        SKIP_WITHOUT_REAL_FILE(before && after);
        const Compared runs(openTrace(*before, {})->trace, openTrace(*after, {})->trace);
        EXPECT_EQ(runs.taken(), Texts{std::string("/w/") + fault + ".py → /w/fix_" + fix + ".py"});
        EXPECT_EQ(runs.goneAndNew(), Texts()) << fault;
        EXPECT_TRUE(runs.found.causes.modelCopies.empty()) << fault;
    }
}

} // namespace highwater
